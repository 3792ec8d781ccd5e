/** Texts for job output and terminals about compliance: the verdict, the failed rules and the missing evidence. */
import type { AssertionResponse } from "@attestry/api/AssertionApi"
import type { SnapshotArtifact } from "@attestry/api/SnapshotApi"
import * as PolicyExplanation from "@attestry/core/PolicyExplanation"

/** The fields of a row of a snapshot that are explained. */
export type ExplainedArtifact = Pick<
  typeof SnapshotArtifact.Type,
  "name" | "fingerprint" | "compliant" | "policy_decisions" | "reasons_for_incompliance"
>

/** The fields of an assertion that are explained. */
export type ExplainedAssertion = Pick<
  typeof AssertionResponse.Type,
  | "compliant"
  | "scope"
  | "environment"
  | "policy_evaluations"
  | "reasons_for_incompliance"
  | "flows"
>

/** Explains a row of a snapshot. */
export const ofArtifact = (row: ExplainedArtifact): string => {
  const { compliant, fingerprint, name, policy_decisions } = row
  const isAllowed =
    compliant && policy_decisions.every(({ status }) => status === "COMPLIANT") === false
  if (isAllowed || (compliant && policy_decisions.length === 0))
    return `\`${name}\` is compliant: the environment's allow-list has it`
  return PolicyExplanation.render({
    artifact: { name, fingerprint },
    evaluation: {
      verdict: policy_decisions.length === 0 ? "Unknown" : compliant ? "Compliant" : "NonCompliant",
      policy_decisions
    },
    reasons: row.reasons_for_incompliance
  })
}

const flowLines = ({ flows }: ExplainedAssertion): ReadonlyArray<string> =>
  flows.flatMap(({ compliance_status, flow, trail }) => [
    `  flow ${flow}, trail ${trail}: ${compliance_status.status}`,
    ...compliance_status.flow_reasons_for_non_compliance.map(
      ({ attestation_name, attestation_type, level, type }) =>
        `    - the ${level}'s attestation \`${attestation_name}\` of type \`${attestation_type}\` ${
          type === "missing_attestation"
            ? "is missing: report it"
            : "is not compliant: fix what it found and report it again"
        }`
    )
  ])

/** Explains an assertion about the artifact of that name. */
export const ofAssertion = (name: string, assertion: ExplainedAssertion): string => {
  const { compliant, environment, policy_evaluations: policy_decisions = [] } = assertion
  if (policy_decisions.length === 0) {
    const where =
      environment === undefined
        ? "in its flows"
        : `in its flows, as \`${environment}\` has no policy`
    return [
      `\`${name}\` is ${compliant ? "compliant" : "not compliant"} ${where}`,
      ...flowLines(assertion)
    ].join("\n")
  }
  return PolicyExplanation.render({
    artifact: { name, fingerprint: "" },
    evaluation: { verdict: compliant ? "Compliant" : "NonCompliant", policy_decisions },
    reasons: assertion.reasons_for_incompliance
  })
}
