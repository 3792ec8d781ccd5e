import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as LastReportCache from "../../src/environment/LastReportCache.js"
import * as ReportContent from "../../src/environment/ReportContent.js"
import { EnvironmentName, OrgId } from "../../src/shared/Identifier.js"

const org = OrgId.make("acme")
const keyOf = (name: string, of = org) => ({ org: of, name: EnvironmentName.make(name) })

const EMPTY = '{"artifacts":[]}'

/** A report whose text has so many characters. */
const accepted = (length: number, rowsDigest = ""): LastReportCache.LastReport => ({
  kind: "server",
  mark: { bodyDigest: "", rowsDigest },
  includeScaling: false,
  report: Option.flatMap(ReportContent.fromText("server", EMPTY.padEnd(length)), (content) =>
    content.known(content.rows())
  )
})

const bare = { ...accepted(EMPTY.length), report: Option.none() }

describe("LastReportCache", () => {
  it("finds what was kept last for an environment of an org, until it is forgotten", () => {
    const memory = LastReportCache.make()
    assert.strictEqual(memory.find(keyOf("prod")), undefined)
    memory.keep(keyOf("prod"), accepted(100, "1"))
    memory.keep(keyOf("prod"), accepted(100, "2"))
    memory.keep(keyOf("test"), accepted(100, "3"))
    assert.strictEqual(memory.find(keyOf("prod"))?.mark.rowsDigest, "2")
    assert.strictEqual(memory.find(keyOf("test"))?.mark.rowsDigest, "3")
    assert.strictEqual(memory.find(keyOf("prod", OrgId.make("another"))), undefined)
    memory.forget(keyOf("prod"))
    memory.forget(keyOf("nothing"))
    assert.strictEqual(memory.find(keyOf("prod")), undefined)
    assert.strictEqual(memory.find(keyOf("test"))?.mark.rowsDigest, "3")
  })

  it("forgets what was kept longest ago when its texts together are too long", () => {
    const memory = LastReportCache.make(3_000)
    const isKnown = (...names: ReadonlyArray<string>) =>
      names.map((name) => memory.find(keyOf(name)) !== undefined)
    memory.keep(keyOf("a"), accepted(1_000))
    memory.keep(keyOf("b"), accepted(1_000))
    assert.deepStrictEqual(isKnown("a", "b"), [true, true])
    memory.keep(keyOf("a"), accepted(1_000))
    memory.keep(keyOf("c"), bare)
    assert.deepStrictEqual(isKnown("a", "b", "c"), [true, false, true])
    memory.keep(keyOf("d"), accepted(2_501))
    assert.deepStrictEqual(isKnown("a", "b", "c", "d"), [false, false, false, false])
    memory.keep(keyOf("d"), accepted(2_500))
    assert.deepStrictEqual(isKnown("d"), [true])
  })
})
