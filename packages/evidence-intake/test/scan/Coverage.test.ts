/** Coverage: the summary of istanbul, Cobertura, JaCoCo, Clover and LCOV. */
import { assert, describe, it } from "@effect/vitest"
import { type Either, FastCheck } from "effect"
import type { EvidenceProblem } from "../../src/EvidenceProblem.js"
import type { ReadContent } from "../../src/internal/ReadContent.js"
import { MEASURED_MAX } from "../../src/internal/scan/CoverageContent.js"
import * as ScanFormats from "../../src/internal/scan/ScanFormats.js"
import { xml } from "../shared/SmallXml.js"
import * as Reading from "./Reading.js"

type Result = Either.Either<ReadContent, EvidenceProblem>

const readXml = (source: string): Result => {
  const root = xml(source)
  const format = ScanFormats.XML.find(({ isFormat }) => isFormat(root))
  return format === undefined ? assert.fail("no format fits") : format.read(root)
}

const [LCOV] = ScanFormats.TEXT
const readText = (text: string): Result =>
  LCOV?.isFormat(text) === true ? LCOV.read(text) : assert.fail("no format fits")

/** Covered and all lines, covered and all branches; null where nothing is measured. */
const countsOf = (result: Result) => {
  const { lines, branches } = Reading.factsOf("coverage", result)
  return [lines, branches].map((each) => each && [each.covered, each.total])
}

describe("a coverage summary of istanbul", () => {
  const summary = (lines: object, branches: object = { total: 4, covered: 1, pct: 25 }) => ({
    total: { lines: { pct: 90, ...lines }, branches },
    "/src/a.ts": {}
  })

  it("has the totals of lines and branches", () => {
    const facts = Reading.factsOf("coverage", Reading.json(summary({ total: 3, covered: 2 })))
    assert.deepStrictEqual(facts.lines, { covered: 2, total: 3, percent: 66.66 })
    assert.deepStrictEqual(facts.branches, { covered: 1, total: 4, percent: 25 })
  })

  it("measures nothing without lines and branches", () => {
    const nothing = { total: 0, covered: 0, pct: "Unknown" }
    assert.deepStrictEqual(countsOf(Reading.json(summary(nothing, nothing))), [null, null])
  })

  it("is refused with numbers that are no counts", () => {
    for (const total of [-1, 0.5, Number.NaN, MEASURED_MAX + 1, "3", undefined])
      assert.strictEqual(
        Reading.problemOf(Reading.json(summary({ total, covered: 0 }))).message,
        "the lines have numbers that are no counts"
      )
    assert.strictEqual(
      Reading.problemOf(Reading.json(summary({ total: 1, covered: 2 }))).message,
      "more lines are covered than there are"
    )
  })

  it("is read up to the named number of lines", () => {
    const { lines } = Reading.factsOf(
      "coverage",
      Reading.json(summary({ total: MEASURED_MAX, covered: MEASURED_MAX }))
    )
    assert.strictEqual(lines?.percent, 100)
  })

  it.prop(
    "never has a percentage above the covered part",
    { total: FastCheck.integer({ min: 1, max: 100_000 }), missed: FastCheck.nat(100_000) },
    ({ total, missed }) => {
      const covered = Math.max(0, total - missed)
      const { lines } = Reading.factsOf("coverage", Reading.json(summary({ total, covered })))
      const hundredths = Math.round((lines?.percent ?? Number.NaN) * 100)
      assert.isAtMost(hundredths * total, covered * 10_000)
      assert.isAbove((hundredths + 1) * total, covered * 10_000)
    }
  )
})

describe("coverage in the form of Cobertura", () => {
  it("has the totals of its root", () => {
    const facts = Reading.factsOf(
      "coverage",
      readXml(`<coverage line-rate="0.75" lines-covered="3" lines-valid="4" branches-covered="1"
        branches-valid="2" timestamp="1700000000000"><packages/></coverage>`)
    )
    assert.deepStrictEqual(facts.lines, { covered: 3, total: 4, percent: 75 })
    assert.deepStrictEqual(facts.branches, { covered: 1, total: 2, percent: 50 })
    assert.strictEqual(facts.created_at, 1_700_000_000)
  })

  it("counts the lines of classes without totals, those of methods not again", () => {
    const line = (hits: number, condition = "") =>
      `<line number="1" hits="${hits}" condition-coverage="${condition}"/>`
    assert.deepStrictEqual(
      countsOf(
        readXml(`<coverage line-rate="0.5"><packages><package><classes><class>
          <methods><method><lines>${line(1)}</lines></method></methods>
          <lines>${line(1, "50% (1/2)")}${line(0, "no (x/y)")}</lines>
        </class></classes></package></packages></coverage>`)
      ),
      [
        [1, 2],
        [1, 2]
      ]
    )
  })

  it("is refused with half a total, or one that is none", () => {
    for (const totals of [
      'lines-covered="3"',
      'lines-covered="-1" lines-valid="4"',
      'lines-valid="1e9"'
    ])
      assert.strictEqual(
        Reading.problemOf(readXml(`<coverage line-rate="NaN" ${totals}/>`)).kind,
        "unreadable"
      )
  })
})

