/**
 * Whether an attestation is compliant: decided once, when it is reported, from what it carries.
 *
 * One function per type; the outcome is stored and never decided again. Custom types are judged by their
 * own schema and rules, through a port, and are not here.
 */
import type * as Payload from "../AttestationPayload.js"

/** What the reporter says. */
export const generic = ({ is_compliant }: Payload.GenericPayload): boolean => is_compliant

/** There are suites, and none has failures or errors; skipped tests do not matter. */
export const junit = ({ junit_results }: Payload.JunitPayload): boolean =>
  junit_results.length > 0 &&
  junit_results.every(({ failures, errors }) => failures === 0 && errors === 0)

/** Nothing of any severity was found; a clean scan may have no runs at all. DECISION D3.2, D3.3 */
export const snyk = ({ snyk_results }: Payload.SnykPayload): boolean =>
  snyk_results.results.every(
    ({ high_count, medium_count, low_count }) =>
      high_count === 0 && medium_count === 0 && low_count === 0
  )

/** There is a quality gate and it says `OK`, nothing else. DECISION D3.4 */
export const sonar = ({ sonar_results }: Payload.SonarPayload): boolean =>
  sonar_results.qualityGate?.status === "OK"

/** At least one issue was referred to, and every one of them exists. */
export const jira = ({ jira_results }: Payload.JiraPayload): boolean =>
  jira_results.length > 0 && jira_results.every(({ issue_exists }) => issue_exists)

/** There is a pull request; its state and who approved it do not matter. DECISION D3.5 */
export const pullRequest = ({ pull_requests }: Payload.PullRequestPayload): boolean =>
  pull_requests.length > 0

/** What the decision says about its control. */
export const decision = ({ attestation_data }: Payload.DecisionPayload): boolean =>
  attestation_data.is_compliant

/** What the override puts in place of the outcome it replaces. */
export const override = ({ new_compliance_status }: Payload.OverridePayload): boolean =>
  new_compliance_status
