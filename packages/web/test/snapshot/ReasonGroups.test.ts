/** Why rows fail, by rule. */
import { assert, describe, it } from "vitest"
import { changeText } from "../../app/snapshot/ChangeText.js"
import {
  chosenName,
  failingRows,
  groupsOf,
  nameOf,
  titleOf
} from "../../app/snapshot/ReasonGroups.js"
import { rowOf, ruleOf } from "../fixture/Rows.js"

const scan = ruleOf({
  policy_name: "prod",
  policy_version: 3,
  rule_index: 3,
  type: "attestation",
  attestation_name: "scan",
  attestation_type: "snyk",
  rows_failing: 4,
  reasons: [
    { type: "missing_attestation", rows: 3 },
    { type: "non_compliant_attestation", rows: 1 }
  ]
})

describe("reasons", () => {
  it("come with the rules that most rows fail first, and leave out the others", () => {
    const known = ruleOf({ rows_failing: 5, reasons: [{ type: "missing_provenance", rows: 5 }] })
    const groups = groupsOf([scan, ruleOf({ rule_index: 1 }), known])
    assert.deepStrictEqual(
      groups.map(({ key, rows, text }) => [key, rows, text]),
      [
        ["p.0", 5, "no provenance: no flow knows the artifact"],
        [
          "prod.3",
          4,
          "attestation `scan` of type `snyk` missing (3), attestation `scan` of type `snyk` not compliant (1)"
        ]
      ]
    )
  })

  it("say what to do about evidence that is too old", () => {
    const texts = (["evidence_expired", "provenance_expired"] as const).map((type) =>
      groupsOf([{ ...scan, rows_failing: 1, reasons: [{ type, rows: 1 }] }]).map(({ text }) => text)
    )
    assert.deepStrictEqual(texts, [
      ["attestation `scan` of type `snyk` too old: report a new one"],
      ["its newest record is too old: build and report it again"]
    ])
  })

  it("count as many rows as fail", () => {
    const rules = [
      ruleOf({ rows_failing: 2, reasons: [{ type: "missing_provenance", rows: 2 }] }),
      { ...scan, rows_failing: 1 }
    ]
    const rows = [
      rowOf("a", { failing: [0] }),
      rowOf("b", { failing: [0, 1] }),
      rowOf("c"),
      rowOf("d", { failing: [1], annotation: { type: "exited", was: 1, now: 0 } })
    ]
    const sums = groupsOf(rules).reduce((sum, { rows: count }) => sum + count, 0)
    const failing = rows.filter(({ annotation }) => annotation.type !== "exited")
    assert.strictEqual(sums, failing.flatMap((row) => row.failing).length)
    assert.strictEqual(failingRows(rows), 2)
  })

  it("name rules as people count them", () => {
    const first = { ...scan, rule_index: 0 }
    const older = { ...scan, rule_index: 2, policy_version: 2 }
    // The text has no rule about trails, which the API counts as 1.
    const rules = [first, { ...scan, rule_index: 2 }, scan, older]
    assert.deepStrictEqual(
      rules.map((rule) => nameOf(rules, rule)),
      ["prod v3 rule 1", "prod v3 rule 2", "prod v3 rule 3", "prod v2 rule 1"]
    )
    assert.strictEqual(chosenName(rules, "prod.3"), "prod v3 rule 3")
    assert.strictEqual(chosenName(rules, "other.3"), "other.3")
    const broken = ruleOf({ rule_index: null })
    assert.strictEqual(nameOf([broken], broken), "p v1")
    assert.strictEqual(titleOf(scan), "attestation `scan` of type `snyk`")
    const control = { ...scan, attestation_name: "*", for_control: "SDLC-7" }
    assert.strictEqual(titleOf(control), "decision for control `SDLC-7`")
    assert.strictEqual(
      titleOf({ ...scan, attestation_name: "*", attestation_type: "*" }),
      "attestation"
    )
  })
})

describe("changes", () => {
  it("have words, and counts where instances differ", () => {
    assert.isUndefined(changeText({ type: "unchanged", was: 2, now: 2 }))
    assert.strictEqual(changeText({ type: "unchanged", was: 2, now: 3 })?.text, "2 → 3")
    assert.strictEqual(changeText({ type: "scaled", was: 2, now: 3 })?.text, "scaled 2 → 3")
    assert.strictEqual(changeText({ type: "started-unknown", was: 0, now: 3 })?.text, "started")
    assert.strictEqual(changeText({ type: "exited", was: 3, now: 0 })?.text, "exited")
    assert.isTrue(changeText({ type: "became-non-compliant", was: 1, now: 1 })?.isBad)
  })
})
