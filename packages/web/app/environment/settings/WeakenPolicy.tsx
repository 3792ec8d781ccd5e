/** Asks for a reason before a policy is detached or set to `warn`, and lists the rows that would turn compliant. */
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { useWrite } from "../../session/Writing.js"
import { FormDialog } from "../../shared/FormDialog.js"
import { RevealedText } from "../../shared/RevealedText.js"
import type { Change, SettingsTarget } from "./Change.js"
import { PolicyPreviewNote } from "./PolicyPreviewNote.js"

/** The change that weakens a policy. */
export type Weakening = "detach" | "warn"

const TITLE = { detach: "Detach this policy", warn: "Let this policy only warn" } as const
const ACTION = { detach: "Detach", warn: "Only warn" } as const
const SAID = {
  detach: "is detached. The environment was evaluated again, in a new snapshot.",
  warn: "only warns now. The environment was evaluated again, in a new snapshot."
} as const
const UNDONE = "is as it was before. The environment was evaluated again, in a new snapshot."

export const WeakenPolicy = ({
  target,
  name,
  mode,
  weakening,
  change,
  onClose
}: {
  readonly target: SettingsTarget
  readonly name: string
  /** The current mode, which undo restores. */
  readonly mode: "enforce" | "warn"
  readonly weakening: Weakening
  readonly change: Change
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const id = useId()
  const reason = useSignal("")
  const isMissing = useSignal(false)
  const params = { org: target.org, env_name: target.environment }
  const send = () => {
    const because = reason.value.trim()
    isMissing.value = because === ""
    if (isMissing.value) return undefined
    const payload = { policy_names: [name], reason: because }
    return weakening === "detach"
      ? write("environment.detach", params, payload)
      : write("environment.attach", params, { ...payload, mode: "warn" })
  }
  const undo = {
    send: (again: typeof write) =>
      again("environment.attach", params, {
        policy_names: [name],
        mode,
        reason: `undone, given was: ${reason.value.trim()}`
      }),
    said: `${name} ${UNDONE}`
  }
  return (
    <FormDialog
      title={TITLE[weakening]}
      action={ACTION[weakening]}
      fields={["reason"]}
      write={send}
      onDone={() => {
        change.problem.value = undefined
        change.settle(`${name} ${SAID[weakening]}`, undo)
        onClose()
      }}
      onClose={onClose}
    >
      {(problemOf) => {
        const problem = isMissing.value ? "Say why." : problemOf("reason")
        return (
          <>
            <p>
              <RevealedText text={name} /> in{" "}
              <strong>
                <RevealedText text={target.environment} />
              </strong>
              . The environment is evaluated again at once, which makes a new snapshot.
            </p>
            <PolicyPreviewNote target={target} policy={name} mode={weakening} />
            <div class="field">
              <label for={`${id}-reason`}>Reason</label>
              <input
                id={`${id}-reason`}
                name="reason"
                autocomplete="off"
                value={reason.value}
                aria-describedby={`${id}-problem`}
                aria-invalid={problem !== undefined}
                onInput={({ currentTarget: { value } }) => {
                  reason.value = value
                  isMissing.value = false
                }}
              />
              <p id={`${id}-problem`} class="field-problem" role="alert">
                {problem}
              </p>
            </div>
          </>
        )
      }}
    </FormDialog>
  )
}
