/** When calls are repeated, how often, and after which wait. */
import * as HttpError from "@attestry/api/HttpError"
import { FlowName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Redacted, TestClock } from "effect"
import * as Client from "../src/Client.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL, org } from "./shared/TestDeployment.js"

const payload = { name: FlowName.make("shop"), description: "the shop" }

const OK = StubFetch.json(200, "OK")
const unavailable = StubFetch.json(503, { message: "later" })
const limited = (retryAfter: string) =>
  StubFetch.json(429, { message: "too many" }, { "retry-after": retryAfter })
const refused = new TypeError("fetch failed")

const STEP_MS = 50

const turn = Effect.promise(() => new Promise((resume) => setImmediate(resume)))

/** Lets the test's clock run until the work is done; stubs answer within one turn of the event loop. */
const runThrough = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(work)
    for (;;) {
      yield* turn
      if (fiber.unsafePoll() !== null) return yield* Fiber.await(fiber)
      yield* TestClock.adjust(STEP_MS)
    }
  })

/** Puts a flow while the script answers: how it ended, and when each attempt was made. */
const play = (
  script: ReadonlyArray<StubFetch.Scripted>,
  options: Partial<Client.ClientOptions> = {}
) =>
  Effect.gen(function* () {
    const clock = yield* Clock.clockWith(Effect.succeed)
    const stub = StubFetch.make(script)
    const times: Array<number> = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      times.push(clock.unsafeCurrentTimeMillis())
      return stub.fetch(input, init)
    }
    const client = yield* Client.make({
      baseUrl: BASE_URL,
      apiKey: Redacted.make("key"),
      ...options
    }).pipe(Effect.provide(TestDeployment.layerFetch(fetch)))
    const exit = yield* runThrough(client.flow.put({ path: { org }, payload }))
    const bodies = yield* Effect.promise(() =>
      Promise.all(stub.requests.map((request) => request.text()))
    )
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    return { exit, waits, attempts: times.length, bodies }
  })

const failureOf = <A, E>(exit: Exit.Exit<A, E>): E =>
  Exit.match(exit, {
    onSuccess: () => assert.fail("it succeeded"),
    onFailure: (cause) => (cause._tag === "Fail" ? cause.error : assert.fail(String(cause)))
  })

describe("repetition", () => {
  it.effect("follows 503, 429 and a connection that fails, with the same body", () =>
    Effect.gen(function* () {
      const { exit, bodies } = yield* play([unavailable, limited("0"), refused, OK])
      assert.deepStrictEqual(exit, Exit.succeed("OK" as const))
      assert.deepStrictEqual(
        bodies,
        Array.from({ length: 4 }, () => JSON.stringify(payload))
      )
    })
  )

  it.effect("follows a connection that breaks while the answer arrives", () =>
    Effect.gen(function* () {
      const broken = new ReadableStream({
        start: (controller) => controller.error(new Error("socket hang up"))
      })
      const { exit, attempts } = yield* play([new Response(broken, { status: 200 }), OK])
      assert.deepStrictEqual([exit, attempts], [Exit.succeed("OK" as const), 2])
    })
  )

  it.effect("goes through to the real handlers", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const stub = StubFetch.make([unavailable, refused, "real"], fetch)
      const client = yield* Client.make({
        baseUrl: BASE_URL,
        apiKey: adminKey,
        retry: { delayFirst: 0 }
      }).pipe(Effect.provide(TestDeployment.layerFetch(stub.fetch)))
      assert.strictEqual(yield* client.flow.put({ path: { org }, payload }), "OK")
      assert.strictEqual(stub.requests.length, 3)
    })
  )

  it.effect("backs off longer each time, within the jitter", () =>
    Effect.gen(function* () {
      const { waits } = yield* play([unavailable], {
        retry: { retriesMax: 4, delayFirst: 1000, delayMax: 4000 }
      })
      const limits = [1000, 2000, 4000, 4000]
      assert.strictEqual(waits.length, limits.length)
      limits.forEach((limit, index) => {
        assert.isAtLeast(waits[index] ?? 0, limit / 2)
        assert.isAtMost(waits[index] ?? 0, limit + STEP_MS)
      })
    })
  )

  it.effect("waits at least as long as Retry-After asks", () =>
    Effect.gen(function* () {
      const inSeconds = yield* play([limited("3"), OK])
      assert.isTrue(Exit.isSuccess(inSeconds.exit))
      assert.isAtLeast(inSeconds.waits[0] ?? 0, 3000)
      assert.isAtMost(inSeconds.waits[0] ?? 0, 3250 + STEP_MS)
    })
  )

  it.effect("does not wait for longer than delayMax", () =>
    Effect.gen(function* () {
      const { exit, attempts } = yield* play([limited("31"), OK])
      assert.deepInclude(failureOf(exit), { _tag: "TooManyRequests", message: "too many" })
      assert.strictEqual(attempts, 1)
    })
  )

  it.effect("ends with what the last attempt said", () =>
    Effect.gen(function* () {
      const retry = { retriesMax: 2, delayFirst: 1 }
      const store = yield* play([unavailable], { retry })
      const connection = yield* play([unavailable, refused], { retry })
      const never = yield* play([unavailable], { retry: { retriesMax: 0 } })
      assert.deepStrictEqual(failureOf(store.exit), new HttpError.Unavailable({ message: "later" }))
      assert.deepInclude(failureOf(connection.exit), { _tag: "ClientError", reason: "Connection" })
      assert.deepStrictEqual([store.attempts, connection.attempts, never.attempts], [3, 3, 1])
    })
  )

  it.effect("is not for refusals, nor for answers that nobody understands", () =>
    Effect.gen(function* () {
      const message = "no"
      for (const answer of [
        StubFetch.json(400, { message, errors: { name: "is taken" } }),
        StubFetch.json(401, { message }),
        StubFetch.json(403, { message }),
        StubFetch.json(404, { message }),
        StubFetch.json(413, { message }),
        StubFetch.json(500, { message }),
        StubFetch.json(200, "what")
      ]) {
        const { exit, attempts } = yield* play([answer, OK])
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(attempts, 1)
      }
    })
  )

  it.effect("gives each attempt its own time", () =>
    Effect.gen(function* () {
      const { exit, attempts, waits } = yield* play(["never"], {
        timeout: "2 seconds",
        retry: { retriesMax: 1, delayFirst: 0 }
      })
      const failure = failureOf(exit)
      assert.deepInclude(failure, { _tag: "ClientError", reason: "Timeout", status: null })
      assert.strictEqual(failure.message, "`flow.put` failed: no answer within 2s")
      assert.strictEqual(attempts, 2)
      assert.isAtLeast(waits[0] ?? 0, 2000)
    })
  )
})
