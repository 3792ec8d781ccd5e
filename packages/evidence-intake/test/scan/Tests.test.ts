/** Results of tests: CTRF, JUnit with the counts of the client's reader, and the predicate of in-toto. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ScanFormats from "../../src/internal/scan/ScanFormats.js"
import { TESTS_MAX } from "../../src/internal/scan/TestsContent.js"
import { xml } from "../shared/SmallXml.js"
import * as Reading from "./Reading.js"

const readXml = (source: string) => {
  const root = xml(source)
  const format = ScanFormats.XML.find(({ isFormat }) => isFormat(root))
  return format === undefined ? assert.fail("no format fits") : format.read(root)
}

const junit = (source: string) => Reading.factsOf("junit", readXml(source))

/** The counts of the client: total, failures and errors, skipped. */
const countsOf = (source: string) => {
  const { total, failed, skipped } = junit(source).tests
  return [total, failed, skipped]
}

describe("results in the form of JUnit", () => {
  it("have the facts of their cases", () => {
    const facts = junit(`<?xml version="1.0" encoding="UTF-8"?>
      <testsuites><testsuite name="core &amp; more" tests="5" failures="1" errors="1" skipped="1"
          time="1.25" timestamp="2026-11-15T10:00:00">
        <testcase classname="A" name="a" time="0.5"/>
        <testcase classname="A" name="b"><failure message="no">&lt;stack&gt;</failure></testcase>
        <testcase name="c"><error/></testcase>
        <testcase name="d"><skipped/></testcase>
        <testcase name="e"><flakyFailure/></testcase>
        <system-out><![CDATA[<testcase>not one</testcase>]]></system-out>
      </testsuite></testsuites>`)
    assert.deepStrictEqual(facts, {
      kind: "junit",
      format: { name: "JUnit XML", version: null },
      tool: null,
      created_at: Date.UTC(2026, 10, 15, 10) / 1_000,
      truncated: [],
      tests: { total: 5, passed: 2, failed: 2, skipped: 1, other: 0, flaky: 1 },
      duration: 1.25,
      failed: ["A: b", "c"]
    })
  })

  // The examples of the client's reader, whose counts are those of `attestry attest junit`.
  for (const [what, source, counts] of [
    [
      "a suite without a root",
      '<testsuite name="x"><testcase time="0.5"/><testcase time="1"/></testsuite>',
      [2, 0, 0]
    ],
    [
      "totals without cases",
      '<testsuite name="x" tests="1,200" failures="2" time="1,000.5"/>',
      [1200, 2, 0]
    ],
    [
      "suites inside of suites",
      `<testsuites tests="2"><testsuite name="all" tests="2">
        <testsuite name="a" tests="1"><testcase/></testsuite>
        <testsuite name="b" tests="1"><testcase/></testsuite>
      </testsuite></testsuites>`,
      [2, 0, 0]
    ],
    [
      "a failure in a suite's total alone",
      '<testsuite errors="1"><testcase/></testsuite>',
      [1, 1, 0]
    ],
    [
      "a failure in the total of the frame alone",
      '<testsuite failures="1"><testsuite><testcase/></testsuite></testsuite>',
      [1, 1, 0]
    ],
    [
      "a failure in the total of the root alone",
      '<testsuites errors="1"><testsuite><testcase/></testsuite></testsuites>',
      [1, 1, 0]
    ],
    [
      "a failure that every frame counts",
      `<testsuites failures="1"><testsuite name="all" failures="1">
        <testsuite name="a" failures="1"><testcase><failure/></testcase></testsuite>
      </testsuite></testsuites>`,
      [1, 1, 0]
    ],
    ["disabled tests", '<testsuite tests="3" disabled="2"><testcase/></testsuite>', [3, 0, 2]],
    [
      "numbers that are none",
      '<testsuite tests="-4" failures="NaN" errors="-1"><testcase/></testsuite>',
      [1, 0, 0]
    ],
    ["an empty suite", '<testsuite name="x"/>', [0, 0, 0]]
  ] as const) {
    it(`have the counts of the client's reader for ${what}`, () => {
      assert.deepStrictEqual(countsOf(source), [...counts])
    })
  }

  it("add up the times of cases, or of suites where they say them", () => {
    assert.strictEqual(
      junit('<testsuite><testcase time="0.5"/><testcase time="1"/></testsuite>').duration,
      1.5
    )
    assert.strictEqual(junit('<testsuite time="1,000.5" tests="1"/>').duration, 1_000.5)
    assert.isNull(junit('<testsuite time="1e300" tests="1"/>').duration)
  })

  it("are refused without a suite that has results", () => {
    for (const source of ["<testsuites/>", '<testsuites tests="3"/>'])
      assert.strictEqual(
        Reading.problemOf(readXml(source)).message,
        "it has no suite with results of tests"
      )
  })

  it("are read up to the named number of tests", () => {
    const of = (tests: string) => readXml(`<testsuite tests="${tests}"/>`)
    assert.strictEqual(Reading.factsOf("junit", of(`${TESTS_MAX}`)).tests.total, TESTS_MAX)
    for (const tests of [`${TESTS_MAX + 1}`, "1e300"])
      assert.strictEqual(Reading.problemOf(of(tests)).kind, "too_large")
  })

  it("name the first failed tests, and say that there are more", () => {
    const cases = (count: number) => "<testcase name='x'><failure/></testcase>".repeat(count)
    const facts = (count: number) => junit(`<testsuite>${cases(count)}</testsuite>`)
    assert.deepStrictEqual([facts(100).failed.length, facts(100).truncated], [100, []])
    assert.deepStrictEqual([facts(101).failed.length, facts(101).truncated], [100, ["failed"]])
    assert.strictEqual(facts(101).tests.failed, 101)
  })

  it("are read through deep suites without recursion", () => {
    let root = xml("<testsuite><testcase/></testsuite>")
    for (let depth = 0; depth < 50_000; depth++) root = { ...root, children: [root] }
    const [format] = ScanFormats.XML
    assert.strictEqual(Reading.factsOf("junit", format!.read(root)).tests.total, 1)
  })
})

