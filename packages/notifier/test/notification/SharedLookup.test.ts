/** One lookup serves all that asked before it began, and none that asked after. */
import { assert, describe, it } from "@effect/vitest"
import { Exit } from "effect"
import * as SharedLookup from "../../src/notification/internal/SharedLookup.js"
import type * as Task from "../../src/outbound/Task.js"

/** Lookups that end when the test says so; each gives its number. */
const manual = () => {
  const ends: Array<() => void> = []
  const lookUp = (key: string): Task.Task<string> => {
    const number = ends.length + 1
    return (done) => {
      ends.push(() => done(Exit.succeed(`${key}${number}`)))
      return () => {}
    }
  }
  return { ends, ask: SharedLookup.make(lookUp) }
}

const into = (told: Array<string>) => (exit: Exit.Exit<string>) =>
  void told.push(Exit.getOrElse(exit, () => "failed"))

describe("SharedLookup", () => {
  it("shares the next lookup among callers that ask during one", () => {
    const { ask, ends } = manual()
    const told: Array<string> = []
    for (let count = 0; count < 4; count++) ask("a")(into(told))
    assert.strictEqual(ends.length, 1)
    ends[0]?.()
    assert.deepStrictEqual(told, ["a1"])
    assert.strictEqual(ends.length, 2)
    ends[1]?.()
    assert.deepStrictEqual(told, ["a1", "a2", "a2", "a2"])
  })

  it("looks up again for a caller that asks after the end, and apart for each key", () => {
    const { ask, ends } = manual()
    const told: Array<string> = []
    ask("a")(into(told))
    ask("b")(into(told))
    for (const end of [...ends]) end()
    ask("a")(into(told))
    ends[2]?.()
    assert.deepStrictEqual(told, ["a1", "b2", "a3"])
  })

  it("tells nothing to a caller that gave up", () => {
    const { ask, ends } = manual()
    const told: Array<string> = []
    ask("a")(into(told))()
    ends[0]?.()
    assert.deepStrictEqual(told, [])
  })
})
