/** The teams of an org: all of them for admins, for others those that they are in. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Team } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { CreateTeam } from "./TeamForms.js"
import { keptText } from "./TeamKind.js"

const PER_PAGE = 100

const columnsOf = (org: string): ReadonlyArray<Column<Team>> => [
  {
    name: "name",
    title: "Team",
    isHeader: true,
    cell: ({ name }) => <a href={Navigation.href("Team", { org, team: name })}>{name}</a>
  },
  { name: "people", title: "People", cell: ({ members }) => String(members) },
  { name: "kept", title: "Kept", cell: (team) => keptText(team) },
  {
    name: "description",
    title: "Description",
    cell: ({ description, group_name }) => {
      const text = group_name ?? description
      return (
        <span title={Reveal.plain(text)}>
          <RevealedText text={Shorten.middle(text, 60)} />
        </span>
      )
    }
  }
]

const NoTeams = ({ isWhole }: { readonly isWhole: boolean }) => (
  <div class="note">
    <strong>{isWhole ? "No teams yet" : "You are in no team"}</strong>
    <p>
      A team is a set of members of the org. It is kept here by hand, or by the identity provider of
      the org.
    </p>
  </div>
)

const Teams = ({ route }: { readonly route: Route.RouteOf<"Teams"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("team.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("team.list", params).path)}>
      {({ teams, total_count }) => {
        const { items, damaged } = Damaged.readable(teams)
        if (total_count === 0) return <NoTeams isWhole={Session.may(org, "team.write")} />
        return (
          <>
            <DamagedNote count={damaged} />
            <VirtualTable
              caption="Teams"
              columns={columnsOf(org)}
              rows={items}
              keyOf={({ name }) => name}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
              onOpen={({ name }) => Navigation.go(Route.make("Team", { org, team: name }))}
            />
            <Pager route={route} perPage={PER_PAGE} total={total_count} what="teams" />
          </>
        )
      }}
    </QueryView>
  )
}

export const TeamsPage = ({ route }: PageProps<Route.RouteOf<"Teams">>) => {
  const { org } = route.params
  const isCreating = useSignal(false)
  return (
    <Page
      name="Teams"
      org={org}
      aside={
        Session.may(org, "team.write") ? (
          <button
            type="button"
            class="button"
            onClick={() => {
              isCreating.value = true
            }}
          >
            New team…
          </button>
        ) : null
      }
    >
      <AccessTabs org={org} current="Teams" />
      <Teams route={route} />
      {isCreating.value ? (
        <CreateTeam
          org={org}
          onClose={() => {
            isCreating.value = false
          }}
          onDone={(team) => {
            cache.invalidate(callOf("team.list", { org }).path)
            Navigation.go(Route.make("Team", { org, team }))
          }}
        />
      ) : null}
    </Page>
  )
}