const ctrf = (tests: ReadonlyArray<unknown>, summary: object = {}) => ({
  reportFormat: "CTRF",
  specVersion: "0.0.0",
  timestamp: "2026-11-18T12:00:00Z",
  results: { tool: { name: "vitest", version: "3" }, summary, tests }
})

const testsOf = (value: unknown) => Reading.factsOf("tests", Reading.json(value)).tests

describe("results in CTRF", () => {
  const TESTS = [
    { name: "a", status: "passed", duration: 10 },
    { name: "b", status: "failed", duration: 20 },
    { name: "c", status: "skipped", duration: 0 },
    { name: "d", status: "pending", duration: 0 },
    { name: "e", status: "other", duration: 0 },
    { name: "f", status: "passed", flaky: true, duration: 0.5 }
  ]

  it("have the facts of their tests", () => {
    const facts = Reading.factsOf("tests", Reading.json(ctrf(TESTS)))
    assert.deepStrictEqual(facts, {
      kind: "tests",
      format: { name: "CTRF", version: "0.0.0" },
      tool: { name: "vitest", version: "3" },
      created_at: Date.UTC(2026, 10, 18, 12) / 1_000,
      truncated: [],
      tests: { total: 6, passed: 2, failed: 1, skipped: 2, other: 1, flaky: 1 },
      duration: 0.0305,
      failed: ["b"]
    })
    const timed = ctrf(TESTS, { start: 1_700_000_000_000, stop: 1_700_000_002_500 })
    assert.strictEqual(Reading.factsOf("tests", Reading.json(timed)).duration, 2.5)
  })

  it("take a status of no meaning for a failure", () => {
    for (const status of ["Passed", "", undefined, 1, "__proto__"])
      assert.strictEqual(testsOf(ctrf([{ name: "x", status }])).failed, 1)
  })

  it("never lose a failure of the summary, and count none twice", () => {
    assert.strictEqual(testsOf(ctrf([{ status: "passed" }], { tests: 2, failed: 1 })).failed, 1)
    assert.strictEqual(testsOf(ctrf([{ status: "failed" }], { tests: 1, failed: 1 })).failed, 1)
    assert.deepStrictEqual(testsOf(ctrf([], { tests: 3, passed: 3, pending: 1, skipped: 1 })), {
      total: 3,
      passed: 1,
      failed: 0,
      skipped: 2,
      other: 0,
      flaky: 0
    })
  })

  it("are refused with counts that are none", () => {
    for (const failed of [-1, 0.5, Number.NaN, 1e300, "1", {}])
      assert.strictEqual(
        Reading.problemOf(Reading.json(ctrf([], { failed }))).message,
        "`results.summary.failed` is not a count"
      )
    assert.strictEqual(Reading.problemOf(Reading.json(ctrf([1]))).kind, "unreadable")
    assert.strictEqual(
      Reading.problemOf(Reading.json(ctrf([], { tests: TESTS_MAX + 1 }))).kind,
      "too_large"
    )
  })

  it("are recognised by their format, or by their members", () => {
    const { reportFormat: _, ...older } = ctrf([])
    assert.strictEqual(Reading.nameOf(older), "CTRF")
    assert.isUndefined(Reading.nameOf({ results: { tests: [] } }))
  })

  it.prop(
    "have as many tests as they list",
    { statuses: FastCheck.array(FastCheck.constantFrom("passed", "failed", "skipped", "other")) },
    ({ statuses }) => {
      const { total, passed, failed, skipped, other } = testsOf(
        ctrf(statuses.map((status) => ({ status })))
      )
      assert.strictEqual(total, statuses.length)
      assert.strictEqual(passed + failed + skipped + other, total)
    }
  )
})

describe("the predicate about results of tests", () => {
  const of = (predicate: { readonly [member: string]: unknown }) =>
    Reading.predicate("https://in-toto.io/attestation/test-result/v0.1", predicate)

  it("has the tests of its lists", () => {
    const facts = Reading.factsOf(
      "tests",
      of({ result: "FAILED", passedTests: ["a", "b"], warnedTests: ["c"], failedTests: ["d"] })
    )
    assert.deepStrictEqual(facts.tests, {
      total: 4,
      passed: 2,
      failed: 1,
      skipped: 0,
      other: 1,
      flaky: 0
    })
    assert.deepStrictEqual(facts.failed, ["d"])
  })

  it("counts a failure that only the result shows", () => {
    assert.strictEqual(Reading.factsOf("tests", of({ result: "FAILED" })).tests.failed, 1)
    assert.strictEqual(Reading.factsOf("tests", of({ result: "PASSED" })).tests.total, 0)
  })

  it("is refused with another result, or names that are none", () => {
    assert.strictEqual(Reading.problemOf(of({ result: "OK" })).kind, "unreadable")
    assert.strictEqual(
      Reading.problemOf(of({ result: "PASSED", failedTests: [1] })).message,
      "`failedTests` is not a list of texts"
    )
  })
})
