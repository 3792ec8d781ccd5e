/** Adds an artifact to an environment's allow-list, with a reason, an end and an owner, in a dialog that names both. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import { ProposeButton } from "../shared/ProposeButton.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, TextField } from "../shared/SettingsForm.js"

const SECONDS_PER_DAY = 86_400

/** How long an artifact is allowed, in days; 0 for no end. */
const LENGTHS: ReadonlyArray<readonly [days: number, text: string]> = [
  [1, "1 day"],
  [3, "3 days"],
  [7, "1 week"],
  [30, "30 days"],
  [0, "no end"]
]

/** The end after some days; none for 0. */
const endOf = (days: number): { readonly expires_at?: number } =>
  days === 0 ? {} : { expires_at: Math.ceil(Date.now() / 1_000) + days * SECONDS_PER_DAY }

const FIELDS = ["description", "expires_at", "owner"]

/** The artifact and the environment. */
export interface Allowed {
  readonly org: string
  readonly environment: string
  readonly name: string
  readonly fingerprint: string
}

const UntilField = ({
  days,
  problem
}: {
  readonly days: Signal<number>
  readonly problem: string | undefined
}) => (
  <Field
    label="Until"
    problem={problem}
    hint="Its policies decide again at the end."
    control={(attributes) => (
      <select
        {...attributes}
        value={days.value}
        onChange={({ currentTarget: { value } }) => {
          days.value = Number(value)
        }}
      >
        {LENGTHS.map(([length, text]) => (
          <option key={length} value={length}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

const AllowForm = ({
  allowed,
  onDone
}: {
  readonly allowed: Allowed
  readonly onDone: () => void
}) => {
  const { org, environment, name, fingerprint } = allowed
  const write = useWrite()
  const reason = useSignal("")
  const owner = useSignal("")
  const days = useSignal(7)
  const errors = useSignal<FormErrors.FormErrors>(FormErrors.none)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    isSending.value = true
    const entry = {
      artifact_fingerprint: fingerprint,
      artifact_name: name,
      description: reason.value.trim(),
      ...endOf(days.value),
      ...(owner.value.trim() === "" ? {} : { owner: owner.value.trim() })
    }
    const written = await write("allowList.put", { org, env_name: environment }, entry)
    isSending.value = false
    if (written._tag === "Refused") {
      errors.value = FormErrors.make(written.problem, FIELDS)
      return
    }
    for (const part of ["snapshots", "environments", "allowlists"])
      cache.invalidate(`/api/v2/${part}/${org}/${encodeURIComponent(environment)}`)
    onDone()
  }
  const { byField, others } = errors.value
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
      <TextField label="Reason" problem={byField.get("description") ?? others[0]} text={reason} />
      <UntilField days={days} problem={byField.get("expires_at")} />
      <TextField
        label="Owner"
        problem={byField.get("owner")}
        hint="The login of the member who answers for it. Leave it empty to own it yourself."
        text={owner}
      />
      <ProposeButton held={errors.value.held} />
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
