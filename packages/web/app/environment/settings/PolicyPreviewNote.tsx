/** Previews which verdicts change if a policy is enforced, set to `warn`, or detached. */
import { callOf } from "../../shared/Api.js"
import { CodedText } from "../../shared/CodedText.js"
import type { PolicyPreview } from "../../shared/Contract.js"
import { cache, useQuery } from "../../shared/Query.js"
import { QueryView } from "../../shared/QueryView.js"
import { RevealedText } from "../../shared/RevealedText.js"
import type { SettingsTarget } from "./Change.js"

/** At most this many rows are listed; the rest are counted. */
const SHOWN = 5

const rows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`)

/** The first rows with one reason each, and the number of the rest. */
const Rows = ({
  listed,
  total
}: {
  readonly listed: PolicyPreview["turning_red"]
  readonly total: number
}) => (
  <>
    <ul>
      {listed.slice(0, SHOWN).map(({ fingerprint, name, reasons_for_incompliance }) => (
        <li key={`${name} ${fingerprint}`}>
          <RevealedText text={name} />:{" "}
          <CodedText text={reasons_for_incompliance[0]?.description ?? "a policy says no"} />
        </li>
      ))}
    </ul>
    {total > SHOWN ? <p class="quiet">And {total - SHOWN} more.</p> : null}
  </>
)

const Turning = ({ preview: { turning_red, left_out } }: { readonly preview: PolicyPreview }) => {
  const total = turning_red.length + left_out
  if (total === 0) return <p>Nothing that runs would turn red.</p>
  return (
    <>
      <p>
        <strong>{rows(total)} would turn red.</strong>
      </p>
      <Rows listed={turning_red} total={total} />
    </>
  )
}

/** The rows that would turn compliant, and the number of rows that no policy would evaluate. */
const Released = ({
  preview: { after, left_out, no_longer_red, now }
}: {
  readonly preview: PolicyPreview
}) => {
  const total = no_longer_red.length + left_out
  const unevaluated = after.null - now.null
  return (
    <>
      {total === 0 ? null : (
        <>
          <p>
            <strong>{rows(total)} would no longer be red.</strong>
          </p>
          <Rows listed={no_longer_red} total={total} />
        </>
      )}
      {unevaluated > 0 ? (
        <p>
          {rows(unevaluated)} would not be evaluated at all, because no other policy that counts is
          attached.
        </p>
      ) : null}
      {total === 0 && unevaluated <= 0 ? <p>No verdict changes.</p> : null}
    </>
  )
}

/** The preview of a policy in a mode, or detached. */
export const PolicyPreviewNote = ({
  target: { org, environment },
  policy,
  mode
}: {
  readonly target: SettingsTarget
  readonly policy: string
  readonly mode: PolicyPreview["mode"]
}) => {
  const params = { org, env_name: environment, query: { policy_name: policy, mode } }
  const state = useQuery("environment.preview", params)
  return (
    <div class="preview" role="status">
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("environment.preview", params).path)}
      >
        {(preview) => (
          <>
            {mode === "enforce" ? <Turning preview={preview} /> : <Released preview={preview} />}
            {mode === "warn" ? <p>{rows(preview.rows_warning)} would be warned about.</p> : null}
          </>
        )}
      </QueryView>
    </div>
  )
}
