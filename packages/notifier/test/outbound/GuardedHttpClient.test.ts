/** The order of one attempt: read, resolve once, judge, dial what was judged, within the time. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import * as AddressRange from "../../src/outbound/AddressRange.js"
import * as AllowList from "../../src/outbound/AllowList.js"
import type { DeliveryReason } from "../../src/outbound/DeliveryError.js"
import * as GuardedHttpClient from "../../src/outbound/GuardedHttpClient.js"
import { HostResolver, ResolutionError } from "../../src/outbound/HostResolver.js"
import {
  type Answer,
  type Dial,
  type OutboundTransport,
  TransportFailure
} from "../../src/outbound/OutboundTransport.js"
import * as Task from "../../src/outbound/Task.js"

const request: GuardedHttpClient.PostRequest = {
  tenant: "acme",
  url: "https://hooks.example.com/a?b",
  headers: {},
  body: "{}",
  timeoutMs: 12_000
}

type Sent = Effect.Effect<Answer, TransportFailure>

const answer: Sent = Effect.succeed({ status: 204, retryAfter: Option.none() })
const refuse = (unreached: boolean, reason: DeliveryReason) =>
  Effect.fail(new TransportFailure({ reason, unreached, code: "CODE" }))

const attempt = (options: {
  readonly resolve?: Effect.Effect<ReadonlyArray<string>, ResolutionError>
  readonly send?: (address: string) => Sent
  readonly allow?: ReadonlyArray<string>
  readonly request?: Partial<GuardedHttpClient.PostRequest>
}) =>
  Effect.gen(function* () {
    const run = yield* Task.runner
    const asked: Array<string> = []
    const dialled: Array<Dial> = []
    const resolver = Layer.succeed(HostResolver, {
      resolve: (name) => {
        asked.push(name)
        return run(options.resolve ?? Effect.succeed(["8.8.8.8"]))
      }
    })
    const transport: OutboundTransport = {
      send: (dial) => {
        dialled.push(dial)
        return run(options.send?.(AddressRange.print(dial.address)) ?? answer)
      }
    }
    const allow = Either.getOrThrow(AllowList.parse(options.allow ?? []))
    const client = yield* Effect.provide(GuardedHttpClient.make(transport, allow), resolver)
    const fiber = yield* Effect.fork(Effect.either(client.post({ ...request, ...options.request })))
    yield* TestClock.adjust("1 minute")
    const outcome = yield* Fiber.join(fiber)
    return {
      asked,
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
  it.effect("resolves once and dials the judged address", () =>
    Effect.gen(function* () {
      const { asked, dialled, outcome } = yield* attempt({})
      deepStrictEqual(
        { asked, dialled, outcome },
        {
          asked: ["hooks.example.com"],
          dialled: ["8.8.8.8"],
          outcome: 204
        }
      )
    })
  )

  it.effect("dials an address literal without resolving", () =>
    Effect.gen(function* () {
      const { asked, dialled } = yield* attempt({ request: { url: "https://1.1.1.1/" } })
      deepStrictEqual({ asked, dialled }, { asked: [], dialled: ["1.1.1.1"] })
    })
  )

  it.effect("neither resolves nor dials what the text already forbids", () =>
    Effect.gen(function* () {
      for (const url of ["https://127.0.0.1/", "http://hooks.example.com/", "https://a.local/"]) {
        const { asked, dialled, outcome } = yield* attempt({ request: { url } })
        deepStrictEqual([asked, dialled, outcome], [[], [], "blocked destination"])
      }
    })
  )

  it.effect("dials nothing when one of several answers is not public", () =>
    Effect.gen(function* () {
      for (const answers of [
        ["8.8.8.8", "127.0.0.1"],
        ["::1", "8.8.8.8"],
        ["8.8.8.8", "?"]
      ]) {
        const { dialled, outcome } = yield* attempt({ resolve: Effect.succeed(answers) })
        deepStrictEqual([dialled, outcome], [[], "blocked destination"])
      }
    })
  )

  it.effect("calls an empty or failed answer a matter of resolution", () =>
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

  it.effect("goes on to the next address only when the last one was not reached", () =>
    Effect.gen(function* () {
      const resolve = Effect.succeed(["8.8.8.8", "8.8.4.4", "1.1.1.1"])
      const next = yield* attempt({
        resolve,
        send: (address) => (address === "8.8.8.8" ? refuse(true, "connection") : answer)
      })
      deepStrictEqual(next.dialled, ["8.8.8.8", "8.8.4.4"])
      deepStrictEqual(next.connectTimeoutMs, [4_000, 4_000])
      assert.strictEqual(next.outcome, 204)
      const reached = yield* attempt({ resolve, send: () => refuse(false, "tls") })
      deepStrictEqual([reached.dialled, reached.outcome], [["8.8.8.8"], "tls"])
    })
  )

  it.effect("tries a bounded number of addresses", () =>
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

  it.effect("gives sending what resolution has left of the time", () =>
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

  it.effect("gives the next address what the last one has left of the time", () =>
    Effect.gen(function* () {
      const { outcome, timeoutMs } = yield* attempt({
        resolve: Effect.succeed(["8.8.8.8", "8.8.4.4", "1.1.1.1"]),
        send: () => Effect.zipRight(Effect.sleep("4 seconds"), refuse(true, "connection"))
      })
      deepStrictEqual([timeoutMs, outcome], [[12_000, 8_000, 4_000], "connection"])
    })
  )

  it.effect("reports how long the receiver asks to wait", () =>
    Effect.gen(function* () {
      const wish = (text: string) =>
        attempt({ send: () => Effect.succeed({ status: 503, retryAfter: Option.some(text) }) })
      yield* TestClock.setTime(Date.UTC(2030, 0, 1))
      const date = yield* wish("Tue, 01 Jan 2030 00:01:00 GMT")
      deepStrictEqual(date.retryAfter, Option.some(60))
      deepStrictEqual((yield* wish("120")).retryAfter, Option.some(120))
      deepStrictEqual((yield* wish("later")).retryAfter, Option.none())
    })
  )

  it.effect("dials what the operator permitted", () =>
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
