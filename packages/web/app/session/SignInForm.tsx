/** The form that opens a session with an API key. Only the field and one request have the key. */
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import type { ApiProblem } from "../shared/ApiProblem.js"
import * as Session from "./Session.js"

const messageOf = ({ kind, message, retryAfterSeconds }: ApiProblem): string => {
  if (kind === "signed-out") return "This key opens nothing."
  if (kind === "busy") return `Too many attempts. Try again in ${retryAfterSeconds ?? 60} s.`
  return kind === "invalid" ? "Enter an API key." : message
}

/** `onDone` is called when the session is open. */
export const SignInForm = ({ onDone }: { readonly onDone?: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const id = useId()
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const input = field.current
    if (input === null || isSending.value) return
    if (input.value.trim() === "") {
      problem.value = "Enter an API key."
      input.focus()
      return
    }
    isSending.value = true
    const refused = await Session.open(input.value.trim())
    isSending.value = false
    problem.value = refused === undefined ? undefined : messageOf(refused)
    if (refused === undefined) {
      input.value = ""
      onDone?.()
    } else input.select()
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <div class="field">
        <label for={`${id}-key`}>API key</label>
        <input
          ref={field}
          id={`${id}-key`}
          name="api_key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={problem.value !== undefined}
        />
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem.value}
        </p>
        <p id={`${id}-hint`} class="field-hint">
          You get one when you accept an invitation, or from your administrator:{" "}
          <code>attestry-server key issue --user you</code>
        </p>
      </div>
      <div class="form-actions">
        <button type="submit" class="button button-main" disabled={isSending.value}>
          {isSending.value ? "Signing in…" : "Sign in"}
        </button>
      </div>
    </form>
  )
}
