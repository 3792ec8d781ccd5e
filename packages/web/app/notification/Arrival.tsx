/** Whether the deliveries of a subscription succeed. */
import type { Action, ActionTarget } from "../shared/Contract.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { errorText } from "./NotificationText.js"

const isFailing = ({ last_failure_at: failure, last_success_at: success }: ActionTarget): boolean =>
  failure !== null && (success === null || failure > success)

export const Arrival = ({ action }: { readonly action: Action }) => {
  const { is_failing, last_success_timestamp, last_failure_timestamp } = action
  const error = action.targets.find(isFailing)?.last_error ?? undefined
  if (is_failing)
    return (
      <span class="arrival">
        <VerdictMark verdict="non-compliant" word label="failing" />{" "}
        {last_failure_timestamp === null ? null : <Timestamp seconds={last_failure_timestamp} />}
        {error === undefined ? null : <span class="arrival-error">{errorText(error)}</span>}
      </span>
    )
  return last_success_timestamp === null || last_success_timestamp === 0 ? (
    <span class="quiet">nothing sent yet</span>
  ) : (
    <span class="arrival">
      <VerdictMark verdict="compliant" label="delivered" />{" "}
      <Timestamp seconds={last_success_timestamp} />
    </span>
  )
}

export const TargetArrival = ({ target }: { readonly target: ActionTarget }) => {
  const { last_success_at: success, last_failure_at: failure } = target
  if (failure !== null && isFailing(target))
    return (
      <span class="arrival">
        <VerdictMark verdict="non-compliant" word label="failed" /> <Timestamp seconds={failure} />
        {target.last_error === null ? null : (
          <span class="arrival-error">{errorText(target.last_error)}</span>
        )}
      </span>
    )
  return success === null ? (
    <span class="quiet">nothing sent yet</span>
  ) : (
    <span class="arrival">
      <VerdictMark verdict="compliant" label="delivered" /> <Timestamp seconds={success} />
    </span>
  )
}
