/** Long computations let the event loop serve others. */
import * as Slices from "@attestry/core/Slices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"

const items = FastCheck.array(FastCheck.integer(), { maxLength: 700 })

/** Keeps the processor busy for so long. */
const spin = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

/** The longest time for which the event loop ran nothing else while an effect ran. */
const longestBlock = <A>(work: Effect.Effect<A>) =>
  Effect.promise(async () => {
    let last = performance.now()
    let longest = 0
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    await Effect.runPromise(work)
    longest = Math.max(longest, performance.now() - last)
    clearInterval(timer)
    return longest
  })

describe("Slices", () => {
  it.effect.prop("maps as arrays do", { items }, ({ items }) =>
    Effect.gen(function* () {
      const replaced = yield* Slices.map(items, (item, index) => item * 2 + index)
      assert.deepStrictEqual(
        replaced,
        items.map((item, index) => item * 2 + index)
      )
    })
  )

  it.prop(
    "sorts as arrays do, equal items in their order",
    { items, atOnce: FastCheck.integer({ min: 1, max: 50 }) },
    ({ items, atOnce }) => {
      const marked = items.map((item, place) => ({ rank: item % 7, place }))
      const byRank = (left: { rank: number }, right: { rank: number }) => left.rank - right.rank
      assert.deepStrictEqual(
        Slices.runSync(Slices.sort(marked, byRank, atOnce)),
        [...marked].sort(byRank)
      )
    }
  )

  it.effect.prop("makes lists of lists in order", { items }, ({ items }) =>
    Effect.gen(function* () {
      const made = yield* Slices.flatMap(items, (some) =>
        Effect.succeed(some.flatMap((item) => [item, -item]))
      )
      assert.deepStrictEqual(
        made,
        items.flatMap((item) => [item, -item])
      )
    })
  )

  it.effect("ends with the first failure", () =>
    Effect.gen(function* () {
      let calls = 0
      const failed = yield* Effect.either(
        Slices.flatMap(Array.from({ length: 1_000 }), () => {
          calls += 1
          return calls === 2 ? Effect.fail("no") : Effect.succeed([1])
        })
      )
      assert.deepStrictEqual([failed, calls], [Either.left("no"), 2])
    })
  )

  it.live("lets the event loop run between slices, and one slice in each turn", () =>
    Effect.gen(function* () {
      const work = Slices.map(Array.from({ length: 320 }), () => spin(0.5))
      const alone = yield* longestBlock(work)
      const twelve = yield* longestBlock(
        Effect.all(
          Array.from({ length: 12 }, () => work),
          { concurrency: "unbounded" }
        )
      )
      assert.isBelow(alone, 100)
      // WHY twelve first slices: each computation begins with the request that it belongs to.
      assert.isBelow(twelve, 12 * 20 + 200)
    })
  )
})
