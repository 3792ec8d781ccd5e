/** Requests with an idempotency key run once. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { Idempotency, type Retention } from "../../src/idempotency/Idempotency.js"
import { IdempotencyStore } from "../../src/idempotency/IdempotencyStore.js"
import * as IdempotentRequest from "../../src/idempotency/IdempotentRequest.js"
import * as Fixture from "../../testing/Fixture.js"
import * as SecretsWebCrypto from "../../webcrypto/SecretsWebCrypto.js"

/** A store of one request, which notes its calls. */
const storeOf = (seen: Array<string>) => {
  let known: Option.Option<IdempotentRequest.StoredRequest> = Option.none()
  return Layer.succeed(IdempotencyStore, {
    claim: ({ content }) =>
      Effect.sync(() => {
        const before = known
        if (Option.isNone(before)) known = Option.some({ content, outcome: { _tag: "Running" } })
        return before
      }),
    complete: (_, { response }) =>
      Effect.sync(() => {
        seen.push(Option.isSome(response) ? "answer" : "fact")
        known = Option.map(known, ({ content }) => ({
          content,
          outcome: Option.match(response, {
            onNone: () => ({ _tag: "Withheld" as const }),
            onSome: (kept) => ({ _tag: "Answered" as const, response: kept })
          })
        }))
        return true
      }),
    release: () =>
      Effect.sync(() => {
        seen.push("release")
        known = Option.none()
      })
  })
}

const servicesOf = (seen: Array<string>) =>
  Idempotency.Default.pipe(Layer.provide([storeOf(seen), SecretsWebCrypto.layer]))

const request = Effect.map(Fixture.newOrg, (org) => ({
  actor: Fixture.actor([org, "reader"]),
  org: org.name,
  key: IdempotentRequest.IdempotencyKey.make("k"),
  route: "PUT /flows/acme",
  content: { name: "f" }
}))

const answer = (text: string): Retention => ({
  _tag: "Response",
  response: { code: 200, mediaType: "text/plain", text, entries: null }
})

describe("Idempotency", () => {
  it.effect("stores a response up to its limit, and beyond it only the completion", () =>
    Effect.gen(function* () {
      for (const [length, kept] of [
        [IdempotentRequest.TEXT_LENGTH_MAX, "answer"],
        [IdempotentRequest.TEXT_LENGTH_MAX + 1, "fact"]
      ] as const) {
        const seen: Array<string> = []
        yield* Effect.gen(function* () {
          const { once } = yield* Idempotency
          const asked = yield* request
          const work = Effect.succeed({ value: 1, retention: answer("x".repeat(length)) })
          assert.deepStrictEqual(yield* once(asked, work), { _tag: "Done", value: 1 })
          const again = yield* Effect.either(once(asked, Effect.dieMessage("twice")))
          assert.strictEqual(again._tag, kept === "answer" ? "Right" : "Left")
        }).pipe(Effect.provide(servicesOf(seen)))
        assert.deepStrictEqual(seen, [kept])
      }
    })
  )

  it.effect(
    "releases the claim when the work fails, dies, is not to be stored or is interrupted",
    () =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        yield* Effect.gen(function* () {
          const { once } = yield* Idempotency
          const asked = yield* request
          const passing = Effect.succeed({ value: 1, retention: { _tag: "Nothing" } as const })
          assert.deepStrictEqual(yield* once(asked, passing), { _tag: "Done", value: 1 })
          assert.strictEqual(yield* Effect.flip(once(asked, Effect.fail("no"))), "no")
          const broken = yield* Effect.exit(once(asked, Effect.dieMessage("bug")))
          assert.isTrue(Exit.isFailure(broken))
          const begun = yield* Deferred.make<void>()
          const slow = yield* Effect.fork(
            once(asked, Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
          )
          yield* Deferred.await(begun)
          const rival = yield* Effect.flip(once(asked, passing))
          assert.strictEqual(rival._tag, "RequestUnderWay")
          yield* Fiber.interrupt(slow)
        }).pipe(Effect.provide(servicesOf(seen)))
        assert.deepStrictEqual(seen, ["release", "release", "release", "release"])
      })
  )

  it.effect("interrupts work before its claim expires, so that it never runs twice at once", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      yield* Effect.gen(function* () {
        const { once } = yield* Idempotency
        const begun = yield* Deferred.make<void>()
        const asked = yield* request
        const slow = yield* Effect.fork(
          once(asked, Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
        )
        yield* Deferred.await(begun)
        yield* TestClock.adjust(`${IdempotentRequest.RUN_SECONDS_MAX} seconds`)
        assert.strictEqual((yield* Effect.flip(Fiber.join(slow)))._tag, "StoreError")
      }).pipe(Effect.provide(servicesOf(seen)))
      assert.deepStrictEqual(seen, ["release"])
    })
  )
})
