/** Adds an artifact to an environment's allow-list, with a reason, in a dialog that names both. */
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { useWrite } from "../session/Writing.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"

/** The artifact and the environment. */
export interface Allowed {
  readonly org: string
  readonly environment: string
  readonly name: string
  readonly fingerprint: string
}

const AllowForm = ({
  allowed,
  onDone
}: {
  readonly allowed: Allowed
  readonly onDone: () => void
}) => {
  const { org, environment, name, fingerprint } = allowed
  const write = useWrite()
  const id = useId()
  const reason = useSignal("")
  const errors = useSignal<FormErrors.FormErrors>(FormErrors.none)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    isSending.value = true
    const written = await write(
      "allowList.put",
      { org, env_name: environment },
      { artifact_fingerprint: fingerprint, artifact_name: name, description: reason.value.trim() }
    )
    isSending.value = false
    if (written._tag === "Refused") {
      errors.value = FormErrors.make(written.problem, ["description"])
      return
    }
    for (const part of ["snapshots", "environments", "allowlists"])
      cache.invalidate(`/api/v2/${part}/${org}/${encodeURIComponent(environment)}`)
    onDone()
  }
  const problem = errors.value.byField.get("description") ?? errors.value.others[0]
  return (
    <form class="form" onSubmit={submit} noValidate>
      <p>
        <RevealedText text={name} /> becomes compliant in{" "}
        <strong>
          <RevealedText text={environment} />
        </strong>
        , even if it fails the policies of that environment. The environment is evaluated again at
        once, which makes a new snapshot.
      </p>
      <code class="detail-fingerprint">{fingerprint}</code>
      <div class="field">
        <label for={`${id}-reason`}>Reason</label>
        <input
          id={`${id}-reason`}
          name="description"
          autocomplete="off"
          value={reason.value}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget: { value } }) => {
            reason.value = value
          }}
        />
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      </div>
      <div class="form-actions">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="button button-main" disabled={isSending.value}>
          Allow here
        </button>
      </div>
    </form>
  )
}

/** The button and its dialog. */
export const AllowHere = (allowed: Allowed) => {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        Allow here…
      </button>
      {isOpen.value ? (
        <Dialog title="Allow an artifact" onClose={close}>
          <AllowForm allowed={allowed} onDone={close} />
        </Dialog>
      ) : null}
    </>
  )
}
