/** The editor of one policy with its playground: the text, its problems, what it would decide, and saving it. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { type ComponentType, Fragment } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import * as Session from "../session/Session.js"
import type { Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import type { EditorProps } from "./Editor.js"
import { judge } from "./Judge.js"
import type { Reading, TextProblem } from "./JudgeMessages.js"
import { Playground } from "./Playground.js"
import { completionsAt, type Vocabulary } from "./PolicyCompletion.js"
import * as PolicyDraft from "./PolicyDraft.js"
import { SaveVersion } from "./SaveVersion.js"
import * as TryTarget from "./TryTarget.js"
import { useReading } from "./useReading.js"
import { type Trial, useTrial } from "./useTrial.js"

/** WHY: a person sees a problem soon, and not while a word is half typed. */
const READ_AFTER_MS = 150

/** The editor, once its code is loaded. */
const useEditor = (): ComponentType<EditorProps> | undefined => {
  const loaded = useSignal<{ readonly Editor: ComponentType<EditorProps> } | undefined>(undefined)
  useEffect(() => {
    let isWanted = true
    void import("./Editor.js").then(({ Editor }) => {
      if (isWanted) loaded.value = { Editor }
    })
    return () => {
      isWanted = false
    }
  }, [loaded])
  return loaded.value?.Editor
}

/** The words that the org uses, for completions. */
const useVocabulary = (org: string, trial: Trial): Vocabulary => {
  const schema = useSignal<unknown>(undefined)
  useEffect(() => {
    judge.ask("schema", {}).then(
      (answer) => {
        schema.value = answer
      },
      () => undefined
    )
  }, [schema])
  const controls = knownOf(useQuery("C2", { org, query: { page: 1, per_page: 100 } }))?.value
  const flows = trial.found?.rows.flatMap(({ facts }) => facts.flows) ?? []
  const unique = (words: ReadonlyArray<string>) => [...new Set(words)].sort()
  return {
    schema: schema.value,
    attestationNames: unique(
      flows.flatMap(({ attestations }) => attestations.map(({ name }) => name))
    ),
    controls: controls?.controls ?? [],
    tagKeys: unique(flows.flatMap(({ tags }) => Object.keys(tags)))
  }
}

