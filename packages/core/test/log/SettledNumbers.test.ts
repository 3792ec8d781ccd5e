/** A number that is called settled is never committed later, in any order of draws, ends and looks. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SettledNumbers from "../../src/log/SettledNumbers.js"

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

describe("SettledNumbers", () => {
  it.prop(
    "LOG-28: never settles a number that a running transaction has drawn",
    { steps },
    (given) => {
      const running = new Map<string, Array<number>>()
      /** How many transactions each session has ended: a transaction's name is used once. */
      const ended = new Map<number, number>()
      let known = SettledNumbers.NONE
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
          known = SettledNumbers.look(known, look)
          seen = undefined
          if (before.run === look.run) assert.isAtLeast(known.settled, before.settled)
          for (const number of [...running.values()].flat()) assert.isAbove(number, known.settled)
        }
      }
    }
  )

  it("settles everything up to the last look once its transactions have ended", () => {
    const first = SettledNumbers.look(SettledNumbers.NONE, { ...RUN, last: 5, holders: ["1/1"] })
    assert.strictEqual(first.settled, 0)
    const second = SettledNumbers.look(first, { ...RUN, last: 9, holders: ["2/1"] })
    assert.strictEqual(second.settled, 5)
    const third = SettledNumbers.look(second, { ...RUN, last: 9, holders: [] })
    assert.deepStrictEqual(third, { ...RUN, settled: 9, looks: [] })
  })

  it("forgets what it knew of another run of the database", () => {
    const before = SettledNumbers.look(SettledNumbers.NONE, { ...RUN, last: 9, holders: [] })
    const after = SettledNumbers.look(before, { run: "b", last: 9, holders: ["1/1"] })
    assert.strictEqual(after.settled, 0)
    assert.strictEqual(SettledNumbers.look(after, { run: "b", last: 9, holders: [] }).settled, 9)
  })

  it("remembers a bounded number of looks while a transaction hangs", () => {
    let known = SettledNumbers.NONE
    for (let last = 1; last <= 1_000; last++) {
      known = SettledNumbers.look(known, { ...RUN, last, holders: ["1/1"] })
    }
    assert.isAtMost(known.looks.length, 256)
    const ended = { ...RUN, last: 1_001, holders: [] }
    assert.strictEqual(SettledNumbers.look(known, ended).settled, 1_001)
  })
})
