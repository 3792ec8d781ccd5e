/** Saves a draft as the next version of the trust policy: shows the difference, and asks for a comment. */
import { useSignal } from "@preact/signals"
import type { TextProblem } from "../policy/PolicyWorkerMessages.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { TrustPolicy } from "../shared/Contract.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import type { HeldRequest } from "../shared/HeldRequest.js"
import { ProposeButton } from "../shared/ProposeButton.js"
import { cache } from "../shared/Query.js"
import { TextField } from "../shared/SettingsForm.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { send } from "../shared/Transport.js"
import * as ServerProblems from "./ServerProblems.js"

/** A text to save. */
export interface TrustToSave {
  readonly org: string
  readonly text: string
  /** The version that the text is based on; 0 without one. */
  readonly base: number
  /** The text of that version. */
  readonly before: string
}

/** The number of the latest version on the server, 0 without one; undefined if it cannot be read. */
const latestOf = async (org: string): Promise<number | undefined> => {
  const outcome = await send(callOf("trustPolicy.versions", { org }))
  if (outcome._tag !== "Answered") return undefined
  // WHY: the contract types the answer of this operation.
  return (outcome.value as ReadonlyArray<TrustPolicy>)[0]?.version ?? 0
}

const OVERTAKEN =
  "Another version was saved meanwhile. Close this dialog to see what changed, then decide."

interface Callbacks {
  readonly onClose: () => void
  readonly onSaved: () => void
  /** The server found problems in the text. */
  readonly onRefused: (problems: ReadonlyArray<TextProblem>) => void
}

/** Saves the text, at most once at a time. */
const useSaving = ({ base, org, text }: TrustToSave, { onRefused, onSaved }: Callbacks) => {
  const write = useWrite()
  const comment = useSignal("")
  const isSending = useSignal(false)
  const messages = useSignal<ReadonlyArray<string>>([])
  const held = useSignal<HeldRequest | undefined>(undefined)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending.value) return
    isSending.value = true
    const latest = await latestOf(org)
    if (latest !== undefined && latest !== base) messages.value = [OVERTAKEN]
    else {
      const written = await write(
        "trustPolicy.put",
        { org },
        { trust_yaml: text, comment: comment.value }
      )
      if (written._tag === "Done") onSaved()
      else if (written.problem.kind === "invalid" && written.problem.errors.size > 0)
        onRefused(ServerProblems.make(written.problem.errors))
      else {
        messages.value = FormErrors.make(written.problem, []).others
        held.value = written.problem.held
      }
    }
    await cache.refresh(callOf("trustPolicy.versions", { org }).path)
    isSending.value = false
  }
  return { comment, held, isSending, messages, save }
}

export const SaveTrustPolicy = ({
  saving,
  ...callbacks
}: { readonly saving: TrustToSave } & Callbacks) => {
  const { base, before, text } = saving
  const { comment, held, isSending, messages, save } = useSaving(saving, callbacks)
  return (
    <Dialog
      title={`Save version ${base + 1} of the trust policy`}
      onClose={callbacks.onClose}
      isWide
    >
      <form class="form" onSubmit={save}>
        <TextDiffView
          diff={TextDiff.make(before, text)}
          caption={`Lines that differ from version ${base}`}
        />
        <p class="quiet">It counts for evidence that arrives from now on; earlier results stay.</p>
        <TextField
          label="Comment"
          problem={undefined}
          hint="Why it changes; everyone who looks at the versions reads it."
          text={comment}
        />
        <p class="field-problem" role="alert">
          {messages.value.join(" ")}
        </p>
        <ProposeButton held={held.value} />
        <div class="form-actions">
          <button type="button" class="button" onClick={callbacks.onClose}>
            Back to the text
          </button>
          <button
            type="submit"
            class="button button-main"
            disabled={isSending.value || messages.value.includes(OVERTAKEN)}
          >
            {isSending.value ? "Saving…" : `Save version ${base + 1}`}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
