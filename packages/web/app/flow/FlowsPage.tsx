/** The flows of an org, each with the status of its newest trail and its last change. */

import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { FlowLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { ListedFlow } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const PER_PAGE = 50
const FILTERS = ["q"]

const columnsOf = (org: string): ReadonlyArray<Column<ListedFlow>> => [
  {
    name: "state",
    title: "Latest trail",
    cell: ({ latest_state }) =>
      latest_state === "" ? (
        <span class="quiet">no trail yet</span>
      ) : (
        <VerdictMark verdict={fromStatus(latest_state)} word />
      )
  },
  {
    name: "name",
    title: "Flow",
    isHeader: true,
    cell: ({ name }) => <FlowLink org={org} flow={name} />
  },
  {
    name: "description",
    title: "Description",
    cell: ({ description }) => (
      <span title={Reveal.plain(description)}>
        <RevealedText text={Shorten.middle(description, 60)} />
      </span>
    )
  },
  {
    name: "activity",
    title: "Latest activity",
    cell: ({ latest_activity_at }) => <Timestamp seconds={latest_activity_at} />
  },
  {
    name: "repo",
    title: "Repository",
    cell: ({ repo_url }) =>
      repo_url === "" ? <span class="quiet">–</span> : <ExternalLink address={repo_url} />
  }
]

const NoFlows = ({ org }: { readonly org: string }) => (
  <div class="note">
    <strong>No flows yet</strong>
    <p>
      A flow is a pipeline that builds software. Each of its runs is a trail, with the artifacts it
      built and the evidence about them.
    </p>
    <p>
      <a href={Navigation.href("Start", { org })}>First steps</a>
    </p>
  </div>
)

export const FlowsPage = ({ route }: PageProps<Route.RouteOf<"Flows">>) => {
  const { org } = route.params
  const byName = Route.parameter(route, "sort") === "name"
  const params = {
    org,
    query: {
      page: pageOf(route),
      per_page: PER_PAGE,
      search_by_name: Route.parameter(route, "q"),
      case_sensitive: "false",
      sort: byName ? "name" : "latest_activity",
      sort_direction: byName ? "asc" : "desc"
    }
  }
  const state = useQuery("flow.list", params)
  return (
    <Page
      name="Flows"
      org={org}
      aside={<a href={Navigation.href("Repos", { org })}>Repositories</a>}
    >
      <search class="filters">
        <TextFilter route={route} name="q" label="Filter by name" isMain />
        <ChoiceFilter
          route={route}
          name="sort"
          label="Order"
          any="latest activity first"
          options={[["name", "by name"]]}
        />
      </search>
      <QueryView state={state} retry={() => void cache.refresh(callOf("flow.list", params).path)}>
        {({ data, pagination }) => {
          const { items, damaged } = Damaged.readable(data)
          if (data.length === 0)
            return isFiltered(route, FILTERS) ? (
              <NothingFits what="flow" names={FILTERS} />
            ) : (
              <NoFlows org={org} />
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Flows"
                columns={columnsOf(org)}
                rows={items}
                keyOf={({ id }) => id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                onOpen={({ name }) => Navigation.go(Route.make("Flow", { org, flow: name }))}
              />
              <Pager route={route} perPage={PER_PAGE} total={pagination.total} what="flows" />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
