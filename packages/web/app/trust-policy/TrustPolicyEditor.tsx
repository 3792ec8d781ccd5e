/** The editor of the trust policy: its text, the problems at their lines, and saving. */
import { useSignal } from "@preact/signals"
import type { TextProblem } from "../policy/PolicyWorkerMessages.js"
import { ProblemList } from "../policy/ProblemList.js"
import { useEditor } from "../policy/useEditor.js"
import type { TrustPolicy } from "../shared/Contract.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { SaveTrustPolicy } from "./SaveTrustPolicy.js"
import { type TrustDraft, useTrustDraft } from "./useTrustDraft.js"
import { useTrustReading } from "./useTrustReading.js"

/** WHY a delay: problems appear soon, but not while a word is half typed. */
const READ_AFTER_MS = 150

/** WHY a constant: a new empty list would run effects again. */
const NO_PROBLEMS: ReadonlyArray<TextProblem> = []

/** Warns that another version was saved meanwhile, and shows the difference. */
const Overtaken = ({
  draft: { base, setBase },
  versions
}: {
  readonly draft: TrustDraft
  readonly versions: ReadonlyArray<TrustPolicy>
}) => {
  const [latest] = versions
  const mine = versions.find(({ version }) => version === base)
  if (latest === undefined || latest.version <= base) return null
  return (
    <div class="note note-overtaken" role="alert">
      <strong>
        Version {latest.version} was saved by <RevealedText text={latest.created_by} /> meanwhile
      </strong>
      <p>Your text is kept. This is what changed since version {base}:</p>
      <TextDiffView
        diff={TextDiff.make(mine?.trust_yaml ?? "", latest.trust_yaml)}
        caption={`What version ${latest.version} changed`}
      />
      <p>
        <button type="button" class="button" onClick={() => setBase(latest.version)}>
          Go on with my text, as version {latest.version + 1}
        </button>
      </p>
    </div>
  )
}

const statusOf = (errors: number, isEdited: boolean, base: number): string => {
  if (errors > 0) return `${errors} ${errors === 1 ? "problem" : "problems"}`
  if (isEdited) return `draft of version ${base + 1}`
  return base === 0 ? "an example, not saved" : `version ${base}, unchanged`
}

/** The problems of the current text: those of the policy worker, else those of the server, else remarks. */
const useProblems = (text: string) => {
  const refused = useSignal<{ readonly text: string; readonly found: typeof NO_PROBLEMS }>({
    text: "",
    found: NO_PROBLEMS
  })
  const reading = useTrustReading(text, READ_AFTER_MS)
  const known = reading?.problems ?? NO_PROBLEMS
  const sent = refused.value.text === text ? refused.value.found : NO_PROBLEMS
  const errors = known.length > 0 ? known : sent
  return {
    errors: errors.length,
    shown: errors.length > 0 ? errors : (reading?.remarks ?? NO_PROBLEMS),
    /** Whether the text was read and has no problem. */
    isGood: reading?.text === text && errors.length === 0,
    refuse: (found: typeof NO_PROBLEMS) => {
      refused.value = { text, found }
    }
  }
}

const Text = ({
  draft,
  problems
}: {
  readonly draft: TrustDraft
  readonly problems: ReadonlyArray<TextProblem>
}) => {
  const Editor = useEditor()
  const goTo = useSignal<TextProblem | undefined>(undefined)
  return (
    <>
      {Editor === undefined ? (
        <Skeleton />
      ) : (
        <Editor
          label="Text of the trust policy"
          value={draft.text}
          revision={draft.revision}
          problems={problems}
          goTo={goTo.value}
          onChange={draft.setText}
        />
      )}
      <ProblemList
        problems={problems}
        onSelect={(selected) => {
          goTo.value = { ...selected }
        }}
      />
    </>
  )
}

/** The editor; `versions` are newest first, and empty while there is no trust policy. */
export const TrustPolicyEditor = ({
  org,
  versions
}: {
  readonly org: string
  readonly versions: ReadonlyArray<TrustPolicy>
}) => {
  const draft = useTrustDraft(org, versions[0])
  const { errors, isGood, refuse, shown } = useProblems(draft.text)
  const isSaving = useSignal(false)
  const { base, text } = draft
  const before = versions.find(({ version }) => version === base)?.trust_yaml
  // WHY: right after saving, the versions do not have the saved one yet.
  const isChanged = before === undefined ? base === 0 : text !== before
  const close = () => {
    isSaving.value = false
  }
  return (
    <section class="policy-part" aria-label="Editor">
      <Overtaken draft={draft} versions={versions} />
      <div class="trust-head">
        <h2>Text</h2>
        <div class="editor-actions">
          <span class={errors === 0 ? "quiet" : "editor-bad"} role="status">
            {statusOf(errors, draft.isEdited, base)}
          </span>
          {draft.isEdited ? (
            <button type="button" class="button" onClick={draft.discard}>
              Discard
            </button>
          ) : null}
          <button
            type="button"
            class="button button-main"
            disabled={!isGood || !isChanged}
            onClick={() => {
              isSaving.value = true
            }}
          >
            Save version…
          </button>
        </div>
      </div>
      <Text draft={draft} problems={shown} />
      {isSaving.value ? (
        <SaveTrustPolicy
          saving={{ org, text, base, before: before ?? "" }}
          onClose={close}
          onSaved={() => {
            draft.saved(base + 1)
            close()
          }}
          onRefused={(found) => {
            refuse(found)
            close()
          }}
        />
      ) : null}
    </section>
  )
}
