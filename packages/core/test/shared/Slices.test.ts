/** Long computations of several orgs take turns. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Slices from "../../src/shared/Slices.js"

/** A computation whose steps take longer than a slice. */
function* steps(count: number, done: () => void): Generator<void, void> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 4
    while (performance.now() < end);
    done()
    yield
  }
}

describe("Slices", () => {
  it.live("lets an org with one computation have every second turn beside one with many", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const compute = (org: string) =>
        Slices.countedFor(org)(Slices.run(() => steps(8, () => order.push(org))))
      const noisy = Array.from({ length: 10 }, () => compute("noisy"))
      yield* Effect.all([...noisy, compute("quiet")], { concurrency: "unbounded" })
      const begun = order.indexOf("quiet")
      const between = order.slice(begun, order.lastIndexOf("quiet"))
      assert.strictEqual(order.filter((org) => org === "quiet").length, 8)
      assert.isAtMost(between.filter((org) => org === "noisy").length, 9)
    })
  )

  it.live("goes on with others where one that waits is interrupted", () =>
    Effect.gen(function* () {
      let done = 0
      const count = () => {
        done += 1
      }
      const first = yield* Effect.fork(Slices.run(() => steps(1_000, () => undefined)))
      const second = yield* Effect.fork(Slices.run(() => steps(5, count)))
      yield* Effect.sleep(10)
      yield* Fiber.interrupt(first)
      yield* Fiber.await(second)
      assert.strictEqual(done, 5)
    })
  )
})
