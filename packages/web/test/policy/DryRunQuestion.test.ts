/** The request of a dry run for a draft, and its answer in words. */
import { assert, describe, it } from "vitest"
import { bodyOf, evidenceOf, summaryOf, turnOf } from "../../app/policy/DryRunQuestion.js"
import type { DryRunRow, PolicyDryRun } from "../../app/shared/Contract.js"

const draft = { name: "prod-rules", text: "artifacts: {}" }
const candidate = { policy_yaml: "artifacts: {}", name: "prod-rules" }

const row = (compliant: boolean | null, was: boolean | null): DryRunRow => ({
  name: "shop",
  fingerprint: "a".repeat(64),
  compliant,
  was,
  policy_decisions: [],
  reasons_for_incompliance: []
})

const answer = (rows: ReadonlyArray<DryRunRow>, left_out = 0): PolicyDryRun =>
  // WHY: the text uses these members alone.
  ({
    compliant: false,
    counts: { true: 2, false: 1, null: 0 },
    snapshot: { environment: "prod", index: 12, timestamp: 1, compliant: true },
    rows,
    left_out
  }) as unknown as PolicyDryRun

describe("a dry run", () => {
  it("is asked among the attached policies of a snapshot, by the evidence that is chosen", () => {
    const at = (expression: string) =>
      ({ _tag: "Snapshot", environment: "prod", expression }) as const
    assert.deepStrictEqual(bodyOf(draft, at("~0"), "judged"), {
      candidate,
      on: { environment: "prod", snapshot: "~0" },
      against: "attached",
      as_of: "judged",
      show: "flips"
    })
    assert.deepInclude(bodyOf(draft, at("12"), evidenceOf("now")), {
      on: { environment: "prod", snapshot: "12" },
      as_of: "now"
    })
    assert.strictEqual(evidenceOf("anything"), "judged")
  })

  it("is asked alone for an artifact", () => {
    const fingerprint = "b".repeat(64)
    assert.deepStrictEqual(bodyOf(draft, { _tag: "Artifact", fingerprint }, "judged"), {
      candidate,
      on: { fingerprint },
      show: "all"
    })
  })

  it("says how many rows turn, of which snapshot", () => {
    assert.strictEqual(
      summaryOf(answer([row(false, true)], 1), true),
      "2 of 3 rows of snapshot 12 would have another verdict."
    )
    assert.strictEqual(
      summaryOf(answer([]), true),
      "No verdict of 3 rows of snapshot 12 would be another one."
    )
    assert.strictEqual(summaryOf(answer([row(false, null)]), false), "The artifact fails.")
    assert.strictEqual(turnOf(row(false, true)), "compliant → not compliant")
    assert.strictEqual(turnOf(row(true, null)), "not evaluated → compliant")
  })
})
