/**
 * Whether an attestation is compliant: decided once, at its report, from its payload.
 *
 * One function per type; the outcome is stored. Custom types are evaluated by their schema and rules, through
 * `PayloadRules`.
 */
import type * as Payload from "../AttestationPayload.js"

/** The outcome that the reporter gives. */
export const generic = ({ is_compliant }: Payload.GenericPayload): boolean => is_compliant

/** There are suites, and none has failures or errors; skipped tests do not matter. */
export const junit = ({ junit_results }: Payload.JunitPayload): boolean =>
  junit_results.length > 0 &&
  junit_results.every(({ failures, errors }) => failures === 0 && errors === 0)

/** No vulnerability of any severity; a clean scan may have no runs. */
export const snyk = ({ snyk_results }: Payload.SnykPayload): boolean =>
  snyk_results.results.every(
    ({ high_count, medium_count, low_count }) =>
      high_count === 0 && medium_count === 0 && low_count === 0
  )

/** There is a quality gate, and its status is `OK`. */
export const sonar = ({ sonar_results }: Payload.SonarPayload): boolean =>
  sonar_results.qualityGate?.status === "OK"

/** At least one issue is referenced, and every one exists. */
export const jira = ({ jira_results }: Payload.JiraPayload): boolean =>
  jira_results.length > 0 && jira_results.every(({ issue_exists }) => issue_exists)

/** There is a pull request, in any state, approved or not. */
export const pullRequest = ({ pull_requests }: Payload.PullRequestPayload): boolean =>
  pull_requests.length > 0

/** The outcome that the decision gives. */
export const decision = ({ attestation_data }: Payload.DecisionPayload): boolean =>
  attestation_data.is_compliant

/** The digest of its subject, where it gives one, is that of the artifact, where it names one. */
export const sbom = ({
  attestation_data,
  artifact_fingerprint: artifact
}: Payload.SbomPayload & { readonly artifact_fingerprint?: string }): boolean => {
  const digest = attestation_data.document.subject?.sha256 ?? ""
  return digest === "" || artifact === undefined || digest.toLowerCase() === artifact
}

/** Always: a session states what happened, and policies decide what they ask for then. */
export const agentSession = (_: Payload.AgentSessionPayload): boolean => true

/** The outcome that the override gives. */
export const override = ({ new_compliance_status }: Payload.OverridePayload): boolean =>
  new_compliance_status
