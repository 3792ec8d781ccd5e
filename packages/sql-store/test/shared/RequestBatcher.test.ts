/** Reads of one turn are batched, each gets its own result, and no result is older than its request. */
import { OrgId } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import * as RequestBatcher from "../../src/internal/shared/RequestBatcher.js"

const [one, two] = [OrgId.make("one"), OrgId.make("two")]

/** Keys that begin with an x have no value. */
const recording = () => {
  const sent: Array<readonly [string, ReadonlyArray<string>]> = []
  const ask = RequestBatcher.make<string, string>((org, keys) =>
    Effect.sync(() => {
      sent.push([org, keys])
      const known = keys.filter((key) => !key.startsWith("x"))
      return new Map(known.map((key) => [key, `${org} ${key}`]))
    })
  )
  return { sent, ask }
}

describe("RequestBatcher", () => {
  it.effect("reads once for each org, and once for each key", () =>
    Effect.gen(function* () {
      const { sent, ask } = recording()
      const about = yield* ask
      const answers = yield* Effect.all(
        [about(one, "a"), about(two, "a"), about(one, "b"), about(one, "a"), about(one, "x")],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(Option.getOrNull), [
        "one a",
        "two a",
        "one b",
        "one a",
        null
      ])
      assert.deepStrictEqual(sent, [
        ["one", ["a", "b", "x"]],
        ["two", ["a"]]
      ])
    })
  )

  it.effect("never adds a key to a read that has begun", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      let count = 0
      const about = yield* RequestBatcher.make<number, never>((_, keys) =>
        Effect.gen(function* () {
          const mine = ++count
          yield* Deferred.succeed(arrived, undefined)
          if (mine === 1) yield* Deferred.await(released)
          return new Map(keys.map((key) => [key, mine]))
        })
      )
      const first = yield* Effect.fork(about(one, "a"))
      yield* Deferred.await(arrived)
      assert.deepStrictEqual(Option.getOrNull(yield* about(one, "a")), 2)
      yield* Deferred.succeed(released, undefined)
      assert.deepStrictEqual(Option.getOrNull(yield* Fiber.join(first)), 1)
    })
  )

  it.effect("fails all requests of a batch, and none after it", () =>
    Effect.gen(function* () {
      let broken = true
      const about = yield* RequestBatcher.make((_, keys) =>
        broken ? Effect.fail("away") : Effect.succeed(new Map(keys.map((key) => [key, key])))
      )
      const both = [about(one, "a"), about(one, "b")].map(Effect.flip)
      assert.deepStrictEqual(yield* Effect.all(both, { concurrency: 2 }), ["away", "away"])
      broken = false
      assert.deepStrictEqual(Option.getOrNull(yield* about(one, "a")), "a")
    })
  )

  it.effect("answers the other requests when one is interrupted", () =>
    Effect.gen(function* () {
      const { ask } = recording()
      const about = yield* ask
      const gone = yield* Effect.fork(about(one, "a"))
      const stays = yield* Effect.fork(about(one, "a"))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(gone)
      assert.deepStrictEqual(Option.getOrNull(yield* Fiber.join(stays)), "one a")
    })
  )
})