const ProblemList = ({
  problems,
  onSelect
}: {
  readonly problems: ReadonlyArray<TextProblem>
  readonly onSelect: (problem: TextProblem) => void
}) => (
  <div class="problem-list" role="status" aria-label="Problems of the text">
    {problems.length === 0 ? (
      <p class="quiet">No problems. Tab indents; press Esc, then Tab, to leave the text.</p>
    ) : (
      <ol>
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.message}`}>
            <button type="button" class="link-button" onClick={() => onSelect(problem)}>
              line {problem.line}, column {problem.column}
            </button>{" "}
            <RevealedText text={problem.message} />
          </li>
        ))}
      </ol>
    )}
  </div>
)

const statusOf = (reading: Reading | undefined, isChanged: boolean, base: number): string => {
  const problems = reading?.problems.length ?? 0
  if (problems > 0) return `${problems} ${problems === 1 ? "problem" : "problems"}`
  if (isChanged) return `draft of version ${base + 1}`
  return base === 0 ? "nothing written yet" : `version ${base}, unchanged`
}

/** Says that another version was saved meanwhile, and shows what it changed. */
const Overtaken = ({
  policy,
  base,
  onAccept
}: {
  readonly policy: Policy
  readonly base: number
  readonly onAccept: () => void
}) => {
  const latest = policy.versions.at(-1)
  const mine = policy.versions.find(({ version }) => version === base)
  if (latest === undefined || latest.version <= base) return null
  return (
    <div class="note note-overtaken" role="alert">
      <strong>
        Version {latest.version} was saved by <RevealedText text={latest.created_by} /> meanwhile
      </strong>
      <p>Your text is kept. This is what changed since version {base}:</p>
      <TextDiffView
        diff={TextDiff.make(mine?.policy_yaml ?? "", latest.policy_yaml)}
        caption={`What version ${latest.version} changed`}
      />
      <p>
        <button type="button" class="button" onClick={onAccept}>
          Go on with my text, as version {latest.version + 1}
        </button>
      </p>
    </div>
  )
}

/** The text of an editor, kept in this tab until it is saved. */
const useDraft = (org: string, name: string, policy: Policy | undefined) => {
  const latest = policy?.versions.at(-1)
  const first = useMemo((): PolicyDraft.PolicyDraft => {
    const stored = PolicyDraft.load(sessionStorage, org, name)
    const began = {
      text: latest?.policy_yaml ?? PolicyDraft.starter(location.origin + Navigation.base),
      base: latest?.version ?? 0
    }
    return stored ?? began
    // biome-ignore lint/correctness/useExhaustiveDependencies: a newer version must not replace what is being typed.
  }, [org, name])
  const draft = useSignal(first)
  const set = (next: PolicyDraft.PolicyDraft) => {
    draft.value = next
    PolicyDraft.keep(sessionStorage, { org, policy: name }, next)
  }
  return {
    draft: draft.value,
    original: policy?.versions.find(({ version }) => version === draft.value.base)?.policy_yaml,
    setText: (text: string) => set({ ...draft.value, text }),
    setBase: (base: number) => set({ ...draft.value, base }),
    discard: () => {
      PolicyDraft.forget(sessionStorage, org, name)
      draft.value = {
        text: latest?.policy_yaml ?? PolicyDraft.starter(location.origin + Navigation.base),
        base: latest?.version ?? 0
      }
    }
  }
}

/** The editor; `name` is `_new` while a new policy has none. */
export const PolicyEditor = ({
  route,
  org,
  name,
  policy
}: {
  readonly route: Route.Route
  readonly org: string
  readonly name: string
  readonly policy: Policy | undefined
}) => {
  const { discard, draft, original, setBase, setText } = useDraft(org, name, policy)
  const newName = useSignal("")
  const isSaving = useSignal(false)
  const goTo = useSignal<TextProblem | undefined>(undefined)
  const reading = useReading(draft.text, READ_AFTER_MS)
  const Editor = useEditor()
  const environments =
    knownOf(useQuery("E2", { org, query: { page: 1, per_page: 100 } }))?.value.environments ?? []
  const first = policy?.consuming_envs[0] ?? environments[0]?.name
  const target = TryTarget.parse(Route.parameter(route, "try") ?? first)
  const lastGood = useRef<string | undefined>(undefined)
  if (reading !== undefined)
    lastGood.current = reading.problems.length === 0 ? draft.text : lastGood.current
  const isGood = reading !== undefined && reading.problems.length === 0
  const judged = policy === undefined ? "draft" : name
  const trial = useTrial(org, target, {
    name: judged,
    draft: isGood ? draft.text : lastGood.current,
    before: original ?? null
  })
  const words = useVocabulary(org, trial)
  const isChanged = draft.text !== original
  const mayWrite = Session.may(org, "policy.write")
  const savedName = policy?.name ?? newName.value.trim()
  const isNamed = savedName !== ""
  const saved = () => {
    PolicyDraft.forget(sessionStorage, org, name)
    Navigation.go({ _tag: "Policy", params: { org, policy: savedName }, query: [] })
  }
  return (
    <Page
      name={policy === undefined ? "New policy" : `Edit ${name}`}
      org={org}
      heading={policy === undefined ? "New policy" : <RevealedText text={name} />}
      aside={
        <div class="editor-actions">
          <span class={isGood || reading === undefined ? "quiet" : "editor-bad"} role="status">
            {statusOf(reading, isChanged, draft.base)}
          </span>
          {isChanged ? (
            <button type="button" class="button" onClick={discard}>
              Discard
            </button>
          ) : null}
          {mayWrite ? (
            <button
              type="button"
              class="button button-main"
              disabled={!isGood || !isChanged || !isNamed}
              onClick={() => {
                isSaving.value = true
              }}
            >
              Save version…
            </button>
          ) : null}
        </div>
      }
    >
      {policy === undefined ? (
        <div class="field new-name">
          <label for="policy-name">Name</label>
          <input
            id="policy-name"
            value={newName.value}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget: { value } }) => {
              newName.value = value
            }}
          />
        </div>
      ) : (
        <Overtaken
          policy={policy}
          base={draft.base}
          onAccept={() => setBase(policy.versions.at(-1)?.version ?? draft.base)}
        />
      )}
      <div class="editor-split">
        <section class="editor-pane" aria-label="Text">
          {Editor === undefined ? (
            <Skeleton />
          ) : (
            <Editor
              label="Text of the policy"
              value={draft.text}
              problems={reading?.problems ?? []}
              onChange={setText}
              completionsAt={(before) => completionsAt(before, words)}
              goTo={goTo.value}
            />
          )}
          <ProblemList
            problems={reading?.problems ?? []}
            onSelect={(problem) => {
              goTo.value = { ...problem }
            }}
          />
        </section>
        <Playground
          route={route}
          environments={environments}
          target={target}
          trial={trial}
          texts={{
            name: judged,
            draft: isGood ? draft.text : lastGood.current,
            base: original === undefined ? 0 : draft.base
          }}
        />
      </div>
      {isSaving.value ? (
        <SaveVersion
          saving={{ org, name: savedName, draft: draft.text, base: draft.base, policy }}
          onClose={() => {
            isSaving.value = false
          }}
          onSaved={saved}
        />
      ) : (
        <Fragment />
      )}
    </Page>
  )
}
