/** The editor of one policy with its playground: the text, its problems, its decisions, and saving. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import * as Session from "../session/Session.js"
import type { Environment, Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { Playground } from "./Playground.js"
import { completionsAt, type Vocabulary } from "./PolicyCompletion.js"
import * as PolicyDraft from "./PolicyDraft.js"
import { policyWorker } from "./PolicyWorker.js"
import type { Reading, TextProblem } from "./PolicyWorkerMessages.js"
import { ProblemList } from "./ProblemList.js"
import { Relation } from "./Relation.js"
import { SaveVersion } from "./SaveVersion.js"
import * as TryTarget from "./TryTarget.js"
import { useDraft } from "./useDraft.js"
import { useEditor } from "./useEditor.js"
import { type ReadText, useReading } from "./useReading.js"
import { useRemarks } from "./useRemarks.js"
import { type Trial, useTrial } from "./useTrial.js"

/** WHY a delay: problems appear soon, but not while a word is half typed. */
const READ_AFTER_MS = 150

/** WHY a constant: a new empty list would run effects again. */
const NO_PROBLEMS: ReadonlyArray<TextProblem> = []
const NO_ENVIRONMENTS: ReadonlyArray<Environment> = []

/** The names that the org uses, for completions. */
const useVocabulary = (org: string, trial: Trial): Vocabulary => {
  const schema = useSignal<unknown>(undefined)
  useEffect(() => {
    policyWorker.ask("schema", {}).then(
      (answer) => {
        schema.value = answer
      },
      () => undefined
    )
  }, [schema])
  const controls = knownOf(
    useQuery("control.list", { org, query: { page: 1, per_page: 100 } })
  )?.value
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

const statusOf = (reading: Reading | undefined, isChanged: boolean, base: number): string => {
  const problems = reading?.problems.length ?? 0
  if (problems > 0) return `${problems} ${problems === 1 ? "problem" : "problems"}`
  if (isChanged) return `draft of version ${base + 1}`
  return base === 0 ? "nothing written yet" : `version ${base}, unchanged`
}

/** Warns that another version was saved meanwhile, and shows the difference. */
const Overtaken = ({
  policy,
  base,
  onAccept
}: {
  readonly policy: Policy | undefined
  readonly base: number
  readonly onAccept: (base: number) => void
}) => {
  const latest = policy?.versions.at(-1)
  const mine = policy?.versions.find(({ version }) => version === base)
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
        <button type="button" class="button" onClick={() => onAccept(latest.version)}>
          Go on with my text, as version {latest.version + 1}
        </button>
      </p>
    </div>
  )
}

interface EditorState {
  readonly org: string
  readonly policy: Policy | undefined
  readonly kept: ReturnType<typeof useDraft>
  readonly reading: ReadText | undefined
  /** The text, or its last state without problems. */
  readonly evaluated: string | undefined
  readonly isGood: boolean
  readonly isChanged: boolean
}

/** The draft, and what the policy worker read from it. */
const useEditorState = (org: string, name: string, policy: Policy | undefined): EditorState => {
  const kept = useDraft(org, name, policy)
  const { draft, original } = kept
  const reading = useReading(draft.text, READ_AFTER_MS)
  const lastGood = useRef<string | undefined>(undefined)
  if (reading !== undefined && reading.problems.length === 0) lastGood.current = reading.text
  const isGood = lastGood.current === draft.text
  return {
    org,
    policy,
    kept,
    reading,
    evaluated: lastGood.current,
    isGood,
    isChanged: draft.text !== original
  }
}

/** The URL of the backtest of the draft. */
const overHistory = (org: string, policy: Policy | undefined): string =>
  Navigation.hrefOf(
    policy === undefined
      ? Route.make("NewPolicyBacktest", { org })
      : Route.make("PolicyBacktest", { org, policy: policy.name }, { version: "draft" })
  )

const Actions = ({
  state: { isChanged, isGood, kept, org, policy, reading },
  isNamed,
  onSave
}: {
  readonly state: EditorState
  readonly isNamed: boolean
  readonly onSave: () => void
}) => (
  <div class="editor-actions">
    <span class={(reading?.problems.length ?? 0) === 0 ? "quiet" : "editor-bad"} role="status">
      {statusOf(reading, isChanged, kept.draft.base)}
    </span>
    {isGood && isChanged ? (
      <a class="button" href={overHistory(org, policy)}>
        Test against history
      </a>
    ) : null}
    {isChanged ? (
      <button type="button" class="button" onClick={kept.discard}>
        Discard
      </button>
    ) : null}
    {Session.may(org, "policy.write") ? (
      <button
        type="button"
        class="button button-main"
        disabled={!isGood || !isChanged || !isNamed}
        onClick={onSave}
      >
        Save version…
      </button>
    ) : null}
  </div>
)

