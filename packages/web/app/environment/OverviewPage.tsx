/** The environments of an org: which are failing, since when and why, and which are silent. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { PAGES, type PageProps } from "../pages.js"
import { now } from "../shared/Clock.js"
import type { Environment } from "../shared/Contract.js"
import { NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView, Skeleton } from "../shared/QueryView.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { attentionOf } from "./Attention.js"
import { AttentionList } from "./AttentionList.js"
import { DecaysNext } from "./DecaysNext.js"
import { EnvironmentBoard } from "./EnvironmentBoard.js"
import { groupsOf } from "./EnvironmentGroups.js"
import { countsOf, FILTERS, filtered, ordered } from "./EnvironmentOrder.js"
import { useEnvironments } from "./Environments.js"
import { EnvironmentTable } from "./EnvironmentTable.js"
import { OverviewFilters } from "./OverviewFilters.js"
import { viewOf } from "./OverviewView.js"

const POLL_MS = 5_000
const VERDICTS = ["non-compliant", "unknown", "compliant"] as const

type OverviewRoute = Route.RouteOf<"Overview">

const Counts = ({
  environments,
  route
}: {
  readonly environments: ReadonlyArray<Environment>
  readonly route: OverviewRoute
}) => {
  const counts = countsOf(environments)
  const total = environments.length
  const cleared = Object.fromEntries(FILTERS.map((name) => [name, undefined]))
  const linkTo = (verdict?: string) =>
    Navigation.hrefOf(Route.withQuery(route, { ...cleared, verdict }))
  return (
    <ul class="counts">
      <li>
        <a class="quiet" href={linkTo()}>
          {Shorten.count(total)} {total === 1 ? "environment" : "environments"}
        </a>
      </li>
      {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <li key={verdict}>
          <a href={linkTo(verdict)}>
            {Shorten.count(counts[verdict])} <VerdictMark verdict={verdict} word />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Loads the first-run page on demand. */
const FirstRun = ({ org }: { readonly org: string }) => {
  const loaded = useSignal<ComponentType<PageProps<Route.RouteOf<"Start">>> | undefined>(undefined)
  useEffect(() => {
    void PAGES.Start?.().then((Start) => {
      loaded.value = Start
    })
  }, [loaded])
  const Start = loaded.value
  return Start === undefined ? <Skeleton /> : <Start route={Route.make("Start", { org })} />
}

const Shown = ({
  route,
  environments
}: {
  readonly route: OverviewRoute
  readonly environments: ReadonlyArray<Environment>
}) => {
  const { org } = route.params
  const filter = Object.fromEntries(FILTERS.map((name) => [name, Route.parameter(route, name)]))
  const all = ordered(environments, now.value)
  const shown = filtered(all, filter)
  const view = viewOf(route, environments.length)
  return (
    <>
      <AttentionList org={org} lines={attentionOf(all, now.value)} />
      <DecaysNext org={org} environments={environments} />
      <OverviewFilters route={route} environments={environments} view={view} />
      {shown.length === 0 ? (
        <NothingFits what="environment" names={FILTERS} />
      ) : view === "table" ? (
        <EnvironmentTable org={org} environments={shown} />
      ) : (
        <EnvironmentBoard
          org={org}
          groups={groupsOf(shown, all, Route.parameter(route, "group"))}
        />
      )}
    </>
  )
}

export const OverviewPage = ({ route }: PageProps<OverviewRoute>) => {
  const { org } = route.params
  const { state, environments, retry } = useEnvironments(org, POLL_MS)
  const known = knownOf(state)
  const isFirstRun = useRef<{ readonly org: string; readonly value: boolean } | undefined>(
    undefined
  )
  // WHY once: the first-run page shows the first snapshot as its result; the board must not replace it.
  if (known !== undefined && isFirstRun.current?.org !== org)
    isFirstRun.current = {
      org,
      value: environments.every(({ latest_snapshot }) => !latest_snapshot)
    }
  if (isFirstRun.current?.org === org && isFirstRun.current.value) return <FirstRun org={org} />
  return (
    <Page
      name="Overview"
      org={org}
      aside={known === undefined ? null : <Counts environments={environments} route={route} />}
    >
      <QueryView state={state} retry={retry}>
        {({ total_count }) => (
          <>
            <Shown route={route} environments={environments} />
            {total_count > environments.length ? (
              <p class="quiet">
                {environments.length} of {Shorten.count(total_count)} environments.
              </p>
            ) : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}
