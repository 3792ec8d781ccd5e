/** A team with the people in it, and the actions of admins on them. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Team, TeamMember } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { AddMember, DeleteTeam, DescribeTeam, RemoveMember } from "./TeamForms.js"
import { keptText } from "./TeamKind.js"

const PER_PAGE = 100

/** The open dialog. */
type Open =
  | { readonly _tag: "Nothing" | "Describe" | "Delete" | "Add" }
  | { readonly _tag: "Remove"; readonly member: TeamMember }

const NOTHING: Open = { _tag: "Nothing" }

interface Props {
  readonly org: string
  readonly team: Team
  readonly show: (open: Open) => void
}

const columnsOf = (show: ((open: Open) => void) | undefined): ReadonlyArray<Column<TeamMember>> => [
  {
    name: "user",
    title: "Person",
    isHeader: true,
    cell: ({ user, suspended }) => (
      <>
        <strong>
          <RevealedText text={Shorten.middle(user, 48)} />
        </strong>
        {suspended === true ? <span class="quiet"> suspended</span> : null}
      </>
    )
  },
  { name: "login", title: "Login", cell: ({ login }) => <RevealedText text={login} /> },
  { name: "added", title: "Added", cell: ({ added_at }) => <Timestamp seconds={added_at} /> },
  ...(show === undefined
    ? []
    : [
        {
          name: "remove",
          title: "Remove",
          cell: (member: TeamMember) => (
            <button
              type="button"
              class="button"
              aria-label={`Remove ${member.login}`}
              onClick={() => show({ _tag: "Remove", member })}
            >
              Remove…
            </button>
          )
        }
      ])
]

const People = ({
  route,
  team,
  show
}: Omit<Props, "org"> & { readonly route: Route.RouteOf<"Team"> }) => {
  const { org } = route.params
  const mayChange = Session.may(org, "team.write") && team.kind === "hand"
  const params = { org, team: team.name, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("team.members", params)
  return (
    <section class="block">
      <h2>People</h2>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("team.members", params).path)}
      >
        {({ members, total_count }) => {
          const { items, damaged } = Damaged.readable(members)
          return (
            <>
              <DamagedNote count={damaged} />
              {total_count === 0 ? (
                <p class="quiet">Nobody is in it.</p>
              ) : (
                <VirtualTable
                  caption="People in the team"
                  columns={columnsOf(mayChange ? show : undefined)}
                  rows={items}
                  keyOf={({ login }) => login}
                  rowHeight={preferences.value.density === "compact" ? 28 : 36}
                />
              )}
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="people" />
            </>
          )
        }}
      </QueryView>
      {mayChange ? (
        <p class="below">
          <button type="button" class="button" onClick={() => show({ _tag: "Add" })}>
            Add a member…
          </button>
        </p>
      ) : null}
    </section>
  )
}

const Dialogs = ({ org, team, open, show }: Props & { readonly open: Open }) => {
  const onClose = () => show(NOTHING)
  const onDone = () => {
    cache.invalidate(callOf("team.list", { org }).path)
    onClose()
  }
  const common = { org, team, onClose, onDone }
  switch (open._tag) {
    case "Nothing":
      return null
    case "Describe":
      return <DescribeTeam {...common} />
    case "Add":
      return <AddMember {...common} />
    case "Remove":
      return <RemoveMember {...common} member={open.member} />
    case "Delete":
      return (
        <DeleteTeam
          {...common}
          onDone={() => {
            Navigation.go(Route.make("Teams", { org }))
            // WHY only the list: this page still shows the team, which no longer exists.
            void cache.refresh(callOf("team.list", { org }).path)
          }}
        />
      )
  }
}

export const TeamPage = ({ route }: PageProps<Route.RouteOf<"Team">>) => {
  const { org, team: name } = route.params
  const state = useQuery("team.get", { org, team: name })
  const open = useSignal<Open>(NOTHING)
  const show = (next: Open) => {
    open.value = next
  }
  const mayChange =
    Session.may(org, "team.write") && state._tag === "Ready" && state.value.kind === "hand"
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={
        mayChange ? (
          <span class="row-actions">
            <button type="button" class="button" onClick={() => show({ _tag: "Describe" })}>
              Change…
            </button>
            <button type="button" class="button" onClick={() => show({ _tag: "Delete" })}>
              Delete…
            </button>
          </span>
        ) : null
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("team.get", { org, team: name }).path)}
      >
        {(team) => (
          <>
            <p class="lead">
              Team · kept {keptText(team)} · created <Timestamp seconds={team.created_at} />
              {[team.group_name, team.description].map((text) =>
                text === null || text === "" ? null : (
                  <>
                    {" · "}
                    <RevealedText text={text} />
                  </>
                )
              )}
            </p>
            <People route={route} team={team} show={show} />
            <Dialogs org={org} team={team} open={open.value} show={show} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
