/** Hostile files of scans, tests and coverage: every one is read or refused, in bounded time, without a throw. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as ScanFormats from "../../src/internal/scan/ScanFormats.js"
import { xml } from "../shared/SmallXml.js"
import * as Reading from "./Reading.js"

/** The most time for a file; the readers need a small part of it on a quiet machine. */
const MILLIS_MAX = 20_000

const timed = <A>(work: () => A): A => {
  const begun = performance.now()
  const result = work()
  assert.isBelow(performance.now() - begun, MILLIS_MAX)
  return result
}

const sarif = (results: string) =>
  JSON.parse(
    `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": ${results}}]}`
  )

describe("a hostile analysis", () => {
  it("of a million results is counted", () => {
    const results = Array.from({ length: 1_000_000 }, () => ({ ruleId: "r", level: "error" }))
    const value = { version: "2.1.0", runs: [{ tool: {}, results }] }
    const facts = timed(() => Reading.factsOf("analysis", Reading.json(value)))
    assert.deepStrictEqual(Reading.nonZero(facts.counts), { high: 1_000_000, total: 1_000_000 })
    assert.deepStrictEqual([facts.findings.length, facts.truncated], [1_000, ["findings"]])
  })

  it("with addresses outside keeps them as text", () => {
    const location = (uri: string) =>
      `{"physicalLocation":{"artifactLocation":{"uri":"${uri}","uriBaseId":"ROOT"}}}`
    const value = {
      ...sarif(`[{"locations":[${location("../../../etc/passwd")}]}]`),
      originalUriBaseIds: { ROOT: { uri: "http://169.254.169.254/" } }
    }
    const [finding] = Reading.factsOf("analysis", Reading.json(value)).findings
    assert.strictEqual(finding?.uri, "../../../etc/passwd")
  })

  it("with huge texts has small facts", () => {
    const results = Array.from({ length: 1_000 }, (_, index) => ({
      ruleId: `${index}`.padEnd(10_000, "ä"),
      level: "error"
    }))
    const facts = Reading.factsOf("analysis", Reading.json(sarif(JSON.stringify(results))))
    assert.strictEqual(facts.counts.high, 1_000)
    assert.deepStrictEqual(facts.truncated, ["findings"])
  })

  it("with members of prototypes has the facts of its own members", () => {
    const facts = Reading.factsOf(
      "analysis",
      Reading.json(
        sarif(`[
          {"__proto__": {"level": "none", "suppressions": [{}]}},
          {"constructor": 1, "ruleId": "__proto__", "level": "__proto__"},
          {"level": "constructor", "toString": null, "hasOwnProperty": 3}
        ]`)
      )
    )
    assert.deepStrictEqual(Reading.nonZero(facts.counts), { medium: 1, unknown: 2, total: 3 })
  })

  it("with indexes outside of all rules has the default level", () => {
    for (const index of ["-1", "1e300", "0.5", "99", '"length"'])
      for (const rule of [
        `"ruleIndex": ${index}`,
        `"rule": {"index": ${index}}`,
        `"rule": {"index": 0, "toolComponent": {"index": ${index}}}`
      ])
        assert.deepStrictEqual(
          Reading.nonZero(Reading.factsOf("analysis", Reading.json(sarif(`[{${rule}}]`))).counts),
          { medium: 1, total: 1 }
        )
  })
})

describe("a hostile report of tests or coverage", () => {
  it("of JUnit with ten thousand frames without tests is refused in time", () => {
    const source = `<testsuites>${"<properties><property name='x'/></properties>".repeat(10_000)}</testsuites>`
    const [format] = ScanFormats.XML
    const root = xml(source)
    assert.strictEqual(
      timed(() => Reading.problemOf(format!.read(root))).message,
      "it has no suite with results of tests"
    )
  })

  it("of LCOV with lines of megabytes is read in time", () => {
    const long = "x".repeat(8_000_000)
    const [format] = ScanFormats.TEXT
    const text = [
      `SF:${long}`,
      `DA:1,${"9".repeat(100)}`,
      long,
      `DA:2,1,${long}`,
      `FN:${long}`,
      " ".repeat(4_000_000),
      "end_of_record\n"
    ].join("\n")
    const { lines } = timed(() => Reading.factsOf("coverage", format!.read(text)))
    assert.deepStrictEqual(lines, { covered: 1, total: 2, percent: 50 })
    assert.isFalse(timed(() => format!.isFormat(" ".repeat(8_000_000))))
  })

  it("of LCOV with a million lines is read in time", () => {
    const [format] = ScanFormats.TEXT
    const text = `SF:a\n${"DA:1,1\n".repeat(1_000_000)}end_of_record`
    const { lines } = timed(() => Reading.factsOf("coverage", format!.read(text)))
    assert.strictEqual(lines?.total, 1_000_000)
  })
})

