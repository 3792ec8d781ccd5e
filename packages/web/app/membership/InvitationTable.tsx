/** The invitations of an org: who made each, what became of it, and a button that revokes an open one. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Invitation } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { FormDialog } from "../shared/FormDialog.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const PER_PAGE = 100

/** Whom an invitation is for, as far as its maker has said so. */
const forWhom = ({ login, display_name, email }: Invitation): string =>
  display_name ?? login ?? email ?? "anyone with the link"

const State = ({ invitation }: { readonly invitation: Invitation }) => {
  const { state, accepted_by, accepted_at, revoked_by, revoked_at, expires_at } = invitation
  if (state === "accepted" && accepted_at !== null)
    return (
      <>
        accepted by <RevealedText text={accepted_by ?? ""} /> <Timestamp seconds={accepted_at} />
      </>
    )
  if (state === "revoked" && revoked_at !== null)
    return (
      <>
        revoked by <RevealedText text={revoked_by ?? ""} /> <Timestamp seconds={revoked_at} />
      </>
    )
  return (
    <>
      {state === "open" ? "open, ends" : "expired"} <Timestamp seconds={expires_at} />
    </>
  )
}

const columnsOf = (revoke: (invitation: Invitation) => void): ReadonlyArray<Column<Invitation>> => [
  {
    name: "for",
    title: "For",
    isHeader: true,
    cell: (invitation) => <RevealedText text={Shorten.middle(forWhom(invitation), 48)} />
  },
  { name: "role", title: "Role", cell: ({ role }) => role },
  { name: "state", title: "State", cell: (invitation) => <State invitation={invitation} /> },
  {
    name: "by",
    title: "Invited by",
    cell: ({ created_by, created_at }) => (
      <>
        <RevealedText text={Shorten.middle(created_by, 32)} /> <Timestamp seconds={created_at} />
      </>
    )
  },
  {
    name: "revoke",
    title: "Revoke",
    cell: (invitation) =>
      invitation.state === "open" ? (
        <button type="button" class="button-text" onClick={() => revoke(invitation)}>
          Revoke…
          <span class="visually-hidden"> the invitation for {forWhom(invitation)}</span>
        </button>
      ) : null
  }
]

const Revoke = ({
  org,
  invitation,
  onClose
}: {
  readonly org: string
  readonly invitation: Invitation
  readonly onClose: () => void
}) => {
  const write = useWrite()
  return (
    <FormDialog
      title="Revoke the invitation"
      action="Revoke"
      fields={[]}
      onClose={onClose}
      onDone={() => {
        cache.invalidate(callOf("invitation.list", { org }).path)
        onClose()
      }}
      write={() => write("invitation.revoke", { org, invitation_id: invitation.id })}
    >
      {() => (
        <p>
          The link for <RevealedText text={forWhom(invitation)} /> gives nothing from then on.
        </p>
      )}
    </FormDialog>
  )
}

/** The invitations of an org, newest first. */
export const InvitationTable = ({ route }: { readonly route: Route.RouteOf<"Members"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("invitation.list", params)
  const chosen = useSignal<Invitation | undefined>(undefined)
  const columns = columnsOf((invitation) => {
    chosen.value = invitation
  })
  return (
    <>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("invitation.list", params).path)}
      >
        {({ invitations, total_count }) => {
          const { items, damaged } = Damaged.readable(invitations)
          if (total_count === 0)
            return (
              <div class="note">
                <strong>Nobody was invited yet</strong>
                <p>An invitation is a link that makes one person a member, once.</p>
              </div>
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Invitations"
                columns={columns}
                rows={items}
                keyOf={({ id }) => id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="invitations" />
            </>
          )
        }}
      </QueryView>
      {chosen.value === undefined ? null : (
        <Revoke
          org={org}
          invitation={chosen.value}
          onClose={() => {
            chosen.value = undefined
          }}
        />
      )}
    </>
  )
}
