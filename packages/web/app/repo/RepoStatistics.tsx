/** How often a repository is built and deployed, and how long that takes. */
import * as Route from "@attestry/web/Route"
import * as Frequency from "../build/Frequency.js"
import { FrequencyChart } from "../build/FrequencyChart.js"
import { callOf } from "../shared/Api.js"
import type { DeploymentStatistics, Repo } from "../shared/Contract.js"
import { ChoiceFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TimeText from "../shared/TimeText.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const DAY = 86_400

const PERIODS = [
  ["90", "the last 90 days"],
  ["365", "the last year"]
] as const

/** The start of the period in the URL; undefined for the default of the server. WHY a day: a steady URL is cached. */
const startOf = (route: Route.Route, nowMs: number): number | undefined => {
  const days = PERIODS.find(([each]) => each === Route.parameter(route, "period"))?.[0]
  return days === undefined ? undefined : Math.floor(nowMs / 1_000 / DAY) * DAY - Number(days) * DAY
}

type Series = DeploymentStatistics["environments"][number]

const leadText = ({ lead_time_seconds }: Series, share: number): string => {
  const seconds = Frequency.percentile(
    lead_time_seconds.filter((each) => each >= 0),
    share
  )
  return seconds === undefined ? "–" : TimeText.duration(seconds * 1_000)
}

const columnsOf = (org: string, span: Frequency.Span): ReadonlyArray<Column<Series>> => [
  {
    name: "environment",
    title: "Environment",
    isHeader: true,
    cell: ({ env_name }) => (
      <a href={Navigation.href("Environment", { org, environment: env_name })}>
        <RevealedText text={env_name} />
      </a>
    )
  },
  {
    name: "count",
    title: "Deployments",
    isNumber: true,
    cell: ({ deployed_at }) => deployed_at.length
  },
  {
    name: "rate",
    title: "How often",
    isNumber: true,
    cell: ({ deployed_at }) => Frequency.rateText(deployed_at.length, span)
  },
  {
    name: "median",
    title: "Median lead time",
    isNumber: true,
    cell: (series) => leadText(series, 0.5)
  },
  {
    name: "slow",
    title: "9 of 10 within",
    isNumber: true,
    cell: (series) => leadText(series, 0.9)
  }
]

const Deployments = ({
  org,
  repo,
  start
}: {
  readonly org: string
  readonly repo: Repo
  readonly start: number | undefined
}) => {
  const params = { org, repo: repo.id, query: { start_ts: start } }
  const state = useQuery("deployment.statistics", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("deployment.statistics", params).path)}
    >
      {(statistics) => {
        const { environments } = statistics
        const all = environments.flatMap(({ deployed_at }) => deployed_at)
        if (environments.length === 0)
          return <p class="quiet">Nothing of this repository was ever deployed.</p>
        return (
          <>
            <FrequencyChart
              words={["deployment", "deployments"]}
              frequency={Frequency.frequencyOf(all, statistics)}
            />
            <VirtualTable
              caption="Deployments by environment"
              columns={columnsOf(org, statistics)}
              rows={environments}
              keyOf={({ env_name }) => env_name}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
            <p class="quiet below">
              Lead time is from the first report of an artifact until it runs.{" "}
              <a href={Navigation.hrefOf(Route.make("Deployments", { org }, { repo: repo.name }))}>
                Each deployment
              </a>
            </p>
          </>
        )
      }}
    </QueryView>
  )
}

const Builds = ({
  org,
  repo,
  start
}: {
  readonly org: string
  readonly repo: Repo
  readonly start: number | undefined
}) => {
  const params = { org, query: { repo_inner_id: repo.id, start_ts: start } }
  const state = useQuery("build.statistics", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("build.statistics", params).path)}
    >
      {(statistics) =>
        statistics.count === 0 ? (
          <p>No build in this period.</p>
        ) : (
          <FrequencyChart
            words={["build", "builds"]}
            frequency={Frequency.frequencyOf(statistics.timestamps, statistics)}
            more={
              <a href={Navigation.hrefOf(Route.make("Builds", { org }, { repo: repo.name }))}>
                Each build
              </a>
            }
          />
        )
      }
    </QueryView>
  )
}

export const RepoStatistics = ({
  org,
  repo,
  route
}: {
  readonly org: string
  readonly repo: Repo
  readonly route: Route.Route
}) => {
  const start = startOf(route, Date.now())
  return (
    <section class="block">
      <h2>How often</h2>
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="period"
          label="Period"
          any="the last 28 days"
          options={PERIODS}
        />
      </search>
      <h3>Builds</h3>
      <Builds org={org} repo={repo} start={start} />
      <h3>Deployments</h3>
      <Deployments org={org} repo={repo} start={start} />
    </section>
  )
}
