/** The instants of `--as-of`, in every form that people write. */
import { assert, describe, it } from "vitest"
import * as AsOf from "../../src/history/AsOf.js"
import { Arguments } from "../../src/shared/Arguments.js"

const host = { now: () => 1_794_650_400_500 }
const asked = (text: string) =>
  AsOf.query(host, new Arguments(new Map([["as-of", [text]]]), [])).as_of

describe("--as-of", () => {
  it("takes now, moments, lengths of time, dates and epoch seconds", () => {
    for (const text of ["now", "@{2.days.ago}", "@{2026-02-20T12:00:00}"])
      assert.strictEqual(asked(text), text)
    assert.strictEqual(asked("1d"), "1794564000.5")
    assert.strictEqual(asked("1794650400"), "1794650400")
    assert.strictEqual(asked("1794650400.25"), "1794650400.25")
    assert.strictEqual(asked("2026-11-14T10:00:00Z"), "1794650400")
    assert.strictEqual(asked("2026-11-14"), "1794614400")
    assert.deepStrictEqual(AsOf.query(host, new Arguments(new Map(), [])), {})
  })

  it("names what it expects for anything else", () => {
    for (const text of ["soon", "12", "2026-99-99", "@{", "Now"])
      assert.throws(() => asked(text), /--as-of expects now/, text)
  })
})
