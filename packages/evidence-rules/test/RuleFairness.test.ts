/** One org's slow rules do not delay another org's. */
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import * as fc from "effect/FastCheck"
import { describe } from "vitest"
import { FairQueue } from "../src/internal/FairQueue.js"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { acme, globex, judge } from "./shared.js"

/** Steps of a rule that never ends: a deep run gives it all, which take seconds. */
const STEPS =
  PayloadRulesWorker.defaults().steps / (process.env.ATTESTRY_DEEP === undefined ? 10 : 1)

describe("the queue", () => {
  it("lets orgs take turns, keeps the order of each, and gives no org more than its share", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (orgs, share) => {
          const queue = new FairQueue<number>(share, 1_000)
          for (const [item, org] of orgs.entries()) queue.add({ org, item })
          const taken: Array<readonly [string, number]> = []
          const running: Array<string> = []
          while (taken.length < orgs.length) {
            const next = queue.take()
            if (next === undefined) {
              const ended = running.shift()
              assert.isDefined(ended)
              if (ended !== undefined) queue.done(ended)
              continue
            }
            running.push(next.org)
            assert.isAtMost(running.filter((org) => org === next.org).length, share)
            taken.push([next.org, next.item])
          }
          for (const org of ["a", "b", "c"]) {
            const own = taken.filter(([one]) => one === org).map(([, item]) => item)
            assert.deepStrictEqual(
              own,
              [...own].sort((left, right) => left - right)
            )
          }
          assert.isUndefined(queue.take())
        }
      )
    )
  })

  it("gives the second org its turn before the second item of the first", () => {
    const queue = new FairQueue<string>(1, 1_000)
    for (const item of ["a1", "a2", "a3"]) queue.add({ org: "a", item })
    queue.add({ org: "b", item: "b1" })
    assert.deepStrictEqual(queue.take(), { org: "a", item: "a1" })
    assert.deepStrictEqual(queue.take(), { org: "b", item: "b1" })
    assert.isUndefined(queue.take())
    queue.done("a")
    assert.deepStrictEqual(queue.take(), { org: "a", item: "a2" })
  })

  it("forgets what is taken back", () => {
    const queue = new FairQueue<string>(1, 1)
    queue.add({ org: "a", item: "a1" })
    assert.isFalse(queue.add({ org: "a", item: "a2" }))
    queue.remove({ org: "a", item: "a1" })
    assert.isTrue(queue.add({ org: "a", item: "a2" }))
    assert.deepStrictEqual(queue.take(), { org: "a", item: "a2" })
  })
})

it.live(
  "an org waits for nothing while another org has four slow rules under way",
  () =>
    Effect.gen(function* () {
      yield* judge(["true"], null, undefined, globex)
      const slow = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.fork(judge(["def f: f; f"], null, undefined, acme))
      )
      yield* Effect.sleep("200 millis")
      const began = yield* Clock.currentTimeMillis
      for (let count = 0; count < 10; count += 1)
        assert.isTrue((yield* judge(["true"], null, undefined, globex)).isCompliant)
      const tookMs = (yield* Clock.currentTimeMillis) - began
      const first = yield* Effect.fromNullable(slow[0])
      const last = yield* Effect.fromNullable(slow[3])
      yield* Fiber.join(first)
      const slowMs = (yield* Clock.currentTimeMillis) - began
      assert.isBelow(tookMs, slowMs, "ten of one org end before the first of the other")
      yield* Fiber.interrupt(last)
    }).pipe(Effect.provide(PayloadRulesWorker.layer({ threads: 2, steps: STEPS }))),
  120_000
)
