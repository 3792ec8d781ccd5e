/** Creates a control, or saves its name, description and links as a new version. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Control } from "../shared/Contract.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as ControlLinks from "./ControlLinks.js"

const FIELDS = ["identifier", "name", "description", "links"]

const Field = ({
  name,
  label,
  value,
  problem,
  hint
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly hint?: string
}) => (
  <div class="field">
    <label for={`control-${name}`}>{label}</label>
    {name === "links" || name === "description" ? (
      <textarea
        id={`control-${name}`}
        name={name}
        rows={3}
        aria-invalid={problem !== undefined}
        defaultValue={value}
      />
    ) : (
      <input
        id={`control-${name}`}
        name={name}
        autocomplete="off"
        aria-invalid={problem !== undefined}
        defaultValue={value}
      />
    )}
    {hint === undefined ? null : <p class="field-hint">{hint}</p>}
    <p class="field-problem" role="alert">
      {problem === undefined ? "" : <RevealedText text={problem} />}
    </p>
  </div>
)

/** Submits the form and holds its errors. */
const useControlForm = (
  org: string,
  control: Control | undefined,
  onSaved: (identifier: string) => void
) => {
  const write = useWrite()
  const errors = useSignal(FormErrors.none)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement) || isSending.value) return
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? "").trim()
    const body = {
      name: text("name"),
      description: text("description") || null,
      links: ControlLinks.parse(text("links"))
    }
    isSending.value = true
    const written =
      control === undefined
        ? await write("control.create", { org }, { ...body, identifier: text("identifier") })
        : await write("control.update", { org, identifier: control.identifier }, body)
    isSending.value = false
    if (written._tag === "Refused") {
      errors.value = FormErrors.make(written.problem, FIELDS)
      return
    }
    const { identifier } = written.value
    await cache.refresh(callOf("control.get", { org, identifier }).path)
    onSaved(identifier)
  }
  return { errors, isSending, submit }
}

const Others = ({ messages }: { readonly messages: ReadonlyArray<string> }) =>
  messages.length === 0 ? null : (
    <ul class="field-problem" role="alert">
      {messages.map((message) => (
        <li key={message}>
          <RevealedText text={message} />
        </li>
      ))}
    </ul>
  )

/** The form in a dialog. */
export const ControlForm = ({
  org,
  control,
  onClose,
  onSaved
}: {
  readonly org: string
  readonly control: Control | undefined
  readonly onClose: () => void
  readonly onSaved: (identifier: string) => void
}) => {
  const { errors, isSending, submit } = useControlForm(org, control, onSaved)
  const { byField, others } = errors.value
  return (
    <Dialog
      title={control === undefined ? "New control" : `Edit ${control.identifier}`}
      onClose={onClose}
    >
      <form class="form" onSubmit={submit} noValidate>
        {control === undefined ? (
          <Field
            name="identifier"
            label="Identifier"
            value=""
            problem={byField.get("identifier")}
            hint="As in the rule book, for example SDLC-7. It cannot be changed."
          />
        ) : null}
        <Field name="name" label="Name" value={control?.name ?? ""} problem={byField.get("name")} />
        <Field
          name="description"
          label="Description"
          value={control?.description ?? ""}
          problem={byField.get("description")}
        />
        <Field
          name="links"
          label="Links"
          value={ControlLinks.print(control?.links ?? {})}
          problem={byField.get("links")}
          hint="One in each line: a name, a space, and an address."
        />
        <Others messages={others} />
        <div class="form-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isSending.value}>
            {control === undefined ? "Create control" : "Save version"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
