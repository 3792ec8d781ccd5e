/** The environments of an org: which are red, which are silent, and when each last reported. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import { now } from "../shared/Clock.js"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { countsOf, filtered, ordered } from "./EnvironmentOrder.js"
import { EnvironmentTable } from "./EnvironmentTable.js"

const POLL_MS = 5_000
const VERDICTS = ["non-compliant", "unknown", "compliant"] as const

const Counts = ({
  environments,
  route
}: {
  readonly environments: ReadonlyArray<Environment>
  readonly route: Route.Route
}) => {
  const counts = countsOf(environments)
  const total = environments.length
  return (
    <ul class="counts">
      <li class="quiet">
        {Shorten.count(total)} {total === 1 ? "environment" : "environments"}
      </li>
      {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <li key={verdict}>
          <a href={Navigation.hrefOf(Route.withQuery(route, { verdict }))}>
            {Shorten.count(counts[verdict])} <VerdictMark verdict={verdict} word />
          </a>
        </li>
      ))}
    </ul>
  )
}

const Filters = ({ route }: { readonly route: Route.Route }) => (
  <search class="filters">
    <input
      type="search"
      data-filter
      aria-label="Filter by name or kind"
      placeholder="Filter by name or kind ( / )"
      value={Route.parameter(route, "q") ?? ""}
      onInput={({ currentTarget: { value } }) =>
        Navigation.setQuery({ q: value === "" ? undefined : value }, { replace: true })
      }
    />
    <select
      aria-label="Verdict"
      value={Route.parameter(route, "verdict") ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({ verdict: value === "" ? undefined : value })
      }
    >
      <option value="">any verdict</option>
      <option value="non-compliant">not compliant</option>
      <option value="unknown">not judged</option>
      <option value="compliant">compliant</option>
    </select>
  </search>
)

const NoEnvironments = ({ org }: { readonly org: string }) => (
  <div class="note">
    <strong>No environments yet</strong>
    <p>
      An environment is a place where software runs. Machines report what runs there, and each
      change becomes a snapshot.
    </p>
    <p>
      <a href={Navigation.href("Start", { org })}>First steps</a>
    </p>
  </div>
)

const NothingLeft = () => (
  <div class="note">
    <strong>No environment fits the filters</strong>
    <p>
      <button
        type="button"
        class="button"
        onClick={() => Navigation.setQuery({ q: undefined, verdict: undefined })}
      >
        Clear filters
      </button>
    </p>
  </div>
)

/** The page. */
export const OverviewPage = ({ route }: PageProps<Route.RouteOf<"Overview">>) => {
  const { org } = route.params
  const params = { org, query: { page: 1, per_page: 100 } }
  const state = useQuery("E2", params, { poll: POLL_MS })
  const retry = () => void cache.refresh(callOf("E2", params).path)
  const known = state._tag === "Ready" ? state.value.environments : undefined
  return (
    <Page
      name="Overview"
      org={org}
      aside={known === undefined ? null : <Counts environments={known} route={route} />}
    >
      <QueryView state={state} retry={retry}>
        {({ environments, total_count }) => {
          if (environments.length === 0) return <NoEnvironments org={org} />
          const shown = ordered(
            filtered(environments, {
              q: Route.parameter(route, "q"),
              verdict: Route.parameter(route, "verdict")
            }),
            now.value
          )
          return (
            <>
              <Filters route={route} />
              {shown.length === 0 ? (
                <NothingLeft />
              ) : (
                <EnvironmentTable org={org} environments={shown} />
              )}
              {total_count > environments.length ? (
                <p class="quiet">
                  The first {environments.length} of {Shorten.count(total_count)} environments.
                </p>
              ) : null}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
