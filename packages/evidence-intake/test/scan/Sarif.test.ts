/** Analyses in SARIF: levels, scores of rules, suppressions, and results that count for nothing. */
import { assert, describe, it } from "@effect/vitest"
import * as Reading from "./Reading.js"

const RULES = [
  { id: "scored", properties: { "security-severity": "9.1" } },
  { id: "levelled", defaultConfiguration: { level: "note" } },
  { id: "silent", defaultConfiguration: { level: "none" } }
]

const run = (results: ReadonlyArray<object>, others: object = {}) => ({
  tool: { driver: { name: "tool", semanticVersion: "1.2.3", rules: RULES } },
  results,
  ...others
})

const log = (...runs: ReadonlyArray<object>) => ({ version: "2.1.0", runs })

const countsOf = (value: unknown) =>
  Reading.nonZero(Reading.factsOf("analysis", Reading.json(value)).counts)

const severityOf = (result: object, others?: object) => {
  const [finding] = Reading.factsOf("analysis", Reading.json(log(run([result], others)))).findings
  return finding?.severity
}

describe("an analysis in SARIF", () => {
  it("has the facts of its results", () => {
    const facts = Reading.factsOf(
      "analysis",
      Reading.json(
        log(
          run(
            [
              {
                ruleId: "scored",
                level: "warning",
                locations: [
                  {
                    physicalLocation: {
                      artifactLocation: { uri: "src/a.ts", uriBaseId: "%SRCROOT%" },
                      region: { startLine: 7 }
                    }
                  }
                ]
              }
            ],
            { invocations: [{ endTimeUtc: "2026-11-18T00:00:00Z" }] }
          )
        )
      )
    )
    assert.deepStrictEqual(facts, {
      kind: "analysis",
      format: { name: "SARIF", version: "2.1.0" },
      tool: { name: "tool", version: "1.2.3" },
      created_at: Date.UTC(2026, 10, 18) / 1_000,
      truncated: [],
      counts: {
        critical: 1,
        high: 0,
        medium: 0,
        low: 0,
        negligible: 0,
        unknown: 0,
        total: 1,
        suppressed: 0
      },
      findings: [
        { rule_id: "scored", level: "warning", severity: "critical", uri: "src/a.ts", line: 7 }
      ]
    })
  })

  it("has the severity of the score of its rule, else of the level", () => {
    assert.strictEqual(severityOf({ ruleId: "scored", level: "note" }), "critical")
    assert.strictEqual(severityOf({ ruleId: "levelled", level: "error" }), "high")
    assert.strictEqual(severityOf({ ruleId: "levelled", level: "warning" }), "medium")
    assert.strictEqual(severityOf({ ruleId: "levelled" }), "low")
    assert.strictEqual(severityOf({ ruleId: "not listed" }), "medium")
    assert.strictEqual(severityOf({ level: "fatal" }), "unknown")
    assert.strictEqual(severityOf({ level: 7 }), "unknown")
  })

  it("finds the rule of a result by index, by id, by the id's first part, and in extensions", () => {
    const extended = {
      tool: {
        driver: { name: "tool", rules: RULES },
        extensions: [{ rules: [] }, { rules: [RULES[1], { ...RULES[0], id: "more/scored" }] }]
      }
    }
    for (const result of [
      { ruleIndex: 0 },
      { rule: { index: 0 } },
      { rule: { id: "scored" } },
      { ruleId: "scored/part" },
      { ruleId: "more/scored" },
      { ruleId: "x", rule: { index: 1, toolComponent: { index: 1 } } },
      { rule: { id: "scored", index: 1, toolComponent: { name: "of no known place" } } }
    ])
      assert.strictEqual(severityOf(result, extended), "critical", JSON.stringify(result))
  })

  it("counts suppressed results apart, unless the suppression is not in force", () => {
    const suppressed = (...suppressions: ReadonlyArray<unknown>) => ({
      level: "error",
      suppressions
    })
    assert.deepStrictEqual(
      countsOf(
        log(
          run([
            suppressed({ kind: "inSource" }),
            suppressed({ status: "rejected" }, { status: "accepted" }),
            suppressed({ status: "underReview" }),
            suppressed({ status: "rejected" }),
            suppressed(),
            suppressed("all"),
            { level: "error", suppressions: { length: 1 } }
          ])
        )
      ),
      { high: 5, suppressed: 2, total: 5 }
    )
  })

  it("counts nothing for results without weight", () => {
    assert.deepStrictEqual(
      countsOf(
        log(
          run([
            { level: "none" },
            { ruleId: "silent" },
            { kind: "pass" },
            { kind: "notApplicable", level: "none" },
            { kind: "informational", ruleId: "scored" },
            { level: "error", baselineState: "absent" },
            { level: "none", suppressions: [{ kind: "external" }] }
          ])
        )
      ),
      {}
    )
    assert.deepStrictEqual(
      countsOf(log(run([{ kind: "review" }, { kind: "open" }, { kind: "pass", level: "error" }]))),
      { medium: 2, high: 1, total: 3 }
    )
  })

  it("adds up the runs of all tools", () => {
    const other = { tool: { driver: { name: "other" } }, results: [{ level: "error" }] }
    const facts = Reading.factsOf("analysis", Reading.json(log(run([]), other, other)))
    assert.deepStrictEqual(Reading.nonZero(facts.counts), { high: 2, total: 2 })
    assert.deepStrictEqual(facts.tool, { name: "tool, other", version: "1.2.3" })
  })

  it("is refused where a tool did not finish, or the version is another", () => {
    for (const [value, message] of [
      [{ version: "2.1.0", runs: null }, "`runs` is not a list"],
      [
        log({ tool: {} }),
        "`runs[0].results` is not a list; it is empty after a run without results"
      ],
      [
        log(run([]), { results: null }),
        "`runs[1].results` is not a list; it is empty after a run without results"
      ],
      [
        { $schema: "https://example.org/sarif-2.0.0.json", version: "2.0.0", runs: [] },
        "this is not SARIF 2.1.0, which is read alone"
      ],
      [log({ results: [{}, []] }), "`runs[0].results[1]` is not an object"]
    ] as const)
      assert.strictEqual(Reading.problemOf(Reading.json(value)).message, message)
  })

  it("is recognised by runs and version, or by its schema", () => {
    assert.strictEqual(Reading.nameOf(log()), "SARIF")
    assert.strictEqual(Reading.nameOf({ version: "2.1.0-rtm.5", runs: null }), "SARIF")
    assert.strictEqual(Reading.nameOf({ $schema: "https://example.org/SARIF-2.1.0.json" }), "SARIF")
    for (const other of [{ runs: [] }, { version: "2.1.0" }, { version: "3", runs: [] }, [log()]])
      assert.isUndefined(Reading.nameOf(other))
  })

  it("of Snyk stays an analysis", () => {
    const snyk = log({
      tool: { driver: { name: "Snyk Open Source" } },
      results: [{ level: "error" }]
    })
    assert.deepStrictEqual(countsOf(snyk), { high: 1, total: 1 })
  })
})
