/** Every artifact that is allowed in spite of policies, in all environments of an org, newest first. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { ArtifactLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { OrgAllowedArtifact } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { Ending } from "../shared/Ending.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { EntryPeople } from "./EntryPeople.js"

const FILTERS = ["q", "environment"]

const columnsOf = (org: string): ReadonlyArray<Column<OrgAllowedArtifact>> => [
  { name: "since", title: "Since", cell: ({ timestamp }) => <Timestamp seconds={timestamp} /> },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: ({ fingerprint, artifact_name }) => (
      <ArtifactLink org={org} flow={null} fingerprint={fingerprint} name={artifact_name} />
    )
  },
  {
    name: "environment",
    title: "Environment",
    isFlexible: true,
    cell: ({ environment_name }) => (
      <a href={Navigation.href("EnvironmentSettings", { org, environment: environment_name })}>
        <RevealedText text={environment_name} />
      </a>
    )
  },
  {
    name: "by",
    title: "By",
    cell: ({ owner, user_name }) => <EntryPeople creator={user_name} owner={owner} />
  },
  { name: "end", title: "End", cell: ({ expires_at }) => <Ending seconds={expires_at} /> },
  {
    name: "reason",
    title: "Reason",
    isFlexible: true,
    cell: ({ description }) => (
      <span title={Reveal.plain(description)}>
        <RevealedText text={description} />
      </span>
    )
  }
]

const fits = (entry: OrgAllowedArtifact, text: string): boolean =>
  [
    entry.artifact_name,
    entry.fingerprint,
    entry.description,
    entry.user_name,
    entry.owner ?? ""
  ].some((each) => each.toLowerCase().includes(text.toLowerCase()))

const shownOf = (
  entries: ReadonlyArray<OrgAllowedArtifact>,
  route: Route.RouteOf<"AllowLists">
): ReadonlyArray<OrgAllowedArtifact> => {
  const environment = Route.parameter(route, "environment")
  return entries.filter(
    (entry) =>
      fits(entry, Route.parameter(route, "q") ?? "") &&
      (environment === undefined || entry.environment_name === environment)
  )
}

const Filters = ({
  route,
  entries
}: {
  readonly route: Route.RouteOf<"AllowLists">
  readonly entries: ReadonlyArray<OrgAllowedArtifact>
}) => {
  const names = [...new Set(entries.map(({ environment_name }) => environment_name))].sort()
  return (
    <search class="filters">
      <TextFilter route={route} name="q" label="Artifact, reason or person" isMain />
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="any environment"
        options={names.map((name) => [name, name])}
      />
    </search>
  )
}

export const AllowListsPage = ({ route }: PageProps<Route.RouteOf<"AllowLists">>) => {
  const { org } = route.params
  const state = useQuery("allowList.listOfOrg", { org })
  return (
    <Page name="Allowed artifacts" org={org}>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("allowList.listOfOrg", { org }).path)}
      >
        {(entries) => {
          const { items, damaged } = Damaged.readable(entries)
          const shown = shownOf(items, route)
          if (entries.length === 0)
            return (
              <div class="note">
                <strong>Nothing is allowed in spite of policies</strong>
                <p>
                  An artifact that fails a policy can be allowed in one environment, with a reason,
                  on the page of a snapshot or with <code>attestry allow</code>.
                </p>
              </div>
            )
          return (
            <>
              <Filters route={route} entries={items} />
              <DamagedNote count={damaged} />
              {shown.length === 0 && isFiltered(route, FILTERS) ? (
                <NothingFits what="artifact" names={FILTERS} />
              ) : (
                <VirtualTable
                  caption="Allowed artifacts"
                  columns={columnsOf(org)}
                  rows={shown}
                  keyOf={({ environment_name, fingerprint }) =>
                    `${environment_name} ${fingerprint}`
                  }
                  rowHeight={preferences.value.density === "compact" ? 28 : 36}
                />
              )}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
