import { assert, describe, it } from "@effect/vitest"
import * as LastReportCache from "../../src/report/internal/LastReportCache.js"
import type { ReportBaseline } from "../../src/report/internal/ReportBaseline.js"
import { EnvironmentName, OrgId } from "../../src/shared/Identifier.js"

const org = OrgId.make("acme")
const keyOf = (name: string, of = org) => ({ org: of, name: EnvironmentName.make(name) })

/** A report whose text has so many characters. */
const reportOf = (length: number): ReportBaseline => ({
  kind: "server",
  items: { text: "x".repeat(length), places: [] },
  rows: [],
  index: [],
  lines: undefined
})

describe("LastReportCache", () => {
  it("finds the report that was written last for an environment of an org", () => {
    const cache = LastReportCache.make()
    assert.strictEqual(cache.find(keyOf("prod")), undefined)
    cache.keep(keyOf("prod"), reportOf(1))
    cache.keep(keyOf("prod"), reportOf(2))
    cache.keep(keyOf("test"), reportOf(3))
    assert.strictEqual(cache.find(keyOf("prod"))?.items.text.length, 2)
    assert.strictEqual(cache.find(keyOf("test"))?.items.text.length, 3)
    assert.strictEqual(cache.find(keyOf("prod", OrgId.make("another"))), undefined)
  })

  it("removes the reports that were written longest ago when the texts are too long", () => {
    const cache = LastReportCache.make(3_000)
    const isKnown = (...names: ReadonlyArray<string>) =>
      names.map((name) => cache.find(keyOf(name)) !== undefined)
    cache.keep(keyOf("a"), reportOf(1_000))
    cache.keep(keyOf("b"), reportOf(1_000))
    assert.deepStrictEqual(isKnown("a", "b"), [true, true])
    cache.keep(keyOf("a"), reportOf(1_000))
    cache.keep(keyOf("c"), reportOf(16))
    assert.deepStrictEqual(isKnown("a", "b", "c"), [true, false, true])
    cache.keep(keyOf("d"), reportOf(2_501))
    assert.deepStrictEqual(isKnown("a", "b", "c", "d"), [false, false, false, false])
    cache.keep(keyOf("d"), reportOf(2_500))
    assert.deepStrictEqual(isKnown("d"), [true])
  })
})
