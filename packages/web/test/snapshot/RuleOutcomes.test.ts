/** The rules of a row as lines, and the evidence that decided. */
import { assert, describe, it } from "vitest"
import { countsOf, evidenceOf, outcomesOf } from "../../app/snapshot/RuleOutcomes.js"

const context = { flow_name: "shop", trail_name: "t1", artifact_status: null }
const attestation = (name: string, type: string, for_control: string | null = null) => ({
  type: "attestation" as const,
  definition: { if: null, name, type, must_be_compliant: true, for_control }
})
const decisions = {
  policy_decisions: [
    {
      policy_name: "p",
      policy_version: 2,
      status: "NON-COMPLIANT" as const,
      rule_evaluations: [
        {
          rule: { type: "provenance" as const, definition: { required: true, exceptions: [] } },
          satisfied: true,
          ignored: false,
          resolutions: [{ type: "rule_satisfied" as const, context }]
        },
        {
          rule: attestation("unit", "junit"),
          satisfied: false,
          ignored: false,
          resolutions: [{ type: "non_compliant_attestation" as const, context }]
        },
        {
          rule: attestation("*", "decision", "SDLC-7"),
          satisfied: null,
          ignored: true,
          resolutions: [{ type: "rule_not_applicable" as const, context }]
        }
      ]
    }
  ]
}

describe("rules of a row", () => {
  it("are listed with their results, as people count them", () => {
    assert.deepStrictEqual(
      outcomesOf(decisions).map(({ number, title, verdict, text }) => [
        number,
        title,
        verdict,
        text
      ]),
      [
        [1, "provenance", "compliant", "satisfied"],
        [2, "unit (junit)", "non-compliant", "not compliant"],
        [3, "decision for SDLC-7", "not-applicable", "not applicable"]
      ]
    )
    assert.deepStrictEqual(countsOf(decisions), { satisfied: 1, failing: 1, ignored: 1 })
  })

  it("lead to the newest attestation of the artifact or its trail", () => {
    const [provenance, unit, control] = outcomesOf(decisions)
    assert.isDefined(provenance)
    assert.isDefined(unit)
    assert.isDefined(control)
    const base = { flow_name: "shop", trail_name: "t1", attestation_type: "junit" }
    const data = [
      { ...base, attestation_id: "1", attestation_name: "unit", artifact_fingerprint: "b" },
      { ...base, attestation_id: "2", attestation_name: "unit", trail_name: "t2" },
      { ...base, attestation_id: "3", attestation_name: "unit", artifact_fingerprint: "a" },
      { ...base, attestation_id: "4", attestation_name: "unit" },
      { ...base, attestation_id: "5", attestation_name: "x", attestation_type: "system:decision" }
    ]
    assert.strictEqual(evidenceOf({ data }, unit, "a"), "3")
    assert.strictEqual(evidenceOf({ data }, unit, "c"), "4")
    assert.strictEqual(evidenceOf({ data }, control, "c"), "5")
    assert.isUndefined(evidenceOf({ data }, provenance, "a"))
    assert.isUndefined(evidenceOf({ data: [] }, unit, "a"))
  })
})
