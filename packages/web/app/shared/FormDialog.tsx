/** A form in a dialog: fields with the server's messages beside them, and a button that names the action. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Dialog } from "./Dialog.js"
import * as FormErrors from "./FormErrors.js"
import type { Written } from "./Mutation.js"
import { ProposeButton } from "./ProposeButton.js"

/** The message beside a field; undefined if there is none. */
export type ProblemOf = (field: string) => string | undefined

/** A dialog that sends one write. It closes after success, and keeps the typed values after an error. */
export const FormDialog = <A,>({
  title,
  action,
  fields,
  write,
  onDone,
  onClose,
  children
}: {
  readonly title: string
  readonly action: string
  /** The field names that the server uses in errors. */
  readonly fields: ReadonlyArray<string>
  /** Undefined if there is nothing to send yet. */
  readonly write: () => Promise<Written<A>> | undefined
  readonly onDone: (value: A) => void
  readonly onClose: () => void
  readonly children: (problemOf: ProblemOf) => ComponentChildren
}) => {
  const errors = useSignal(FormErrors.none)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending.value) return
    const sent = write()
    if (sent === undefined) return
    isSending.value = true
    const written = await sent
    isSending.value = false
    if (written._tag === "Refused") errors.value = FormErrors.make(written.problem, fields)
    else onDone(written.value)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={submit} noValidate>
        {children((field) => errors.value.byField.get(field))}
        <p class="field-problem" role="alert">
          {errors.value.others.join(" ")}
        </p>
        <ProposeButton held={errors.value.held} />
        <div class="form-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isSending.value}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
