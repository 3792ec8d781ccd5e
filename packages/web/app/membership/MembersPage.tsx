/** The people of an org with their roles. Only admin commands change them. */
import * as Route from "@attestry/web/Route"
import { useEffect } from "preact/hooks"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Member } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
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
import { AccessTabs } from "./AccessTabs.js"
import * as MemberCommand from "./MemberCommand.js"

const PER_PAGE = 100

const columnsOf = (org: string): ReadonlyArray<Column<Member>> => [
  {
    name: "user",
    title: "Person",
    isHeader: true,
    cell: ({ user }) => (
      <strong>
        <RevealedText text={Shorten.middle(user, 48)} />
      </strong>
    )
  },
  {
    name: "login",
    title: "Login",
    cell: ({ login }) => <RevealedText text={login} />
  },
  { name: "role", title: "Role", cell: ({ role }) => role },
  {
    name: "joined",
    title: "Joined",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  },
  {
    name: "change",
    title: "Change or remove",
    cell: ({ login }) => (
      <>
        <CopyButton text={MemberCommand.change(org, login)} what={`command to change ${login}`} />
        <CopyButton text={MemberCommand.remove(org, login)} what={`command to remove ${login}`} />
      </>
    )
  }
]

const HowToChange = ({ org }: { readonly org: string }) => (
  <div class="note note-below">
    <strong>People are changed on the server</strong>
    <p>There is no button on purpose: with one, a stolen session could add a member who stays.</p>
    <ul class="commands">
      {MemberCommand.all(org).map((command) => (
        <li key={command}>
          <CopyButton text={command} what="command" />
          <code>{command}</code>
        </li>
      ))}
    </ul>
  </div>
)

const People = ({ route }: { readonly route: Route.RouteOf<"Members"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("membership.members", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("membership.members", params).path)}
    >
      {({ members, total_count }) => {
        const { items, damaged } = Damaged.readable(members)
        return (
          <>
            <DamagedNote count={damaged} />
            <VirtualTable
              caption="Members"
              columns={columnsOf(org)}
              rows={items}
              keyOf={({ login }) => login}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
            <Pager route={route} perPage={PER_PAGE} total={total_count} what="members" />
            <HowToChange org={org} />
          </>
        )
      }}
    </QueryView>
  )
}

/** People who may not list members are redirected to the service accounts that they manage. */
export const MembersPage = ({ route }: PageProps<Route.RouteOf<"Members">>) => {
  const { org } = route.params
  const isAllowed = Session.may(org, "membership.read")
  useEffect(() => {
    if (!isAllowed) Navigation.go(Route.make("ServiceAccounts", { org }), { replace: true })
  }, [isAllowed, org])
  return (
    <Page
      name="Members"
      org={org}
      aside={<a href={Navigation.href("MembershipHistory", { org })}>History of memberships</a>}
    >
      <AccessTabs org={org} current="Members" />
      {isAllowed ? <People route={route} /> : null}
    </Page>
  )
}
