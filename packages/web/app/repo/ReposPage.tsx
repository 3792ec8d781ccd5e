/** The repositories that evidence has named. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Repo } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import * as ProductName from "../shared/ProductName.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const PER_PAGE = 50
const FILTERS = ["q"]

const columnsOf = (org: string): ReadonlyArray<Column<Repo>> => [
  {
    name: "name",
    title: "Repository",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("Repo", { org, repo: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  {
    name: "provider",
    title: "Provider",
    cell: ({ provider }) => <RevealedText text={ProductName.ofProvider(provider)} />
  },
  { name: "url", title: "Address", cell: ({ url }) => <ExternalLink address={url} /> },
  {
    name: "description",
    title: "Description",
    cell: ({ description }) => <RevealedText text={Shorten.middle(description ?? "", 60)} />
  },
  {
    name: "activity",
    title: "Latest activity",
    cell: ({ latest_activity_at }) => <Timestamp seconds={latest_activity_at} />
  }
]

export const ReposPage = ({ route }: PageProps<Route.RouteOf<"Repos">>) => {
  const { org } = route.params
  const params = {
    org,
    query: { page: pageOf(route), per_page: PER_PAGE, search: Route.parameter(route, "q") }
  }
  const state = useQuery("repo.list", params)
  return (
    <Page name="Repositories" org={org}>
      <search class="filters">
        <TextFilter route={route} name="q" label="Filter by name" isMain />
      </search>
      <QueryView state={state} retry={() => void cache.refresh(callOf("repo.list", params).path)}>
        {({ repos, total_count }) => {
          const { items, damaged } = Damaged.readable(repos)
          if (repos.length === 0)
            return isFiltered(route, FILTERS) ? (
              <NothingFits what="repository" names={FILTERS} />
            ) : (
              <div class="note">
                <strong>No repositories yet</strong>
                <p>
                  Reports of trails and artifacts that have <code>repo_info</code> make them.
                </p>
              </div>
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Repositories"
                columns={columnsOf(org)}
                rows={items}
                keyOf={({ id }) => id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                onOpen={({ name }) => Navigation.go(Route.make("Repo", { org, repo: name }))}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="repositories" />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
