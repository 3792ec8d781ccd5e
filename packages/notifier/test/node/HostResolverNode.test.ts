/** Questions to a DNS server of our own on loopback, and the system's own file of hosts. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Exit, Fiber } from "effect"
import * as HostResolverNode from "../../src/node/HostResolverNode.js"
import { HostResolver } from "../../src/outbound/HostResolver.js"
import * as Task from "../../src/outbound/Task.js"
import * as DnsServer from "./DnsServer.js"

const none: DnsServer.Reply = { addresses: [] }

const ask = (resolver: string, name: string) =>
  Effect.flatMap(HostResolver, ({ resolve }) => Task.toEffect(resolve(name, 5_000))).pipe(
    Effect.provide(HostResolverNode.layer({ resolver }))
  )

const resolve = (zone: DnsServer.Zone, name = "hooks.attestry.example") =>
  Effect.flatMap(DnsServer.make(zone), (resolver) => ask(resolver, name))

describe("HostResolverNode with a configured server", () => {
  it.scopedLive("asks for both families and puts IPv4 first", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const answers = yield* resolve(({ name, type }) => {
        asked.push(`${name} ${type}`)
        return { addresses: type === "A" ? ["192.0.2.1", "192.0.2.2"] : ["2001:db8::1"] }
      })
      deepStrictEqual([...answers], ["192.0.2.1", "192.0.2.2", "2001:db8::1"])
      deepStrictEqual(asked.sort(), ["hooks.attestry.example A", "hooks.attestry.example AAAA"])
    })
  )

  it.scopedLive("has an empty answer for a name without addresses", () =>
    Effect.gen(function* () {
      deepStrictEqual([...(yield* resolve(() => none))], [])
    })
  )

  it.scopedLive("has an empty answer for a name that does not exist", () =>
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

  it.scopedLive("makes do with one family when the other fails", () =>
    Effect.gen(function* () {
      const answers = yield* resolve(({ type }) =>
        type === "A" ? { addresses: ["192.0.2.1"] } : { code: "SERVFAIL" }
      )
      deepStrictEqual([...answers], ["192.0.2.1"])
    })
  )

  it.scopedLive("fails when one family fails and the other has nothing", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        resolve(({ type }) => (type === "A" ? none : { code: "SERVFAIL" }))
      )
      assert.isTrue(Exit.isFailure(exit))
    })
  )

  it.scopedLive("asks again every time", () =>
    Effect.gen(function* () {
      const rest = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
      const resolver = yield* DnsServer.make(({ type }) =>
        type === "A" ? { addresses: [rest.shift() ?? "192.0.2.9"] } : none
      )
      const seen = yield* Effect.replicateEffect(ask(resolver, "hooks.attestry.example"), 3)
      deepStrictEqual(seen.flat(), ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    })
  )

  it.scopedLive("stops asking when it is interrupted", () =>
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
  ])("is not configured by `%s`", (resolver) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ask(resolver, "hooks.attestry.example"))
      deepStrictEqual(error, new HostResolverNode.InvalidResolver({ resolver }))
    })
  )

  it.effect.each(["127.0.0.1", "127.0.0.1:5353", "[::1]", "[::1]:5353"])(
    "is configured by `%s`",
    (resolver) => Effect.asVoid(Effect.provide(HostResolver, HostResolverNode.layer({ resolver })))
  )
})

describe("HostResolverNode, many at once", () => {
  it.scopedLive(
    "asks once for all who ask at the same moment, and again for whoever comes later",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const resolver = yield* DnsServer.make(({ type }) => {
          if (type === "AAAA") return none
          asked += 1
          return { addresses: [`192.0.2.${asked}`] }
        })
        const { resolve } = yield* Effect.provide(
          HostResolver,
          HostResolverNode.layer({ resolver })
        )
        const together = Effect.all(
          Array.from({ length: 20 }, () => Task.toEffect(resolve("hooks.attestry.example", 5_000))),
          { concurrency: "unbounded" }
        )
        deepStrictEqual((yield* together).flat(), Array(20).fill("192.0.2.1"))
        deepStrictEqual((yield* together).flat(), Array(20).fill("192.0.2.2"))
      })
  )

  it.scopedLive("lets no name wait for one that gets no answer", () =>
    Effect.gen(function* () {
      const resolver = yield* DnsServer.make(({ name, type }) =>
        name.startsWith("dead") ? "silence" : { addresses: type === "A" ? ["192.0.2.1"] : [] }
      )
      yield* Effect.gen(function* () {
        const { resolve } = yield* HostResolver
        const dead = yield* Effect.forEach(Array.from({ length: 200 }), (_, index) =>
          Effect.fork(Effect.flip(Task.toEffect(resolve(`dead${index}.example`, 1_500))))
        )
        const [elapsed, answers] = yield* Effect.timed(
          Task.toEffect(resolve("alive.example", 1_000))
        )
        deepStrictEqual([...answers], ["192.0.2.1"])
        assert.isBelow(Duration.toMillis(elapsed), 1_000)
        for (const { late } of yield* Fiber.joinAll(dead)) assert.isTrue(late)
      }).pipe(Effect.provide(HostResolverNode.layer({ resolver })))
    })
  )
})

describe("HostResolverNode with the system's file and servers", () => {
  it.scopedLive("honours the file of hosts", () =>
    Effect.gen(function* () {
      const { resolve } = yield* HostResolver
      const answers = yield* Task.toEffect(resolve("localhost", 5_000))
      assert.isNotEmpty(answers)
      for (const answer of answers) assert.include(["127.0.0.1", "::1"], answer)
    }).pipe(Effect.provide(HostResolverNode.layer()))
  )
})
