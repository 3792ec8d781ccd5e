/** One lookup serves all callers that asked before it began, and none that asked after. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as SharedLookup from "../src/internal/SharedLookup.js"

/** Lookups that end when the test says so; each gives its number. */
const manual = () => {
  const ends: Array<Effect.Effect<unknown>> = []
  const lookUp = (key: string): Effect.Effect<string> =>
    Effect.gen(function* () {
      const value = yield* Deferred.make<string>()
      ends.push(Deferred.succeed(value, `${key}${ends.length + 1}`))
      return yield* Deferred.await(value)
    })
  return { ends, ask: SharedLookup.make(lookUp, (key) => key) }
}

/** Lets every other fiber run until it waits. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("SharedLookup", () => {
  it.effect("shares one lookup among callers that ask before it begins", () =>
    Effect.gen(function* () {
      const { ask, ends } = manual()
      const callers = yield* Effect.fork(
        Effect.all(Effect.replicate(ask("a"), 4), { concurrency: "unbounded" })
      )
      yield* settle
      assert.strictEqual(ends.length, 1)
      yield* Effect.all(ends)
      assert.deepStrictEqual(yield* Fiber.join(callers), ["a1", "a1", "a1", "a1"])
    })
  )

  it.effect("begins another lookup for callers that ask while one runs", () =>
    Effect.gen(function* () {
      const { ask, ends } = manual()
      const first = yield* Effect.fork(ask("a"))
      yield* settle
      const later = yield* Effect.fork(
        Effect.all([ask("a"), ask("a")], { concurrency: "unbounded" })
      )
      yield* settle
      assert.strictEqual(ends.length, 2)
      yield* Effect.all(ends)
      assert.strictEqual(yield* Fiber.join(first), "a1")
      assert.deepStrictEqual(yield* Fiber.join(later), ["a2", "a2"])
    })
  )

  it.effect("looks up again after the end, and separately for each key", () =>
    Effect.gen(function* () {
      const { ask, ends } = manual()
      const callers = yield* Effect.fork(
        Effect.all([ask("a"), ask("b")], { concurrency: "unbounded" })
      )
      yield* settle
      yield* Effect.all(ends)
      assert.deepStrictEqual(yield* Fiber.join(callers), ["a1", "b2"])
      const again = yield* Effect.fork(ask("a"))
      yield* settle
      yield* Effect.all(ends)
      assert.strictEqual(yield* Fiber.join(again), "a3")
    })
  )

  it.effect("keeps the lookup for other callers when one is interrupted", () =>
    Effect.gen(function* () {
      const { ask, ends } = manual()
      const first = yield* Effect.fork(ask("a"))
      const second = yield* Effect.fork(ask("a"))
      yield* settle
      yield* Fiber.interrupt(first)
      yield* Effect.all(ends)
      assert.strictEqual(yield* Fiber.join(second), "a1")
    })
  )
})
