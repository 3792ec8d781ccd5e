/** Whether an artifact would pass in an environment now. */
import { ReceiptLink } from "../receipt/ReceiptLink.js"
import { callOf } from "../shared/Api.js"
import type { Assertion } from "../shared/Contract.js"
import { Ending } from "../shared/Ending.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { REMEDIES, Remedies } from "../snapshot/Remedies.js"
import { RowWarnings } from "../snapshot/RowWarnings.js"

const Reasons = ({ org, assertion }: { readonly org: string; readonly assertion: Assertion }) => {
  const { reasons_for_incompliance: reasons } = assertion
  return (
    <ol class="reasons">
      {reasons.map(({ policy_name, policy_version, description }, index) => (
        <li key={index}>
          <a href={Navigation.href("Policy", { org, policy: policy_name })}>
            <RevealedText text={policy_name} />
          </a>{" "}
          <span class="quiet">v{policy_version}</span> <RevealedText text={description} />
        </li>
      ))}
    </ol>
  )
}

/** The answer, its reasons, and what would mend them. */
export const AssertionAnswer = ({
  org,
  fingerprint,
  environment,
  isEvaluated
}: {
  readonly org: string
  readonly fingerprint: string
  readonly environment: string
  /** Whether a policy is attached to the environment. Without one, nothing is evaluated there. */
  readonly isEvaluated: boolean
}) => {
  const params = { org, fingerprint, query: { environment_name: environment, remedies: REMEDIES } }
  const state = useQuery("assertion.assert", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("assertion.assert", params).path)}
    >
      {(assertion) => {
        const count = assertion.reasons_for_incompliance.length
        const isAllowed = assertion.is_allowed === true
        return (
          <div role="status">
            <p>
              <VerdictMark
                verdict={isEvaluated || isAllowed ? fromState(assertion.compliant) : "unknown"}
                word
              />{" "}
              {isAllowed
                ? "it would pass, because it is on the allow-list"
                : !isEvaluated
                  ? "no policy is attached there"
                  : assertion.compliant
                    ? "it would pass"
                    : `it would not pass: ${count} ${count === 1 ? "reason" : "reasons"}`}
              {assertion.expires_at === undefined ? null : (
                <>
                  ; that <Ending seconds={assertion.expires_at} />
                </>
              )}
            </p>
            <Reasons org={org} assertion={assertion} />
            <RowWarnings org={org} warnings={assertion.warnings} />
            <Remedies org={org} answer={assertion} />
            {isEvaluated || isAllowed ? (
              <p class="below">
                <ReceiptLink org={org} environment={environment} asserted={fingerprint} />
              </p>
            ) : null}
          </div>
        )
      }}
    </QueryView>
  )
}
