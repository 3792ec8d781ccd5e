/** The people of an org with their roles: admins invite, add, change, suspend, sign out and remove them here. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { MadeInvitation, Member } from "../shared/Contract.js"
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
import { InvitationTable } from "./InvitationTable.js"
import { InvitationLink, Invite } from "./InviteForm.js"
import * as MemberAction from "./MemberAction.js"
import { AddMember, ChangeRole, ConfirmAction } from "./MemberForms.js"

const PER_PAGE = 100

/** A change that the dialog is open for. */
interface Chosen {
  readonly member: Member
  readonly action: MemberAction.Action | "role"
}

const Actions = ({
  member,
  choose
}: {
  readonly member: Member
  readonly choose: (chosen: Chosen) => void
}) => {
  const button = (action: Chosen["action"], title: string) => (
    <button
      key={action}
      type="button"
      class="button-text"
      onClick={() => choose({ member, action })}
    >
      {title}…<span class="visually-hidden"> {member.login}</span>
    </button>
  )
  return (
    <span class="row-actions">
      {button("role", "Role")}
      {MemberAction.actionsOf(member).map((action) =>
        button(action, MemberAction.WORDS[action].title)
      )}
    </span>
  )
}

const columnsOf = (choose: (chosen: Chosen) => void): ReadonlyArray<Column<Member>> => [
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
    cell: ({ login }) => <RevealedText text={Shorten.middle(login, 48)} />
  },
  {
    name: "role",
    title: "Role",
    cell: ({ role, suspended }) =>
      suspended === true ? (
        <>
          {role}, <strong>suspended</strong>
        </>
      ) : (
        role
      )
  },
  {
    name: "joined",
    title: "Joined",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  },
  {
    name: "change",
    title: "Change",
    cell: (member) => <Actions member={member} choose={choose} />
  }
]

const People = ({ route }: { readonly route: Route.RouteOf<"Members"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("membership.members", params)
  const chosen = useSignal<Chosen | undefined>(undefined)
  const close = () => {
    chosen.value = undefined
  }
  const columns = columnsOf((next) => {
    chosen.value = next
  })
  return (
    <>
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
                columns={columns}
                rows={items}
                keyOf={({ login }) => login}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="members" />
            </>
          )
        }}
      </QueryView>
      {chosen.value === undefined ? null : chosen.value.action === "role" ? (
        <ChangeRole org={org} member={chosen.value.member} onClose={close} />
      ) : (
        <ConfirmAction
          org={org}
          member={chosen.value.member}
          action={chosen.value.action}
          onClose={close}
        />
      )}
    </>
  )
}

/** The buttons that bring in people, and their dialogs. */
const Joining = ({ org }: { readonly org: string }) => {
  const open = useSignal<"invite" | "add" | undefined>(undefined)
  const made = useSignal<MadeInvitation | undefined>(undefined)
  const close = () => {
    open.value = undefined
  }
  const button = (dialog: "invite" | "add", title: string) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        open.value = dialog
      }}
    >
      {title}…
    </button>
  )
  return (
    <>
      {button("invite", "Invite")} {button("add", "Add by login")}
      {open.value === "add" ? <AddMember org={org} onClose={close} /> : null}
      {open.value === "invite" ? (
        <Invite
          org={org}
          onClose={close}
          onMade={(invitation) => {
            close()
            made.value = invitation
          }}
        />
      ) : null}
      {made.value === undefined ? null : (
        <InvitationLink
          made={made.value}
          onClose={() => {
            made.value = undefined
          }}
        />
      )}
    </>
  )
}

/** People who may not list members are redirected to the service accounts that they manage. */
export const MembersPage = ({ route }: PageProps<Route.RouteOf<"Members">>) => {
  const { org } = route.params
  const isAllowed = Session.may(org, "membership.read")
  const isInvitations = Route.parameter(route, "list") === "invitations"
  useEffect(() => {
    if (!isAllowed) Navigation.go(Route.make("ServiceAccounts", { org }), { replace: true })
  }, [isAllowed, org])
  return (
    <Page
      name={isInvitations ? "Invitations" : "Members"}
      org={org}
      aside={
        <>
          {Session.may(org, "membership.write") ? <Joining org={org} /> : null}{" "}
          <a href={Navigation.href("MembershipHistory", { org })}>History of memberships</a>
        </>
      }
    >
      <AccessTabs org={org} current={isInvitations ? "Invitations" : "Members"} />
      {!isAllowed ? null : isInvitations ? (
        <InvitationTable route={route} />
      ) : (
        <People route={route} />
      )}
    </Page>
  )
}
