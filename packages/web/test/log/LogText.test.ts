/** The state of a log in words. */
import { assert, describe, it } from "vitest"
import * as LogText from "../../app/log/LogText.js"

describe("LogText", () => {
  it("has words for every state", () => {
    for (const [state, verdict] of [
      ["current", "compliant"],
      ["catching_up", "unknown"],
      ["unsigned", "unknown"],
      ["stopped", "non-compliant"]
    ] as const)
      assert.strictEqual(LogText.stateText(state)[0], verdict)
  })

  it("says what notices a rollback", () => {
    assert.include(LogText.rollbackText("none"), "would not be noticed")
    assert.strictEqual(LogText.rollbackText("witness"), "are noticed by witnesses")
    assert.include(LogText.rollbackText("both"), "a file outside of the database and by witnesses")
    assert.notInclude(LogText.rollbackText("state_file"), "witnesses")
  })

  it("pages through entries from the newest to the first", () => {
    const pages = (size: number, before?: string) => LogText.entryPage(size, before)
    assert.deepStrictEqual(pages(0), { first: 0, count: 0, isNewest: true })
    assert.deepStrictEqual(pages(52), { first: 32, count: 20, isNewest: true })
    assert.deepStrictEqual(pages(52, "32"), { first: 12, count: 20, isNewest: false })
    assert.deepStrictEqual(pages(52, "12"), { first: 0, count: 12, isNewest: false })
    for (const odd of ["x", "-1", "0", "999"]) assert.isTrue(pages(52, odd).isNewest, odd)
  })

  it("says who can read it", () => {
    assert.match(LogText.visibilityText("public"), /^Public: anyone/)
    assert.match(LogText.visibilityText("members"), /^Private: members/)
  })

  it("says what the last verification found", () => {
    const scrub = { through: 1_200, finished_at: 1, findings: 0 }
    const told = (more: object = {}, size = 1_200) => LogText.scrubText({ ...scrub, ...more }, size)
    assert.deepStrictEqual(told(), ["compliant", "1,200 entries, nothing found"])
    const since = "1,200 entries, nothing found, 2,085 entries since"
    assert.deepStrictEqual(told({}, 3_285), ["compliant", since])
    assert.deepStrictEqual(told({ through: null }), ["unknown", "not yet"])
    const epochs = [2, 3].map((size) => ({ epoch: size, origin: "o", size, ended_at: null }))
    assert.strictEqual(LogText.sizeOf({ epochs }), 5)
    const [verdict, text] = told({ findings: 1 })
    assert.strictEqual(verdict, "non-compliant")
    assert.include(text, "1 finding: ")
    assert.include(told({ findings: 2_000 })[1], "2,000 findings")
  })
})
