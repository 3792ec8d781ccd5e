/** A backtest of a policy over recorded history; flips are drawn while they arrive. */
import * as Route from "@attestry/web/Route"
import { useMemo } from "preact/hooks"
import type { PageProps } from "../../pages.js"
import { callOf } from "../../shared/Api.js"
import type { Policy } from "../../shared/Contract.js"
import * as Damaged from "../../shared/Damaged.js"
import { ChoiceFilter } from "../../shared/Filters.js"
import * as Navigation from "../../shared/Navigation.js"
import { Page } from "../../shared/Page.js"
import { cache, useQuery } from "../../shared/Query.js"
import { knownOf } from "../../shared/QueryCache.js"
import { QueryView } from "../../shared/QueryView.js"
import { RevealedText } from "../../shared/RevealedText.js"
import * as PolicyDraft from "../PolicyDraft.js"
import {
  bodyOf,
  type Candidate,
  chosenIn,
  DAYS,
  EVIDENCE,
  FLIPS_MAX,
  WINDOWS
} from "./BacktestQuestion.js"
import { BacktestNotes, BacktestProgress, BacktestSummary } from "./BacktestSummary.js"
import { FlipChart } from "./FlipChart.js"
import { spanOf } from "./FlipLanes.js"
import { FlipTable } from "./FlipTable.js"
import { useBacktest } from "./useBacktest.js"

type BacktestRoute = Route.RouteOf<"PolicyBacktest"> | Route.RouteOf<"NewPolicyBacktest">

const isWanted = (route: BacktestRoute): boolean => Route.parameter(route, "play") === "1"

/** Selects the candidate: a version, or the draft. */
const VersionChoice = ({
  route,
  policy,
  hasDraft
}: {
  readonly route: BacktestRoute
  readonly policy: Policy
  readonly hasDraft: boolean
}) => {
  const [latest, ...older] = [...policy.versions].reverse()
  return (
    <ChoiceFilter
      route={route}
      name="version"
      label="Candidate"
      any={`version ${latest?.version ?? ""}, the latest`}
      options={[
        ...(hasDraft ? [["draft", "the draft of this tab"] as const] : []),
        ...older.map(({ version }) => [String(version), `version ${version}`] as const)
      ]}
    />
  )
}

/** The options of a backtest: candidate, environments, time window, and evidence. */
const Choices = ({
  route,
  policy,
  hasDraft
}: {
  readonly route: BacktestRoute
  readonly policy: Policy | undefined
  readonly hasDraft: boolean
}) => {
  const { org } = route.params
  const environments = knownOf(
    useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  )
  const named = Damaged.readable(environments?.value.environments ?? []).items
  return (
    <search class="filters">
      {policy === undefined ? null : (
        <VersionChoice route={route} policy={policy} hasDraft={hasDraft} />
      )}
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="all environments"
        options={named.map(({ name }) => [name, name] as const)}
      />
      <ChoiceFilter
        route={route}
        name="days"
        label="Time"
        any="the last 90 days"
        options={WINDOWS.filter(([days]) => days !== DAYS)}
      />
      <ChoiceFilter
        route={route}
        name="knowledge"
        label="Evaluated by"
        any="by what each row was evaluated by"
        options={EVIDENCE.slice(1)}
      />
      {isWanted(route) ? null : (
        <button
          type="button"
          class="button button-main"
          onClick={() => Navigation.setQuery({ play: "1", flip: undefined })}
        >
          Run the test
        </button>
      )}
    </search>
  )
}

/** The candidate in the URL; undefined if it is a draft that this tab does not have. */
const candidateOf = (
  route: BacktestRoute,
  policy: Policy | undefined,
  draft: string | undefined
): Candidate | undefined => {
  const asked = Route.parameter(route, "version")
  if (policy === undefined) return draft === undefined ? undefined : { policy_yaml: draft }
  if (asked === "draft")
    return draft === undefined ? undefined : { policy_yaml: draft, name: policy.name }
  const latest = policy.versions.at(-1)?.version ?? 1
  const version = policy.versions.find((each) => String(each.version) === asked)?.version ?? latest
  return { policy_name: policy.name, version }
}

const Result = ({
  route,
  candidate
}: {
  readonly route: BacktestRoute
  readonly candidate: Candidate
}) => {
  const { org } = route.params
  const chosen = chosenIn(route)
  const text = JSON.stringify([candidate, chosen])
  const wanted = isWanted(route)
  // WHY memoized: a body with a new `from` would restart the backtest.
  const question = useMemo(() => {
    const now = Date.now() / 1_000
    return { from: now - chosen.days * 86_400, body: bodyOf(candidate, chosen, now) }
  }, [text, wanted])
  const backtest = useBacktest(org, wanted ? question.body : undefined)
  const { state } = backtest
  if (!wanted)
    return (
      <p class="quiet">
        Plays the candidate over what was recorded, in the place of the policy of its name. Nothing
        is stored, and nothing is evaluated by it.
      </p>
    )
  const horizon = state.horizon ?? Date.now() / 1_000
  const span = spanOf(state.flips, { from: question.from, to: horizon })
  const selected = Route.parameter(route, "flip")
  return (
    <>
      <BacktestProgress backtest={backtest} />
      <BacktestNotes backtest={backtest} />
      {state.environments.length === 0 ? null : <BacktestSummary backtest={backtest} />}
      <div class="block">
        <FlipChart org={org} state={state} span={span} selected={selected} />
      </div>
      {state.flips.length === 0 ? (
        state.isDone ? (
          <p>No row would have had another verdict.</p>
        ) : null
      ) : (
        <section class="block">
          <h2>Flips</h2>
          {state.truncated ? (
            <p class="quiet">The first {FLIPS_MAX} are listed; all of them are in the sums.</p>
          ) : null}
          <FlipTable org={org} flips={state.flips} horizon={horizon} selected={selected} />
        </section>
      )}
    </>
  )
}

const Body = ({
  route,
  policy
}: {
  readonly route: BacktestRoute
  readonly policy: Policy | undefined
}) => {
  const { org } = route.params
  const draft = PolicyDraft.load(sessionStorage, org, policy?.name ?? "_new")?.text
  const candidate = candidateOf(route, policy, draft)
  return (
    <>
      <Choices route={route} policy={policy} hasDraft={draft !== undefined} />
      {candidate === undefined ? (
        <div class="note">
          <strong>There is no draft in this tab</strong>
          <p>A draft stays in the tab in which it is written, until it is saved.</p>
        </div>
      ) : (
        <Result route={route} candidate={candidate} />
      )}
    </>
  )
}

/** The backtest of a saved policy. */
export const PolicyBacktestPage = ({ route }: PageProps<Route.RouteOf<"PolicyBacktest">>) => {
  const { org, policy: name } = route.params
  const state = useQuery("policy.get", { org, name })
  return (
    <Page
      name={`${name} against history`}
      org={org}
      heading={
        <>
          <RevealedText text={name} /> <span class="title-more">against history</span>
        </>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("policy.get", { org, name }).path)}
      >
        {(policy) => <Body route={route} policy={policy} />}
      </QueryView>
    </Page>
  )
}

/** The backtest of an unsaved policy. */
export const NewPolicyBacktestPage = ({ route }: PageProps<Route.RouteOf<"NewPolicyBacktest">>) => (
  <Page name="New policy against history" org={route.params.org}>
    <Body route={route} policy={undefined} />
  </Page>
)
