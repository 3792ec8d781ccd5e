/** A number that is called settled is never committed later, in any order of draws, ends and looks. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SettledNumbers from "../../src/log/SettledNumbers.js"

/** What happens, one after another: a transaction draws a number or ends, or one of two steps of a look. */
const steps = FastCheck.array(
  FastCheck.record({
    what: FastCheck.constantFrom("draw", "draw", "end", "last", "holders"),
    who: FastCheck.nat(5)
  }),
  { maxLength: 120 }
)

describe("SettledNumbers", () => {
  it.prop(
    "L-28: never settles a number that a running transaction has drawn",
    { steps },
    (given) => {
      const running = new Map<string, Array<number>>()
      /** How many transactions each session has ended: a transaction's name is used once. */
      const ended = new Map<number, number>()
      let known = SettledNumbers.NONE
      let last = 0
      let seen: number | undefined
      for (const { what, who } of given.steps) {
        const name = `${who}/${ended.get(who) ?? 0}`
        if (what === "draw") {
          last += 1
          running.set(name, [...(running.get(name) ?? []), last])
        } else if (what === "end") {
          running.delete(name)
          ended.set(who, (ended.get(who) ?? 0) + 1)
        } else if (what === "last") {
          seen = last
        } else if (seen !== undefined) {
          const before = known.settled
          known = SettledNumbers.look(known, { last: seen, holders: [...running.keys()] })
          seen = undefined
          assert.isAtLeast(known.settled, before)
          for (const number of [...running.values()].flat()) assert.isAbove(number, known.settled)
        }
      }
    }
  )

  it("settles everything up to the last look once its transactions have ended", () => {
    const first = SettledNumbers.look(SettledNumbers.NONE, { last: 5, holders: ["1/1"] })
    assert.strictEqual(first.settled, 0)
    const second = SettledNumbers.look(first, { last: 9, holders: ["2/1"] })
    assert.strictEqual(second.settled, 5)
    const third = SettledNumbers.look(second, { last: 9, holders: [] })
    assert.deepStrictEqual(third, { settled: 9, looks: [] })
  })

  it("remembers a bounded number of looks while a transaction hangs", () => {
    let known = SettledNumbers.NONE
    for (let last = 1; last <= 1_000; last++) {
      known = SettledNumbers.look(known, { last, holders: ["1/1"] })
    }
    assert.isAtMost(known.looks.length, 256)
    assert.strictEqual(SettledNumbers.look(known, { last: 1_001, holders: [] }).settled, 1_001)
  })
})
