/** Orgs take turns in the queue of rules. */
import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { FairQueue } from "../src/internal/FairQueue.js"

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