const NameField = ({
  name,
  onChange
}: {
  readonly name: string
  readonly onChange: (name: string) => void
}) => (
  <div class="field new-name">
    <label for="policy-name">Name</label>
    <input
      id="policy-name"
      value={name}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => onChange(value)}
    />
  </div>
)

const TextPane = ({
  state,
  words
}: {
  readonly state: EditorState
  readonly words: Vocabulary
}) => {
  const goTo = useSignal<TextProblem | undefined>(undefined)
  const Editor = useEditor()
  const found = state.reading?.problems ?? NO_PROBLEMS
  const remarks = useRemarks(found.length === 0 ? state.reading?.text : undefined)
  const problems = found.length === 0 ? remarks : found
  return (
    <section aria-label="Text">
      {Editor === undefined ? (
        <Skeleton />
      ) : (
        <Editor
          label="Text of the policy"
          value={state.kept.draft.text}
          revision={state.kept.revision}
          problems={problems}
          onChange={state.kept.setText}
          completionsAt={(before) => completionsAt(before, words)}
          goTo={goTo.value}
        />
      )}
      <ProblemList
        problems={problems}
        onSelect={(problem) => {
          goTo.value = { ...problem }
        }}
      />
      <Relation
        old={state.kept.original}
        text={found.length === 0 ? state.reading?.text : undefined}
        base={state.kept.draft.base}
      />
    </section>
  )
}

/** The initial target: the policy's first environment that has a report. */
const firstTarget = (
  policy: Policy | undefined,
  environments: ReadonlyArray<Environment>
): string | undefined => {
  const reported = environments.filter(({ last_changed_at }) => last_changed_at !== null)
  const own = reported.find(({ name }) => policy?.consuming_envs.includes(name) === true)
  return (own ?? reported[0])?.name
}

const Split = ({
  route,
  state,
  environments
}: {
  readonly route: Route.Route
  readonly state: EditorState
  readonly environments: ReadonlyArray<Environment>
}) => {
  const { evaluated, kept, org, policy } = state
  const target = TryTarget.parse(Route.parameter(route, "try") ?? firstTarget(policy, environments))
  const name = policy?.name ?? "draft"
  const trial = useTrial(org, target, { name, draft: evaluated, before: kept.original ?? null })
  const base = kept.original === undefined ? 0 : kept.draft.base
  const hasProblems = (state.reading?.problems.length ?? 0) > 0
  return (
    <div class="editor-split">
      <TextPane state={state} words={useVocabulary(org, trial)} />
      <Playground
        org={org}
        route={route}
        environments={environments}
        target={target}
        trial={trial}
        // WHY undefined instead of the last valid text: its verdicts would appear beside a different text.
        texts={{ name, draft: hasProblems ? undefined : evaluated, base }}
      />
    </div>
  )
}

/** `name` is `_new` for a new policy. */
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
  const state = useEditorState(org, name, policy)
  const isSaving = useSignal(false)
  const listed = useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  const environments = knownOf(listed)?.value.environments ?? NO_ENVIRONMENTS
  const { draft, setBase, setName } = state.kept
  const newName = draft.name ?? ""
  const savedName = policy?.name ?? newName.trim()
  const silent = environments.filter(({ last_changed_at }) => last_changed_at === null)
  return (
    <Page
      name={policy === undefined ? "New policy" : `Edit ${name}`}
      org={org}
      heading={policy === undefined ? "New policy" : <RevealedText text={name} />}
      aside={
        <Actions
          state={state}
          isNamed={savedName !== ""}
          onSave={() => {
            isSaving.value = true
          }}
        />
      }
    >
      {policy === undefined ? <NameField name={newName} onChange={setName} /> : null}
      <Overtaken policy={policy} base={draft.base} onAccept={setBase} />
      <Split route={route} state={state} environments={environments} />
      {isSaving.value ? (
        <SaveVersion
          saving={{ org, name: savedName, draft: draft.text, base: draft.base, policy }}
          silent={silent.map((environment) => environment.name)}
          onClose={() => {
            isSaving.value = false
          }}
          onSaved={() => {
            PolicyDraft.forget(sessionStorage, org, name)
            Navigation.go({ _tag: "Policy", params: { org, policy: savedName }, query: [] })
          }}
        />
      ) : null}
    </Page>
  )
}
