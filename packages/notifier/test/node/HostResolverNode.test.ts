/** Queries to a DNS server of the test on loopback, and the system's hosts file. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Exit, Fiber } from "effect"
import * as HostResolverNode from "../../src/node/HostResolverNode.js"
import { HostResolver } from "../../src/outbound/HostResolver.js"
import * as DnsServer from "./DnsServer.js"

const none: DnsServer.Reply = { addresses: [] }

const ask = (resolver: string, name: string) =>
  Effect.flatMap(HostResolver, ({ resolve }) => resolve(name, 5_000)).pipe(
    Effect.provide(HostResolverNode.layer({ resolver }))
  )

const resolve = (zone: DnsServer.Zone, name = "hooks.attestry.example") =>
  Effect.flatMap(DnsServer.make(zone), (resolver) => ask(resolver, name))

describe("HostResolverNode with a configured server", () => {
  it.scopedLive("queries both families and puts IPv4 first", () =>
    Effect.gen(function* () {
      const queries: Array<string> = []
      const addresses = yield* resolve(({ name, type }) => {
        queries.push(`${name} ${type}`)
        return { addresses: type === "A" ? ["192.0.2.1", "192.0.2.2"] : ["2001:db8::1"] }
      })
      deepStrictEqual([...addresses], ["192.0.2.1", "192.0.2.2", "2001:db8::1"])
      deepStrictEqual(queries.sort(), ["hooks.attestry.example A", "hooks.attestry.example AAAA"])
    })
  )

  it.scopedLive("gives no address for a name without addresses", () =>
    Effect.gen(function* () {
      deepStrictEqual([...(yield* resolve(() => none))], [])
    })
  )

  it.scopedLive("gives no address for a name that does not exist", () =>
    Effect.gen(function* () {
      deepStrictEqual([...(yield* resolve(() => ({ code: "NXDOMAIN" })))], [])
    })
  )

  it.scopedLive("fails when the server fails", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolve(() => ({ code: "SERVFAIL" })))
      assert.strictEqual(error._tag, "ResolutionError")
      assert.strictEqual(error.message, "name resolution failed")
    })
  )

  it.scopedLive("succeeds with one family when the other fails", () =>
    Effect.gen(function* () {
      const addresses = yield* resolve(({ type }) =>
        type === "A" ? { addresses: ["192.0.2.1"] } : { code: "SERVFAIL" }
      )
      deepStrictEqual([...addresses], ["192.0.2.1"])
    })
  )

  it.scopedLive("fails when one family fails and the other has no address", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        resolve(({ type }) => (type === "A" ? none : { code: "SERVFAIL" }))
      )
      assert.isTrue(Exit.isFailure(exit))
    })
  )

  it.scopedLive("sends a query on every call", () =>
    Effect.gen(function* () {
      const rest = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
      const resolver = yield* DnsServer.make(({ type }) =>
        type === "A" ? { addresses: [rest.shift() ?? "192.0.2.9"] } : none
      )
      const seen = yield* Effect.replicateEffect(ask(resolver, "hooks.attestry.example"), 3)
      deepStrictEqual(seen.flat(), ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    })
  )

  it.scopedLive("stops waiting when it is interrupted", () =>
    Effect.gen(function* () {
      const outcome = yield* resolve(() => "silence").pipe(Effect.timeoutOption(200))
      assert.strictEqual(outcome._tag, "None")
    })
  )

  it.effect.each([
    "",
    "localhost:53",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "127.1",
    "::1",
    "[::1",
    "127.0.0.1:53:53",
    "8.8.8.8 "
  ])("rejects the server `%s`", (resolver) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ask(resolver, "hooks.attestry.example"))
      deepStrictEqual(error, new HostResolverNode.InvalidResolver({ resolver }))
    })
  )

  it.effect.each(["127.0.0.1", "127.0.0.1:5353", "[::1]", "[::1]:5353"])(
    "accepts the server `%s`",
    (resolver) => Effect.asVoid(Effect.provide(HostResolver, HostResolverNode.layer({ resolver })))
  )
})

describe("HostResolverNode, concurrently", () => {
  it.scopedLive("shares one query among concurrent callers, and sends another for later ones", () =>
    Effect.gen(function* () {
      let queries = 0
      const resolver = yield* DnsServer.make(({ type }) => {
        if (type === "AAAA") return none
        queries += 1
        return { addresses: [`192.0.2.${queries}`] }
      })
      const { resolve } = yield* Effect.provide(HostResolver, HostResolverNode.layer({ resolver }))
      const together = Effect.all(
        Array.from({ length: 20 }, () => resolve("hooks.attestry.example", 5_000)),
        { concurrency: "unbounded" }
      )
      deepStrictEqual((yield* together).flat(), Array(20).fill("192.0.2.1"))
      deepStrictEqual((yield* together).flat(), Array(20).fill("192.0.2.2"))
    })
  )

  it.scopedLive("delays no name because of one whose server is silent", () =>
    Effect.gen(function* () {
      const resolver = yield* DnsServer.make(({ name, type }) =>
        name.startsWith("dead") ? "silence" : { addresses: type === "A" ? ["192.0.2.1"] : [] }
      )
      yield* Effect.gen(function* () {
        const { resolve } = yield* HostResolver
        const dead = yield* Effect.forEach(Array.from({ length: 200 }), (_, index) =>
          Effect.fork(Effect.flip(resolve(`dead${index}.example`, 1_500)))
        )
        const [elapsed, addresses] = yield* Effect.timed(resolve("alive.example", 1_000))
        deepStrictEqual([...addresses], ["192.0.2.1"])
        assert.isBelow(Duration.toMillis(elapsed), 1_000)
        for (const { late } of yield* Fiber.joinAll(dead)) assert.isTrue(late)
      }).pipe(Effect.provide(HostResolverNode.layer({ resolver })))
    })
  )
})

describe("HostResolverNode with the system's hosts file and servers", () => {
  it.scopedLive("honours the hosts file", () =>
    Effect.gen(function* () {
      const { resolve } = yield* HostResolver
      const addresses = yield* resolve("localhost", 5_000)
      assert.isNotEmpty(addresses)
      for (const address of addresses) assert.include(["127.0.0.1", "::1"], address)
    }).pipe(Effect.provide(HostResolverNode.layer()))
  )
})
