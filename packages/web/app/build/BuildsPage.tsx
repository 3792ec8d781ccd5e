/** The builds of an org: how often, and each of them, newest first. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { ArtifactLink, FlowLink, TrailLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { Build } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { DayFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import { Commit } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import * as Frequency from "./Frequency.js"
import { FrequencyChart } from "./FrequencyChart.js"

const PER_PAGE = 50
const FILTERS = ["repo", "from", "to"]

const columnsOf = (org: string): ReadonlyArray<Column<Build>> => [
  { name: "when", title: "When", cell: ({ created_at }) => <Timestamp seconds={created_at} /> },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: ({ flow_name, fingerprint, artifact_name }) => (
      <ArtifactLink org={org} flow={flow_name} fingerprint={fingerprint} name={artifact_name} />
    )
  },
  {
    name: "repo",
    title: "Repository",
    isFlexible: true,
    cell: ({ repo_info }) =>
      repo_info === null ? (
        <span class="quiet">–</span>
      ) : (
        <a href={Navigation.href("Repo", { org, repo: repo_info.name })}>
          <RevealedText text={repo_info.name} />
        </a>
      )
  },
  {
    name: "flow",
    title: "Flow",
    isFlexible: true,
    cell: ({ flow_name }) => <FlowLink org={org} flow={flow_name} />
  },
  {
    name: "trail",
    title: "Trail",
    cell: ({ flow_name, trail_name }) => <TrailLink org={org} flow={flow_name} trail={trail_name} />
  },
  {
    name: "commit",
    title: "Commit",
    cell: ({ git_commit }) =>
      git_commit === null || git_commit === "" ? (
        <span class="quiet">–</span>
      ) : (
        <Commit value={git_commit} />
      )
  },
  {
    name: "build",
    title: "Build",
    cell: ({ build_url }) =>
      build_url === null || build_url === "" ? (
        <span class="quiet">–</span>
      ) : (
        <ExternalLink address={build_url} label="build" />
      )
  }
]

const queryOf = (route: Route.RouteOf<"Builds">) => {
  const { from, to } = TimeWindow.windowOf(route)
  return { repo_name: Route.parameter(route, "repo"), start_ts: from, end_ts: to }
}

const Statistics = ({ route }: { readonly route: Route.RouteOf<"Builds"> }) => {
  const params = { org: route.params.org, query: queryOf(route) }
  const state = useQuery("build.statistics", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("build.statistics", params).path)}
    >
      {(statistics) =>
        statistics.count === 0 ? null : (
          <FrequencyChart
            words={["build", "builds"]}
            frequency={Frequency.frequencyOf(statistics.timestamps, statistics)}
          />
        )
      }
    </QueryView>
  )
}

const NoBuilds = ({ route }: { readonly route: Route.RouteOf<"Builds"> }) =>
  isFiltered(route, FILTERS) ? (
    <NothingFits what="build" names={FILTERS} />
  ) : (
    <div class="note">
      <strong>No builds in the last 28 days</strong>
      <p>
        A build is the first report of an artifact's fingerprint. Pipelines report artifacts with{" "}
        <code>attestry attest artifact</code>. Choose an earlier day above for older builds.
      </p>
    </div>
  )

const List = ({ route }: { readonly route: Route.RouteOf<"Builds"> }) => {
  const { org } = route.params
  const params = { org, query: { ...queryOf(route), page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("build.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("build.list", params).path)}>
      {({ builds, total_count }) => {
        const { items, damaged } = Damaged.readable(builds)
        if (builds.length === 0) return <NoBuilds route={route} />
        return (
          <>
            <DamagedNote count={damaged} />
            <VirtualTable
              caption="Builds"
              columns={columnsOf(org)}
              rows={items}
              keyOf={({ fingerprint }) => fingerprint}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
            <Pager route={route} perPage={PER_PAGE} total={total_count} what="builds" />
          </>
        )
      }}
    </QueryView>
  )
}

export const BuildsPage = ({ route }: PageProps<Route.RouteOf<"Builds">>) => (
  <Page name="Builds" org={route.params.org}>
    <search class="filters filters-many">
      <TextFilter route={route} name="repo" label="Repository" isMain />
      <DayFilter route={route} name="from" label="From (UTC)" />
      <DayFilter route={route} name="to" label="to" />
    </search>
    {TimeWindow.isReversed(TimeWindow.windowOf(route)) ? (
      <p class="quiet">The first day is after the last.</p>
    ) : (
      <>
        <Statistics route={route} />
        <List route={route} />
      </>
    )}
  </Page>
)
