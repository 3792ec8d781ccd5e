/** A form that sends one write: fields with the server's messages beside them, and a note when it is saved. */
import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId } from "preact/hooks"
import * as FormErrors from "./FormErrors.js"
import type { Written } from "./Mutation.js"
import { ProposeButton } from "./ProposeButton.js"

/** A field: label, control, and message. */
export const Field = ({
  label,
  problem,
  hint,
  control
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly hint?: ComponentChildren
  readonly control: (attributes: {
    readonly id: string
    readonly "aria-describedby": string
    readonly "aria-invalid": boolean
  }) => ComponentChildren
}) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        "aria-describedby": `${id}-problem ${id}-hint`,
        "aria-invalid": problem !== undefined
      })}
      <p id={`${id}-problem`} class="field-problem" role="alert">
        {problem}
      </p>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** A field of one line, bound to a signal. */
export const TextField = ({
  label,
  problem,
  hint,
  text
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly hint?: ComponentChildren
  readonly text: Signal<string>
}) => (
  <Field
    label={label}
    problem={problem}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <input
        {...attributes}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
    )}
  />
)

/** A field with a choice of values. */
export const ChoiceField = ({
  label,
  value,
  set,
  options,
  problem,
  hint
}: {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly problem?: string | undefined
  readonly hint?: ComponentChildren
}) => (
  <Field
    label={label}
    problem={problem}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

/** A field of one line in a row of a form. */
export const RowField = ({
  label,
  value,
  set,
  problem,
  hint
}: {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  readonly problem?: string | undefined
  readonly hint?: ComponentChildren
}) => (
  <Field
    label={label}
    problem={problem}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <input
        {...attributes}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    )}
  />
)

/** A section with a form. The button is disabled until `write` has its answer. */
export const SettingsForm = ({
  title,
  about,
  fields,
  restField,
  action,
  done = "Saved.",
  rows = "",
  write,
  children
}: {
  readonly title: string
  readonly about?: ComponentChildren
  /** The field names that the server uses in errors. */
  readonly fields: ReadonlyArray<string>
  /** The field that gets errors about its parts, such as a document. */
  readonly restField?: string
  readonly action: string
  /** Said after a write. */
  readonly done?: string
  /** The order of rows; messages belong to places, so they go when it changes. */
  readonly rows?: string
  /** Undefined if there is nothing to send. */
  readonly write: () => Promise<Written<unknown>> | undefined
  readonly children: (problemOf: (field: string) => string | undefined) => ComponentChildren
}) => {
  const errors = useSignal(FormErrors.none)
  const phase = useSignal<"idle" | "sending" | "saved">("idle")
  useEffect(() => {
    errors.value = FormErrors.none
  }, [rows, errors])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (phase.value === "sending") return
    const sent = write()
    if (sent === undefined) return
    phase.value = "sending"
    const written = await sent
    errors.value =
      written._tag === "Done"
        ? FormErrors.none
        : restField === undefined
          ? FormErrors.make(written.problem, fields)
          : FormErrors.makeWithRest(written.problem, fields, restField)
    phase.value = written._tag === "Refused" ? "idle" : "saved"
  }
  return (
    <section class="block">
      <h2>{title}</h2>
      {about === undefined ? null : <p class="quiet">{about}</p>}
      <form
        class="form"
        onSubmit={submit}
        onInput={() => {
          if (phase.value === "saved") phase.value = "idle"
        }}
        noValidate
      >
        {children((field) => errors.value.byField.get(field))}
        <p class="field-problem" role="alert">
          {errors.value.others.join(" ")}
        </p>
        <ProposeButton held={errors.value.held} />
        <div class="form-actions form-actions-start">
          <button type="submit" class="button button-main" disabled={phase.value === "sending"}>
            {action}
          </button>
          <span class="quiet" role="status">
            {phase.value === "saved" ? done : ""}
          </span>
        </div>
      </form>
    </section>
  )
}