/** Names of members that formats have, and of prototypes. */
const NAMES = [
  ...[
    "runs",
    "results",
    "version",
    "level",
    "tool",
    "driver",
    "rules",
    "suppressions",
    "ruleIndex"
  ],
  ...["reportFormat", "summary", "tests", "status", "failed", "start", "stop", "duration", "rule"],
  ...[
    "SchemaVersion",
    "ArtifactName",
    "Results",
    "Vulnerabilities",
    "CVSS",
    "Severity",
    "Metadata"
  ],
  ...["RepoDigests", "Secrets", "matches", "source", "descriptor", "vulnerability", "cvss", "fix"],
  ...["vulnerabilities", "ok", "docker", "applications", "filtered", "id", "severity", "fixedIn"],
  ...["total", "lines", "pct", "covered", "branches", "scanner", "result", "passedTests", "purl"],
  ...["__proto__", "constructor", "length", "toString", "then"]
]

const scalar = FastCheck.constantFrom<unknown>(
  ...[null, true, 0, -1, 0.5, 9.8, Number.NaN, Infinity, 1e300, 2 ** 53],
  ...["", "2.1.0", "CTRF", "FAILED", "error", "HIGH", "9.8", "-5", "NaN", "\ud800", "\0"],
  ...["2026-11-18T00:00:00Z", "2026-02-31", "275760-09-13", "pkg:npm/x@1", "x@sha256:0"]
)

const { value: generated } = FastCheck.letrec((tie) => ({
  value: FastCheck.oneof(
    { depthSize: "medium", withCrossShrink: true },
    scalar,
    FastCheck.array(tie("value"), { maxLength: 3 }),
    FastCheck.array(FastCheck.tuple(FastCheck.constantFrom(...NAMES), tie("value")), {
      maxLength: 6
    }).map((members) => Object.fromEntries(members))
  )
}))

/** The shell of each format, so that generated members lie where readers look. */
const SHELLS: ReadonlyArray<(inner: unknown) => { readonly [member: string]: unknown }> = [
  (inner) => ({ version: "2.1.0", runs: [inner] }),
  (inner) => ({ version: "2.1.0", runs: [{ results: [inner], tool: inner, invocations: inner }] }),
  (inner) => ({ reportFormat: "CTRF", results: inner, timestamp: inner }),
  (inner) => ({ reportFormat: "CTRF", results: { summary: inner, tests: [inner], tool: inner } }),
  (inner) => ({ SchemaVersion: 2, ArtifactName: "x", Results: inner, Metadata: inner }),
  (inner) => ({ SchemaVersion: 2, ArtifactName: "x", Results: [{ Vulnerabilities: [inner] }] }),
  (inner) => ({ matches: [inner], source: inner, descriptor: inner ?? 1 }),
  (inner) => ({ vulnerabilities: [inner], ok: true, docker: {}, filtered: inner }),
  (inner) => ({ total: { lines: { pct: 1, total: inner, covered: inner }, branches: inner } })
]

describe("a generated file", () => {
  it.prop(
    "is read with facts of the schema, or refused",
    { generated, shell: FastCheck.constantFrom(...SHELLS) },
    ({ generated: inner, shell }) => {
      const result = Reading.json(shell(inner))
      if (Either.isRight(result)) Reading.assertContent(result.right)
      else assert.isNotEmpty(result.left.message)
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "is recognised or not, and never fails the reader of a predicate",
    { generated },
    ({ generated: value }) => {
      assert.isTrue(Reading.nameOf(value) === undefined || Reading.nameOf(value) !== "")
      if (typeof value !== "object" || value === null || Array.isArray(value)) return
      const members = value as { readonly [member: string]: unknown }
      for (const predicate of [members, { scanner: members }, { scanner: { result: [members] } }])
        for (const { read } of ScanFormats.PREDICATES) {
          const result = read(predicate)
          if (Either.isRight(result)) Reading.assertContent(result.right)
          else assert.isNotEmpty(result.left.message)
        }
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "of lines is read or refused",
    {
      lines: FastCheck.array(
        FastCheck.tuple(
          FastCheck.constantFrom(
            "SF:",
            "DA:",
            "BRDA:",
            "LF:",
            "LH:",
            "BRF:",
            "end_of_record",
            "TN:"
          ),
          FastCheck.constantFrom(
            "",
            "1",
            "1,1",
            "1,0",
            "1,0,0,-",
            "-1",
            "999999999999",
            "NaN",
            ",,,"
          )
        ).map((parts) => parts.join(""))
      )
    },
    ({ lines }) => {
      for (const { read } of ScanFormats.TEXT) {
        const result = read(lines.join("\n"))
        if (Either.isRight(result)) Reading.assertContent(result.right)
        else assert.isNotEmpty(result.left.message)
      }
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})
