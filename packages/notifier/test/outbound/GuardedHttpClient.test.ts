/** The order of one attempt: parse, resolve once, check, dial what passed, within the time. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import * as AddressRange from "../../src/outbound/AddressRange.js"
import * as AllowList from "../../src/outbound/AllowList.js"
import type { DeliveryReason } from "../../src/outbound/DeliveryError.js"
import * as GuardedHttpClient from "../../src/outbound/GuardedHttpClient.js"
import { HostResolver, ResolutionError } from "../../src/outbound/HostResolver.js"
import {
  type Dial,
  type OutboundTransport,
  TransportFailure,
  type TransportResponse
} from "../../src/outbound/OutboundTransport.js"

const request: GuardedHttpClient.PostRequest = {
  tenant: "acme",
  url: "https://hooks.example.com/a?b",
  headers: {},
  body: "{}",
  timeoutMs: 12_000
}

type Sent = Effect.Effect<TransportResponse, TransportFailure>

const accepted: Sent = Effect.succeed({ status: 204, retryAfter: Option.none() })
const refuse = (unreached: boolean, reason: DeliveryReason) =>
  Effect.fail(new TransportFailure({ reason, unreached, code: "CODE" }))

const attempt = (options: {
  readonly resolve?: Effect.Effect<ReadonlyArray<string>, ResolutionError>
  readonly send?: (address: string) => Sent
  readonly allow?: ReadonlyArray<string>
  readonly request?: Partial<GuardedHttpClient.PostRequest>
}) =>
  Effect.gen(function* () {
    const queries: Array<string> = []
    const dialled: Array<Dial> = []
    const resolver = Layer.succeed(HostResolver, {
      resolve: (name) => {
        queries.push(name)
        return options.resolve ?? Effect.succeed(["8.8.8.8"])
      }
    })
    const transport: OutboundTransport = {
      send: (dial) => {
        dialled.push(dial)
        return options.send?.(AddressRange.print(dial.address)) ?? accepted
      }
    }
    const allow = Either.getOrThrow(AllowList.parse(options.allow ?? []))
    const client = yield* Effect.provide(GuardedHttpClient.make(transport, allow), resolver)
    const fiber = yield* Effect.fork(Effect.either(client.post({ ...request, ...options.request })))
    yield* TestClock.adjust("1 minute")
    const outcome = yield* Fiber.join(fiber)
    return {
      queries,
      dialled: dialled.map(({ address }) => AddressRange.print(address)),
      connectTimeoutMs: dialled.map(({ connectTimeoutMs }) => connectTimeoutMs),
      timeoutMs: dialled.map(({ timeoutMs }) => timeoutMs),
      outcome: Either.match(outcome, {
        onLeft: ({ message }) => message,
        onRight: ({ status }) => status
      }),
      retryAfter: Option.map(
        Option.flatMap(Either.getRight(outcome), ({ retryAfter }) => retryAfter),
        Duration.toSeconds
      )
    }
  })

describe("GuardedHttpClient", () => {
  it.effect("resolves once and dials the resolved address", () =>
    Effect.gen(function* () {
      const { queries, dialled, outcome } = yield* attempt({})
      deepStrictEqual(
        { queries, dialled, outcome },
        {
          queries: ["hooks.example.com"],
          dialled: ["8.8.8.8"],
          outcome: 204
        }
      )
    })
  )

  it.effect("dials an address literal without resolving", () =>
    Effect.gen(function* () {
      const { dialled, queries } = yield* attempt({ request: { url: "https://1.1.1.1/" } })
      deepStrictEqual({ queries, dialled }, { queries: [], dialled: ["1.1.1.1"] })
    })
  )

  it.effect("neither resolves nor dials a URL that its text forbids", () =>
    Effect.gen(function* () {
      for (const url of ["https://127.0.0.1/", "http://hooks.example.com/", "https://a.local/"]) {
        const { queries, dialled, outcome } = yield* attempt({ request: { url } })
        deepStrictEqual([queries, dialled, outcome], [[], [], "blocked destination"])
      }
    })
  )

  it.effect("dials nothing when one of several addresses is not public", () =>
    Effect.gen(function* () {
      for (const addresses of [
        ["8.8.8.8", "127.0.0.1"],
        ["::1", "8.8.8.8"],
        ["8.8.8.8", "?"]
      ]) {
        const { dialled, outcome } = yield* attempt({ resolve: Effect.succeed(addresses) })
        deepStrictEqual([dialled, outcome], [[], "blocked destination"])
      }
    })
  )

  it.effect("fails with `resolution` when there is no address or the resolver fails", () =>
    Effect.gen(function* () {
      const failed = Effect.fail(
        new ResolutionError({ cause: new Error("10.0.0.53 refused"), late: false })
      )
      for (const resolve of [Effect.succeed([]), failed]) {
        const { dialled, outcome } = yield* attempt({ resolve })
        deepStrictEqual([dialled, outcome], [[], "resolution"])
      }
    })
  )

  it.effect("dials the next address only when the previous one was not reached", () =>
    Effect.gen(function* () {
      const resolve = Effect.succeed(["8.8.8.8", "8.8.4.4", "1.1.1.1"])
      const next = yield* attempt({
        resolve,
        send: (address) => (address === "8.8.8.8" ? refuse(true, "connection") : accepted)
      })
      deepStrictEqual(next.dialled, ["8.8.8.8", "8.8.4.4"])
      deepStrictEqual(next.connectTimeoutMs, [4_000, 4_000])
      assert.strictEqual(next.outcome, 204)
      const reached = yield* attempt({ resolve, send: () => refuse(false, "tls") })
      deepStrictEqual([reached.dialled, reached.outcome], [["8.8.8.8"], "tls"])
    })
  )

  it.effect("dials a bounded number of addresses", () =>
    Effect.gen(function* () {
      const answers = Array.from({ length: 50 }, (_, index) => `8.8.8.${index}`)
      const { dialled, outcome } = yield* attempt({
        resolve: Effect.succeed(answers),
        send: () => refuse(true, "connection")
      })
      deepStrictEqual(dialled, answers.slice(0, GuardedHttpClient.addressesMax))
      assert.strictEqual(outcome, "connection")
    })
  )

  it.effect("gives the exchange the time that resolution left", () =>
    Effect.gen(function* () {
      const slowName = yield* attempt({
        resolve: Effect.fail(new ResolutionError({ cause: "slow", late: true }))
      })
      deepStrictEqual([slowName.dialled, slowName.outcome], [[], "timeout"])
      const both = yield* attempt({
        resolve: Effect.delay(Effect.succeed(["8.8.8.8"]), "7 seconds")
      })
      deepStrictEqual([both.timeoutMs, both.outcome], [[5_000], 204])
      const nothing = yield* attempt({
        resolve: Effect.delay(Effect.succeed(["8.8.8.8"]), "12 seconds")
      })
      deepStrictEqual([nothing.dialled, nothing.outcome], [[], "timeout"])
    })
  )

  it.effect("gives the next address the time that the previous one left", () =>
    Effect.gen(function* () {
      const { outcome, timeoutMs } = yield* attempt({
        resolve: Effect.succeed(["8.8.8.8", "8.8.4.4", "1.1.1.1"]),
        send: () => Effect.zipRight(Effect.sleep("4 seconds"), refuse(true, "connection"))
      })
      deepStrictEqual([timeoutMs, outcome], [[12_000, 8_000, 4_000], "connection"])
    })
  )

  it.effect("reports the parsed Retry-After", () =>
    Effect.gen(function* () {
      const retryAfter = (text: string) =>
        attempt({ send: () => Effect.succeed({ status: 503, retryAfter: Option.some(text) }) })
      yield* TestClock.setTime(Date.UTC(2030, 0, 1))
      const date = yield* retryAfter("Tue, 01 Jan 2030 00:01:00 GMT")
      deepStrictEqual(date.retryAfter, Option.some(60))
      deepStrictEqual((yield* retryAfter("120")).retryAfter, Option.some(120))
      deepStrictEqual((yield* retryAfter("later")).retryAfter, Option.none())
    })
  )

  it.effect("dials addresses that the operator permits", () =>
    Effect.gen(function* () {
      const url = "https://receiver/"
      const resolve = Effect.succeed(["10.0.0.1"])
      const refused = yield* attempt({ request: { url }, resolve })
      assert.strictEqual(refused.outcome, "blocked destination")
      const permitted = yield* attempt({ request: { url }, resolve, allow: ["receiver"] })
      deepStrictEqual([permitted.dialled, permitted.outcome], [["10.0.0.1"], 204])
    })
  )
})
