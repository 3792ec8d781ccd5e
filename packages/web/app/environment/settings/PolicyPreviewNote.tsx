/** What would turn red if a policy counted, before it does. */
import { callOf } from "../../shared/Api.js"
import { CodedText } from "../../shared/CodedText.js"
import type { PolicyPreview } from "../../shared/Contract.js"
import { cache, useQuery } from "../../shared/Query.js"
import { QueryView } from "../../shared/QueryView.js"
import { RevealedText } from "../../shared/RevealedText.js"
import type { SettingsTarget } from "./Change.js"

/** So many rows are listed; the others are counted. */
const SHOWN = 5

const rows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`)

const Turning = ({ preview: { turning_red, left_out } }: { readonly preview: PolicyPreview }) => {
  const total = turning_red.length + left_out
  if (total === 0) return <p>Nothing that runs would turn red.</p>
  return (
    <>
      <p>
        <strong>{rows(total)} would turn red.</strong>
      </p>
      <ul>
        {turning_red.slice(0, SHOWN).map(({ fingerprint, name, reasons_for_incompliance }) => (
          <li key={`${name} ${fingerprint}`}>
            <RevealedText text={name} />:{" "}
            <CodedText text={reasons_for_incompliance[0]?.description ?? "a policy says no"} />
          </li>
        ))}
      </ul>
      {total > SHOWN ? <p class="quiet">And {total - SHOWN} more.</p> : null}
    </>
  )
}

/** The preview of a policy in a mode. */
export const PolicyPreviewNote = ({
  target: { org, environment },
  policy,
  mode
}: {
  readonly target: SettingsTarget
  readonly policy: string
  readonly mode: "enforce" | "warn"
}) => {
  const params = { org, env_name: environment, query: { policy_name: policy, mode } }
  const state = useQuery("E12", params)
  return (
    <div class="preview" role="status">
      <QueryView state={state} retry={() => void cache.refresh(callOf("E12", params).path)}>
        {(preview) =>
          mode === "enforce" ? (
            <Turning preview={preview} />
          ) : (
            <p>{rows(preview.rows_warning)} would be warned about. No verdict changes.</p>
          )
        }
      </QueryView>
    </div>
  )
}
