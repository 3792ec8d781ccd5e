/** Serves members and the membership audit log. */
import {
  type MemberResponse,
  MembershipApi,
  type MembershipAuditLogParams,
  type MembershipEventResponse
} from "@attestry/api/MembershipApi"
import * as Membership from "@attestry/core/Membership"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { Memberships } from "@attestry/core/Memberships"
import { OrgMembers } from "@attestry/core/OrgMembers"
import { offsetOf } from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = (
  event: MembershipEvent.MembershipEvent
): typeof MembershipEventResponse.Type => ({
  id: event.id,
  user: event.user,
  changed_by: event.changed_by,
  role: event.role ?? "",
  previous_role: event.previous_role ?? "",
  source: event.source,
  created_at: event.created_at,
  event_type: MembershipEvent.typeOf(event)
})

const memberOf = (member: Membership.Member): typeof MemberResponse.Type => ({
  user: Membership.displayName(member),
  login: member.login,
  role: member.role,
  created_at: member.created_at,
  ...(member.suspended_at === null ? {} : { suspended: true as const })
})

type Params = typeof MembershipAuditLogParams.Type

const queryOf = (params: Params): MembershipEvent.MembershipEventQuery => ({
  ...(params.search === undefined ? {} : { search: params.search }),
  ...(params.event_type === undefined ? {} : { eventType: params.event_type }),
  ...(params.role === undefined ? {} : { roles: params.role }),
  ...(params.source === undefined ? {} : { sources: params.source }),
  ...(params.from_timestamp === undefined ? {} : { from: params.from_timestamp }),
  ...(params.to_timestamp === undefined ? {} : { to: params.to_timestamp }),
  sort: params.sort_by ?? params.sort ?? "when",
  direction: params.sort_dir ?? params.sort_direction ?? "desc"
})

/** Serves the operations of memberships. */
export const MembershipHandlers = group(
  MembershipApi,
  Effect.gen(function* () {
    const memberships = yield* Memberships
    const orgMembers = yield* OrgMembers
    const base = yield* PublicUrl
    const shown = (member: Membership.Member) => ok(memberOf(member))
    return {
      members: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return memberships.members(path.org, { offset: offsetOf(page), limit: page.perPage }).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              members: items.map(memberOf)
            })
          )
        )
      },
      put: ({ path, payload }) =>
        orgMembers.put(path, payload.role).pipe(
          toWire,
          Effect.map(({ isNew, member }) => (isNew ? created(memberOf(member)) : shown(member)))
        ),
      remove: ({ path }) => orgMembers.remove(path).pipe(toWire, Effect.as(ok("OK" as const))),
      suspend: ({ path }) => orgMembers.suspend(path).pipe(toWire, Effect.map(shown)),
      restore: ({ path }) => orgMembers.restore(path).pipe(toWire, Effect.map(shown)),
      signOut: ({ path }) => orgMembers.signOut(path).pipe(toWire, Effect.map(shown)),
      auditLog: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return memberships
          .history(path.org, queryOf(urlParams), { offset: offsetOf(page), limit: page.perPage })
          .pipe(
            toWire,
            Effect.map(({ events, total }) =>
              ok({
                ...Paging.counters(base, incoming, { total, page }),
                events: events.map(responseOf)
              })
            )
          )
      }
    }
  })
)
