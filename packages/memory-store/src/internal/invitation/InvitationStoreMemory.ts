/** `InvitationStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import { type Invitation, stateAt } from "@attestry/core/Invitation"
import { InvitationStore } from "@attestry/core/InvitationStore"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { orgs } from "../org/OrgStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const invitations = table<Invitation>("invitation")

const newestFirst = (left: Invitation, right: Invitation): number =>
  right.created_at - left.created_at || (left.id < right.id ? -1 : 1)

/** `InvitationStore` in memory. */
export const layer: Layer.Layer<InvitationStore, never, MemoryState> = Layer.effect(
  InvitationStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(invitations)
    const tenants = yield* MemoryRows.make(orgs)
    return InvitationStore.of({
      findAnywhere: (wanted) =>
        state.transaction((now) =>
          Effect.gen(function* () {
            const invitation = (yield* rows.values).find(({ id }) => id === wanted)
            const org = (yield* tenants.values).find(({ id }) => id === invitation?.org_id)
            return invitation === undefined || org === undefined
              ? Option.none()
              : Option.some({ invitation, org: { id: org.id, name: org.name }, now })
          })
        ),
      lockOpen: (org, now) =>
        Effect.map(
          rows.values,
          (all) => all.filter((each) => each.org_id === org && stateAt(each, now) === "open").length
        ),
      insert: (invitation) => rows.set(key(invitation.org_id, invitation.id), invitation),
      lock: ({ org, id }) => rows.find(key(org, id)),
      end: ({ org_id, id, accepted_by, accepted_at, revoked_by, revoked_at }) =>
        Effect.flatMap(
          rows.find(key(org_id, id)),
          Option.match({
            onNone: () => Effect.void,
            onSome: (found) =>
              rows.replace(key(org_id, id), {
                ...found,
                accepted_by,
                accepted_at,
                revoked_by,
                revoked_at
              })
          })
        ),
      list: (org, page) =>
        Effect.map(rows.values, (all) =>
          Page.slice(all.filter(({ org_id }) => org_id === org).sort(newestFirst), page)
        )
    })
  })
)
