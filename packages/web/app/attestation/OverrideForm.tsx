/** Overrides the outcome of an attestation: asks for the outcome and the reason, and describes the effect. */
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { useWrite } from "../session/Writing.js"
import type { Attestation } from "../shared/Contract.js"
import * as FormErrors from "../shared/FormErrors.js"
import { isFilled } from "../shared/JsonValue.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"

const FIELDS = ["reason", "new_compliance_status"]

/** The target of the override: the artifact, the slots with their commit, or the trail. */
const scopeOf = ({ artifact_fingerprint, target_artifacts, git_commit_info }: Attestation) => ({
  ...(artifact_fingerprint === undefined ? {} : { artifact_fingerprint }),
  ...(isFilled(target_artifacts) ? { target_artifacts } : {}),
  ...(isFilled(git_commit_info) ? { git_commit_info } : {})
})

/** Refetches every query that shows outcomes. */
const refresh = (org: string): void => {
  for (const list of ["attestations", "trails", "artifacts", "flows", "search"])
    cache.invalidate(`/api/v2/${list}/${encodeURIComponent(org)}`)
}

const About = () => (
  <p class="quiet">
    The attestation stays on record; its outcome is replaced until one of the same name is reported
    again. Running environments are evaluated again with their next report.
  </p>
)

const Outcome = ({
  name,
  value,
  onChange
}: {
  readonly name: string
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}) => (
  <fieldset class="field">
    <legend>Counts as</legend>
    {[true, false].map((each) => (
      <label key={String(each)} class="radio">
        <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
        {each ? "compliant" : "not compliant"}
      </label>
    ))}
  </fieldset>
)

const bodyOf = (attestation: Attestation, outcome: boolean, reason: string) => ({
  ...scopeOf(attestation),
  attestation_name: attestation.attestation_name,
  original_attestation_type: attestation.attestation_type,
  new_compliance_status: outcome,
  reason
})

/** The form; takes the focus when it opens. */
export const OverrideForm = ({
  org,
  attestation,
  onDone
}: {
  readonly org: string
  readonly attestation: Attestation
  readonly onDone: () => void
}) => {
  const write = useWrite()
  const id = useId()
  const first = useRef<HTMLTextAreaElement>(null)
  const outcome = useSignal(!attestation.is_compliant)
  const errors = useSignal(FormErrors.none)
  const isSending = useSignal(false)
  useEffect(() => first.current?.focus(), [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const reason = first.current?.value.trim() ?? ""
    if (isSending.value) return
    if (reason === "") {
      errors.value = { byField: new Map([["reason", "Say why."]]), others: [] }
      first.current?.focus()
      return
    }
    isSending.value = true
    const written = await write(
      "attestation.override",
      { org, flow_name: attestation.flow_name, trail_name: attestation.trail_name },
      bodyOf(attestation, outcome.value, reason)
    )
    isSending.value = false
    if (written._tag === "Refused") {
      errors.value = FormErrors.make(written.problem, FIELDS)
      return
    }
    refresh(org)
    onDone()
  }
  return (
    <form class="form block" onSubmit={submit} noValidate>
      <h3>
        Override <RevealedText text={attestation.attestation_name} />
      </h3>
      <About />
      <Outcome
        name={`${id}-outcome`}
        value={outcome.value}
        onChange={(value) => {
          outcome.value = value
        }}
      />
      <div class="field">
        <label for={`${id}-reason`}>Reason</label>
        <textarea
          ref={first}
          id={`${id}-reason`}
          rows={3}
          aria-describedby={`${id}-problem`}
          aria-invalid={errors.value.byField.has("reason")}
        />
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {errors.value.byField.get("reason")}
        </p>
      </div>
      <p class="field-problem" role="alert">
        {errors.value.others.join(" ")}
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="button button-main" disabled={isSending.value}>
          {isSending.value ? "Overriding…" : "Override"}
        </button>
      </div>
    </form>
  )
}
