/** A number that is called visible is never committed later, in any order of draws, ends and polls. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as VisibilityWatermark from "../../src/log/VisibilityWatermark.js"

/**
 * What happens, one after another: a transaction draws a number or ends, one of two steps of a look, or a crash, which
 * ends all transactions and sets the last number back to one that was committed.
 */
const steps = FastCheck.array(
  FastCheck.record({
    what: FastCheck.constantFrom("draw", "draw", "end", "last", "holders", "crash"),
    who: FastCheck.nat(5)
  }),
  { maxLength: 120 }
)

const RUN = { run: "a" }

describe("VisibilityWatermark", () => {
  it.prop(
    "LOG-28: never settles a number that a running transaction has drawn",
    { steps },
    (given) => {
      const running = new Map<string, Array<number>>()
      /** How many transactions each session has ended: a transaction's name is used once. */
      const ended = new Map<number, number>()
      let known = VisibilityWatermark.NONE
      let last = 0
      let written = 0
      let run = 0
      let seen: number | undefined
      for (const { what, who } of given.steps) {
        const name = `${who}/${ended.get(who) ?? 0}`
        if (what === "draw") {
          last += 1
          running.set(name, [...(running.get(name) ?? []), last])
        } else if (what === "crash") {
          running.clear()
          for (let each = 0; each <= 5; each++) ended.delete(each)
          last = written
          run += 1
          seen = undefined
        } else if (what === "end") {
          // Half of the transactions commit, and what was drawn until then is written.
          if (who % 2 === 0 && running.has(name)) written = last
          running.delete(name)
          ended.set(who, (ended.get(who) ?? 0) + 1)
        } else if (what === "last") {
          seen = last
        } else if (seen !== undefined) {
          const before = known
          const look = { last: seen, holders: [...running.keys()], run: `run ${run}` }
          known = VisibilityWatermark.advance(known, look)
          seen = undefined
          if (before.run === look.run) assert.isAtLeast(known.visible, before.visible)
          for (const number of [...running.values()].flat()) assert.isAbove(number, known.visible)
        }
      }
    }
  )

  it("makes everything visible up to the last poll once its transactions have ended", () => {
    const first = VisibilityWatermark.advance(VisibilityWatermark.NONE, {
      ...RUN,
      last: 5,
      holders: ["1/1"]
    })
    assert.strictEqual(first.visible, 0)
    const second = VisibilityWatermark.advance(first, { ...RUN, last: 9, holders: ["2/1"] })
    assert.strictEqual(second.visible, 5)
    const third = VisibilityWatermark.advance(second, { ...RUN, last: 9, holders: [] })
    assert.deepStrictEqual(third, { ...RUN, visible: 9, polls: [] })
  })

  it("forgets what it knew of another run of the database", () => {
    const before = VisibilityWatermark.advance(VisibilityWatermark.NONE, {
      ...RUN,
      last: 9,
      holders: []
    })
    const after = VisibilityWatermark.advance(before, { run: "b", last: 9, holders: ["1/1"] })
    assert.strictEqual(after.visible, 0)
    assert.strictEqual(
      VisibilityWatermark.advance(after, { run: "b", last: 9, holders: [] }).visible,
      9
    )
  })

  it("remembers a bounded number of polls while a transaction hangs", () => {
    let known = VisibilityWatermark.NONE
    for (let last = 1; last <= 1_000; last++) {
      known = VisibilityWatermark.advance(known, { ...RUN, last, holders: ["1/1"] })
    }
    assert.isAtMost(known.polls.length, 256)
    const ended = { ...RUN, last: 1_001, holders: [] }
    assert.strictEqual(VisibilityWatermark.advance(known, ended).visible, 1_001)
  })
})
