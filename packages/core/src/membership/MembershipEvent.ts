/**
 * One change of somebody's membership, and which of them a reader asks for.
 *
 * Selecting and sorting are pure and total; stores that select by themselves must agree with `select`.
 * Texts are compared by code points, and searched without regard to case. SPEC §2.9, §4.9
 */
import * as Schema from "effect/Schema"
import { Role } from "../access/Role.js"
import { MembershipEventId, OrgId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** Where a change came from. */
export const MembershipSource = Schema.Literal("app", "scim", "invitation", "script")
/** Where a change came from. */
export type MembershipSource = typeof MembershipSource.Type

/** What kind of change it was. */
export const MembershipEventType = Schema.Literal("added", "changed", "removed")
/** What kind of change it was. */
export type MembershipEventType = typeof MembershipEventType.Type

/** One change; never changed itself. Names are those of the moment. */
export const MembershipEvent = Schema.Struct({
  org_id: OrgId,
  id: MembershipEventId,
  user_id: UserId,
  /** Name of the person concerned. */
  user: Schema.String,
  /** Name of whoever made the change. */
  changed_by: Schema.String,
  /** The new role; `null` when the person was removed. */
  role: Schema.NullOr(Role),
  /** The role before; `null` when the person was added. */
  previous_role: Schema.NullOr(Role),
  source: MembershipSource,
  created_at: Timestamp
})
/** One change. */
export type MembershipEvent = typeof MembershipEvent.Type

/** The kind of a change: it follows from the roles before and after. */
export const typeOf = ({
  role,
  previous_role
}: Pick<MembershipEvent, "role" | "previous_role">): MembershipEventType =>
  previous_role === null ? "added" : role === null ? "removed" : "changed"

/** What events can be sorted by. */
export const MembershipSort = Schema.Literal("when", "user", "role", "changed_by", "source")
/** What events can be sorted by. */
export type MembershipSort = typeof MembershipSort.Type

/** Up or down. */
export const SortDirection = Schema.Literal("asc", "desc")
/** Up or down. */
export type SortDirection = typeof SortDirection.Type

/** Which events, in which order; a filter that is left out lets everything pass. */
export interface MembershipEventQuery {
  /** Part of the name of the person concerned, or of whoever made the change. */
  readonly search?: string
  readonly eventType?: MembershipEventType
  /** New roles, any of which will do. */
  readonly roles?: ReadonlyArray<Role>
  /** Sources, any of which will do. */
  readonly sources?: ReadonlyArray<MembershipSource>
  /** Both bounds are inclusive. */
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly sort: MembershipSort
  readonly direction: SortDirection
}

/** A text as it is searched: equal for texts that differ in case alone. */
export const fold = (text: string): string => text.toLowerCase()

/** Whether a query asks for an event. */
export const matches = (query: MembershipEventQuery, event: MembershipEvent): boolean => {
  const { search, eventType, roles, sources, from, to } = query
  const needle = search === undefined ? undefined : fold(search)
  return (
    (needle === undefined ||
      fold(event.user).includes(needle) ||
      fold(event.changed_by).includes(needle)) &&
    (eventType === undefined || typeOf(event) === eventType) &&
    (roles === undefined || (event.role !== null && roles.includes(event.role))) &&
    (sources === undefined || sources.includes(event.source)) &&
    (from === undefined || event.created_at >= from) &&
    (to === undefined || event.created_at <= to)
  )
}

/** Compares by code points, as stores do; the language's own order is by code units. */
export const compareText = (left: string, right: string): number => {
  const [ours, theirs] = [Array.from(left), Array.from(right)]
  for (let place = 0; place < Math.min(ours.length, theirs.length); place++) {
    const difference = (ours[place]?.codePointAt(0) ?? 0) - (theirs[place]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return ours.length - theirs.length
}

const compareBy = (sort: MembershipSort, left: MembershipEvent, right: MembershipEvent): number => {
  switch (sort) {
    case "when":
      return left.created_at - right.created_at
    case "role":
      return compareText(left.role ?? "", right.role ?? "")
    default:
      return compareText(left[sort], right[sort])
  }
}

/** The order that a query asks for; events that are equal in it are in the order of their ids. */
export const order =
  ({ sort, direction }: Pick<MembershipEventQuery, "sort" | "direction">) =>
  (left: MembershipEvent, right: MembershipEvent): number => {
    const ascending = compareBy(sort, left, right) || compareText(left.id, right.id)
    return direction === "asc" ? ascending : -ascending
  }

/** The events that a query asks for, in its order. */
export const select = (
  query: MembershipEventQuery,
  events: ReadonlyArray<MembershipEvent>
): ReadonlyArray<MembershipEvent> =>
  events.filter((event) => matches(query, event)).sort(order(query))
