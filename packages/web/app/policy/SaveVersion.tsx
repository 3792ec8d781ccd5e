/** Saves a draft as the next version: shows the diff and the effect, and asks for a comment. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { Policy } from "../shared/Contract.js"
import { Dialog } from "../shared/Dialog.js"
import * as FormErrors from "../shared/FormErrors.js"
import { ProposeButton } from "../shared/ProposeButton.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { send } from "../shared/Transport.js"
import { type EnvironmentEffect, summaryOf } from "./BlastRadius.js"
import { type Radius, SKIPPABLE_ROWS, useBlastRadius } from "./useBlastRadius.js"

export interface ToSave {
  readonly org: string
  readonly name: string
  readonly draft: string
  /** The version that the draft is based on; 0 for a new policy. */
  readonly base: number
  /** The policy on the server; undefined for a new one. */
  readonly policy: Policy | undefined
}

const effectWords = ({
  rows,
  starting,
  stopping
}: Pick<EnvironmentEffect, "rows" | "starting" | "stopping">): string => {
  const [all, start, stop] = [rows, starting, stopping].map(Shorten.count)
  return starting === 0 && stopping === 0
    ? `no change, ${all} rows`
    : `${start} start failing, ${stop} stop failing, of ${all}`
}

const Effects = ({ radius }: { readonly radius: Radius }) => (
  <div class="radius" aria-live="polite">
    {radius.isDone ? <p>{summaryOf(radius.effects)}</p> : null}
    {radius.effects.length === 0 ? null : (
      <ul class="effect-list">
        {radius.effects.map(({ allowed, environment, rows, starting, stopping }) => (
          <li key={environment}>
            <strong>
              <RevealedText text={environment} />
            </strong>{" "}
            {effectWords({ rows, starting, stopping })}
            {allowed === 0 ? null : <span class="quiet"> · {allowed} more are allowed</span>}
          </li>
        ))}
      </ul>
    )}
    {radius.reading === undefined || radius.problem !== undefined ? null : (
      <p class="quiet">
        evaluating what runs in <RevealedText text={radius.reading} />…
      </p>
    )}
    {radius.problem === undefined ? null : (
      <p class="field-problem" role="alert">
        Its effect is not known: <RevealedText text={radius.problem.message} />
      </p>
    )}
    {radius.failure === undefined ? null : (
      <p class="field-problem" role="alert">
        Its effect is not known: {radius.failure}
      </p>
    )}
  </div>
)

/** The number of the latest version on the server; undefined if it cannot be read. */
const latestOf = async ({ name, org }: ToSave): Promise<number | undefined> => {
  const outcome = await send(callOf("policy.get", { org, name }))
  if (outcome._tag === "Refused" && outcome.problem.kind === "missing") return 0
  if (outcome._tag !== "Answered") return undefined
  // WHY: the contract types the answer of this operation.
  return (outcome.value as Policy).versions.at(-1)?.version ?? 0
}

const Problems = ({ problem }: { readonly problem: ApiProblem }) => {
  const { others } = FormErrors.make(problem, [])
  return (
    <ul class="field-problem" role="alert">
      {others.map((message) => (
        <li key={message}>
          <RevealedText text={message} />
        </li>
      ))}
    </ul>
  )
}

const OVERTAKEN =
  "Another version was saved meanwhile. Close this dialog to see what changed, then decide."

/** Saves the draft, at most once at a time. */
const useSaving = (saving: ToSave, because: string, onSaved: () => void) => {
  const { base, draft, name, org } = saving
  const write = useWrite()
  const comment = useSignal(because)
  const isSending = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isOvertaken = useSignal(false)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending.value) return
    isSending.value = true
    const latest = await latestOf(saving)
    isOvertaken.value = latest !== undefined && latest !== base
    if (!isOvertaken.value) {
      const body = { type: "env", policy_yaml: draft, comment: comment.value }
      const written = await write("policy.put", { org, name }, body)
      if (written._tag === "Done") onSaved()
      else problem.value = written.problem
    }
    await cache.refresh(callOf("policy.get", { org, name }).path)
    isSending.value = false
  }
  return { comment, isSending, problem, isOvertaken, save }
}

const CommentField = ({ comment }: { readonly comment: Signal<string> }) => (
  <div class="field">
    <label for="save-comment">Comment</label>
    <input
      id="save-comment"
      value={comment.value}
      autocomplete="off"
      onInput={({ currentTarget: { value } }) => {
        comment.value = value
      }}
    />
    <p class="field-hint">Why it changes; everyone who looks at the versions reads it.</p>
  </div>
)

const isKnownNow = ({ failure, isDone, problem }: Radius): boolean =>
  isDone || problem !== undefined || failure !== undefined

export const SaveVersion = ({
  saving,
  because = "",
  silent,
  onClose,
  onSaved
}: {
  readonly saving: ToSave
  /** The initial comment. */
  readonly because?: string
  /** Environments without a report: there is nothing to evaluate. */
  readonly silent: ReadonlyArray<string>
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const { base, draft, name, org, policy } = saving
  const before = policy?.versions.find(({ version }) => version === base)?.policy_yaml ?? null
  const evaluated = (policy?.consuming_envs ?? []).filter((each) => !silent.includes(each))
  const radius = useBlastRadius(org, evaluated, { name, draft, before })
  const isSkipped = useSignal(false)
  const { comment, isOvertaken, isSending, problem, save } = useSaving(saving, because, onSaved)
  const isKnown = isSkipped.value || isKnownNow(radius)
  const skip = () => {
    isSkipped.value = true
  }
  return (
    <Dialog title={`Save version ${base + 1} of ${name}`} onClose={onClose} isWide>
      <form class="form" onSubmit={save}>
        <Effects radius={radius} />
        <TextDiffView
          diff={TextDiff.make(before ?? "", draft)}
          caption={`Lines that differ from version ${base}`}
        />
        <CommentField comment={comment} />
        <p class="field-problem" role="alert">
          {isOvertaken.value ? OVERTAKEN : ""}
        </p>
        {problem.value === undefined ? null : <Problems problem={problem.value} />}
        <ProposeButton held={problem.value?.held} />
        <div class="form-actions">
          {isKnown || radius.rows <= SKIPPABLE_ROWS ? null : (
            <button type="button" class="button" onClick={skip}>
              Do not wait for the rest
            </button>
          )}
          <button type="button" class="button" onClick={onClose}>
            Back to the text
          </button>
          <button
            type="submit"
            class="button button-main"
            disabled={!isKnown || isSending.value || isOvertaken.value}
          >
            {isSending.value ? "Saving…" : `Save version ${base + 1}`}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
