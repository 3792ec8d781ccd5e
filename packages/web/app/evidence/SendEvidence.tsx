/**
 * Sends an evidence file from the browser: the server first says what it would record, then the same file is recorded.
 */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { AcceptedEvidence } from "../shared/Contract.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, TextField } from "../shared/SettingsForm.js"
import { Accepted } from "./AcceptedParts.js"

const FIELDS = ["file", "query.flow_name", "query.trail_name", "query.fingerprint"]

/** Refetches every query that shows evidence or outcomes. */
const refresh = (org: string): void => {
  for (const list of ["evidence", "attestations", "trails", "artifacts", "flows", "search"])
    cache.invalidate(`/api/v2/${list}/${encodeURIComponent(org)}`)
}

const typed = (text: Signal<string>): string | undefined => text.value.trim() || undefined

/** Messages, each once: the server says a line of the file in its message and beside the place. */
const each = (messages: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(messages.map((message) => [message.toLowerCase(), message])).values()
]

/** The file and its place, as they are typed. */
const useInput = () => ({
  file: useSignal<File | undefined>(undefined),
  flow: useSignal(""),
  trail: useSignal(""),
  fingerprint: useSignal("")
})

type Input = ReturnType<typeof useInput>

const queryOf = ({ file, fingerprint, flow, trail }: Input) => ({
  filename: file.value?.name || undefined,
  flow_name: typed(flow),
  trail_name: typed(trail),
  fingerprint: typed(fingerprint)
    ?.toLowerCase()
    .replace(/^sha256:/, "")
})

/** What is left to fill in, by field. */
const missingOf = ({ file, flow, trail }: Input): ReadonlyMap<string, string> => {
  const pair = "A flow and its trail go together."
  return new Map([
    ...(file.value === undefined ? [["file", "Choose a file."] as const] : []),
    ...(typed(flow) === undefined && typed(trail) !== undefined
      ? [["query.flow_name", pair] as const]
      : []),
    ...(typed(flow) !== undefined && typed(trail) === undefined
      ? [["query.trail_name", pair] as const]
      : [])
  ])
}

/** Sends the form: a check as long as nothing is checked, and then the write. */
const useSending = (org: string, input: Input, onDone: () => void) => {
  const write = useWrite()
  const errors = useSignal(FormErrors.none)
  const isSending = useSignal(false)
  const checked = useSignal<AcceptedEvidence | undefined>(undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const file = input.file.value
    if (isSending.value) return
    const missing = missingOf(input)
    if (file === undefined || missing.size > 0) {
      errors.value = { byField: missing, others: [] }
      return
    }
    const isCheck = checked.value === undefined
    const query = { ...queryOf(input), ...(isCheck ? { dry_run: true as const } : {}) }
    isSending.value = true
    const written = await write("evidence.submit", { org, query }, file)
    isSending.value = false
    if (written._tag === "Refused") {
      checked.value = undefined
      errors.value = FormErrors.make(written.problem, FIELDS)
      return
    }
    errors.value = FormErrors.none
    if (isCheck) {
      checked.value = written.value
      return
    }
    refresh(org)
    onDone()
  }
  return { checked, errors, isSending, submit }
}

const Inputs = ({
  input,
  problemOf
}: {
  readonly input: Input
  readonly problemOf: (field: string) => string | undefined
}) => (
  <>
    <Field
      label="File"
      problem={problemOf("file")}
      control={(attributes) => (
        <input
          {...attributes}
          type="file"
          onChange={({ currentTarget }) => {
            input.file.value = currentTarget.files?.[0]
          }}
        />
      )}
    />
    <TextField
      label="Flow"
      problem={problemOf("query.flow_name")}
      hint="With its trail, for a file that does not name what it is about."
      text={input.flow}
    />
    <TextField label="Trail" problem={problemOf("query.trail_name")} text={input.trail} />
    <TextField
      label="Fingerprint"
      problem={problemOf("query.fingerprint")}
      hint="The artifact that it is about, if the file does not name it."
      text={input.fingerprint}
    />
  </>
)

const actionOf = (isSending: boolean, isChecked: boolean): string => {
  if (isSending) return isChecked ? "Recording…" : "Checking…"
  return isChecked ? "Record" : "Check"
}

/** The form in a dialog. A changed input is checked again before it is recorded. */
export const SendEvidence = ({
  org,
  onClose
}: {
  readonly org: string
  readonly onClose: () => void
}) => {
  const input = useInput()
  const { checked, errors, isSending, submit } = useSending(org, input, onClose)
  const { byField, others } = errors.value
  return (
    <Dialog title="Send an evidence file" onClose={onClose}>
      <form
        class="form"
        onSubmit={submit}
        onInput={() => {
          checked.value = undefined
        }}
        noValidate
      >
        <p class="quiet">
          The server recognises the file by its content and verifies it by the trust policy. A check
          records nothing.
        </p>
        <fieldset class="sent-input" disabled={isSending.value}>
          <legend class="visually-hidden">File and place</legend>
          <Inputs input={input} problemOf={(field) => byField.get(field)} />
        </fieldset>
        <ul class="field-problem" role="alert">
          {each(others).map((message) => (
            <li key={message}>
              <RevealedText text={message} />
            </li>
          ))}
        </ul>
        <div role="status">
          {checked.value === undefined ? null : <Accepted answer={checked.value} />}
        </div>
        <div class="form-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isSending.value}>
            {actionOf(isSending.value, checked.value !== undefined)}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
