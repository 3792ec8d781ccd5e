/** Answers about compliance as texts. */
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Explanation from "../../src/policy/Explanation.js"

const document = Either.getOrThrow(
  PolicyDocument.parse(
    "_schema: https://example.org/v1\nartifacts: {provenance: {required: true}}\n"
  )
)
const compiled = PolicyEvaluation.compile([{ id: "p", name: "prod-rules", version: 2, document }])

const evaluationOf = (flow_name: string | undefined) => {
  const evaluation = PolicyEvaluation.evaluate(compiled, {
    artifact: { name: "shop", fingerprint: "" },
    flows:
      flow_name === undefined
        ? []
        : [{ flow_name, tags: {}, trail_name: "t", artifact_status: "COMPLIANT", attestations: [] }]
  })
  return {
    name: "shop",
    fingerprint: "" as const,
    compliant: evaluation.verdict === "Compliant",
    policy_decisions: evaluation.policy_decisions,
    reasons_for_incompliance: PolicyEvaluation.reasons(compiled, evaluation)
  }
}

describe("Explanation.ofArtifact", () => {
  it("says what is missing and what would make it pass", () => {
    assert.strictEqual(
      Explanation.ofArtifact(evaluationOf(undefined)),
      [
        "`shop` is not compliant: 1 of 1 policy says no",
        "  prod-rules, version 2: NON-COMPLIANT (1 rule failing, 0 holding, 1 not applicable)",
        "    - no flow knows the artifact: report it to a flow, or add an exception to the policy that is true for it"
      ].join("\n")
    )
  })

  it("says when it passes, when nobody asked, and when it was allowed all the same", () => {
    assert.match(
      Explanation.ofArtifact(evaluationOf("build")),
      /^`shop` is compliant with 1 policy\n/
    )
    const unasked = { ...evaluationOf("build"), compliant: false, policy_decisions: [] }
    assert.match(Explanation.ofArtifact(unasked), /^`shop` is neither compliant nor not/)
    const allowed = "`shop` is compliant: the environment's allow-list has it"
    assert.strictEqual(
      Explanation.ofArtifact({ ...evaluationOf(undefined), compliant: true }),
      allowed
    )
    assert.strictEqual(Explanation.ofArtifact({ ...unasked, compliant: true }), allowed)
  })
})

describe("Explanation.ofAssertion", () => {
  const flows = [
    {
      flow: "build",
      trail: "t1",
      compliance_status: {
        status: "NON-COMPLIANT" as const,
        is_compliant: false,
        attestations_statuses: [],
        flow_reasons_for_non_compliance: [
          {
            type: "missing_attestation" as const,
            level: "artifact" as const,
            attestation_name: "unit",
            attestation_type: "junit"
          },
          {
            type: "non_compliant_attestation" as const,
            level: "trail" as const,
            attestation_name: "scan",
            attestation_type: "snyk"
          }
        ]
      }
    }
  ]

  it("explains flows where no policy was asked", () => {
    const asserted = {
      compliant: false,
      scope: "environment" as const,
      environment: "prod",
      policy_evaluations: [],
      reasons_for_incompliance: [],
      flows
    }
    assert.strictEqual(
      Explanation.ofAssertion("shop", asserted),
      [
        "`shop` is not compliant in its flows, as `prod` has no policy",
        "  flow build, trail t1: NON-COMPLIANT",
        "    - the artifact's attestation `unit` of type `junit` is missing: report it",
        "    - the trail's attestation `scan` of type `snyk` is not compliant: fix what it found and report it again"
      ].join("\n")
    )
    const { environment: _, policy_evaluations: _none, ...inFlows } = asserted
    assert.match(
      Explanation.ofAssertion("shop", { ...inFlows, scope: "flow", compliant: true, flows: [] }),
      /^`shop` is compliant in its flows$/
    )
  })

  it("explains policies where they were asked", () => {
    const { compliant, policy_decisions, reasons_for_incompliance } = evaluationOf(undefined)
    const text = Explanation.ofAssertion("shop", {
      compliant,
      scope: "policy",
      policy_evaluations: policy_decisions,
      reasons_for_incompliance,
      flows: []
    })
    assert.strictEqual(text, Explanation.ofArtifact(evaluationOf(undefined)))
  })
})
