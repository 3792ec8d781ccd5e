/** State of a settings form: sends a change of an environment, and shows its result. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../../session/Writing.js"
import type { ApiProblem } from "../../shared/ApiProblem.js"
import { ProposeButton } from "../../shared/ProposeButton.js"
import { cache } from "../../shared/Query.js"
import { RevealedText } from "../../shared/RevealedText.js"

/** The props of the settings sections. */
export interface SettingsTarget {
  readonly org: string
  readonly environment: string
}

type Write = ReturnType<typeof useWrite>

/** A write, and the message to show when it has succeeded. */
export interface Step {
  readonly send: (write: Write) => ReturnType<Write>
  readonly said: string
}

export interface Change {
  readonly isSending: Signal<boolean>
  readonly problem: Signal<ApiProblem | undefined>
  readonly said: Signal<string>
  /** Reverts the last change; undefined if it cannot be reverted. */
  readonly undo: Signal<Step | undefined>
  /** Shows a message, and refetches every query of the page. */
  readonly settle: (said: string, undo?: Step) => void
  /** Sends a write; returns whether it succeeded. */
  readonly run: (send: (write: Write) => ReturnType<Write>, said: string) => Promise<boolean>
}

/** The lists that a change of an environment may affect. */
const LISTS = ["environments", "allowlists", "snapshots", "policies"]

/** The state of one form. A change refetches every query of the page. */
export const useChange = ({ org }: SettingsTarget): Change => {
  const write = useWrite()
  const isSending = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const said = useSignal("")
  const undo = useSignal<Step | undefined>(undefined)
  const settle = (text: string, back?: Step) => {
    said.value = text
    undo.value = back
    for (const list of LISTS) cache.invalidate(`/api/v2/${list}/${encodeURIComponent(org)}`)
  }
  return {
    isSending,
    problem,
    said,
    undo,
    settle,
    run: async (send, text) => {
      if (isSending.value) return false
      isSending.value = true
      const written = await send(write)
      isSending.value = false
      problem.value = written._tag === "Refused" ? written.problem : undefined
      settle(written._tag === "Refused" ? "" : text)
      return written._tag === "Done"
    }
  }
}

/** Shows the result of a change: the server's error, or a success message. */
export const ChangeNote = ({ change }: { readonly change: Change }) => {
  const problem = change.problem.value
  const undo = change.undo.value
  const messages =
    problem === undefined
      ? []
      : problem.errors.size > 0
        ? [...problem.errors.values()]
        : [problem.message]
  return (
    <>
      <p class="field-problem" role="alert">
        {messages.length === 0 ? null : <RevealedText text={messages.join("; ")} />}
      </p>
      <ProposeButton held={problem?.held} />
      <p class="field-said" role="status">
        {change.said.value}
      </p>
      {undo === undefined ? null : (
        <button
          type="button"
          class="button"
          disabled={change.isSending.value}
          onClick={() => void change.run(undo.send, undo.said)}
        >
          Undo
        </button>
      )}
    </>
  )
}