describe("coverage in the form of JaCoCo", () => {
  it("has the counters of the whole report", () => {
    const facts = Reading.factsOf(
      "coverage",
      readXml(`<report name="x"><sessioninfo id="a" dump="1700000000000"/>
        <package><counter type="LINE" missed="9" covered="9"/></package>
        <counter type="LINE" missed="1" covered="9"/><counter type="BRANCH" missed="3" covered="1"/>
      </report>`)
    )
    assert.deepStrictEqual(facts.lines, { covered: 9, total: 10, percent: 90 })
    assert.deepStrictEqual(facts.branches, { covered: 1, total: 4, percent: 25 })
    assert.strictEqual(facts.created_at, 1_700_000_000)
  })

  it("is refused with counters that are none", () => {
    for (const counter of ['missed="-1" covered="9"', 'covered="9"', 'missed="x" covered="1"'])
      assert.strictEqual(
        Reading.problemOf(readXml(`<report><counter type="LINE" ${counter}/></report>`)).kind,
        "unreadable"
      )
  })
})

describe("coverage in the form of Clover", () => {
  it("has the metrics of the project", () => {
    const facts = Reading.factsOf(
      "coverage",
      readXml(`<coverage generated="1700000000" clover="4.4"><project>
        <metrics statements="10" coveredstatements="7" conditionals="2" coveredconditionals="2"/>
        <package><metrics statements="1" coveredstatements="0"/></package>
      </project></coverage>`)
    )
    assert.deepStrictEqual(facts.lines, { covered: 7, total: 10, percent: 70 })
    assert.deepStrictEqual(facts.branches, { covered: 2, total: 2, percent: 100 })
    assert.deepStrictEqual(facts.format, { name: "Clover XML", version: "4.4" })
  })

  it("is no other document with the same root", () => {
    const root = xml("<coverage><project/></coverage>")
    assert.isUndefined(ScanFormats.XML.find(({ isFormat }) => isFormat(root)))
  })
})

describe("coverage in the form of LCOV", () => {
  it("adds up the totals of records, and counts where they have none", () => {
    assert.deepStrictEqual(
      countsOf(
        readText(
          [
            "TN:unit",
            "SF:/src/a.ts",
            "FN:1,f",
            "DA:1,5",
            "LF:4",
            "LH:3",
            "BRF:2",
            "BRH:1",
            "end_of_record",
            "SF:src/b.ts",
            "DA:1,0",
            "DA:2,1,checksum",
            "DA:3,-",
            "BRDA:1,0,0,-",
            "BRDA:1,0,1,2",
            "end_of_record",
            ""
          ].join("\r\n")
        )
      ),
      [
        [4, 7],
        [2, 4]
      ]
    )
  })

  it("is recognised by its first line and the end of a record", () => {
    assert.isTrue(LCOV?.isFormat("\n  TN:\nSF:a\nend_of_record\n"))
    for (const text of ["SF:a\n", "end_of_record\nSF:a", "DA:1,1\nend_of_record", ""])
      assert.isFalse(LCOV?.isFormat(text))
  })

  for (const [what, text, line] of [
    ["a total that is no count", "SF:a\nLF:-1\nend_of_record\n", 2],
    ["more covered lines than lines", "SF:a\nLF:1\nLH:2\nend_of_record\n", 4],
    ["a record without an end", "SF:a\nend_of_record\nSF:b\nDA:1,0\n", 4],
    ["a record within a record", "SF:a\nDA:1,0\nSF:b\nend_of_record\n", 3]
  ] as const) {
    it(`is refused with ${what}, and the line is named`, () => {
      assert.strictEqual(Reading.problemOf(readText(text)).line, line)
    })
  }
})
