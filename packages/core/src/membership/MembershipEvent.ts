/**
 * One change of a membership, and the filter and order of changes.
 *
 * Pure and total; a store that selects by itself must agree with `select`. Texts are compared by code points,
 * and searched without regard to case. SPEC §2.9, §4.9
 */
import * as Schema from "effect/Schema"
import { BaseRole } from "../access/Role.js"
import { MembershipEventId, OrgId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The origin of a change. */
export const MembershipSource = Schema.Literal("app", "scim", "invitation", "script")
/** The origin of a change. */
export type MembershipSource = typeof MembershipSource.Type

/** The kind of a change. */
export const MembershipEventType = Schema.Literal(
  "added",
  "changed",
  "suspended",
  "restored",
  "removed"
)
/** The kind of a change. */
export type MembershipEventType = typeof MembershipEventType.Type

/** One change; immutable, with the names at that time. */
export const MembershipEvent = Schema.Struct({
  org_id: OrgId,
  id: MembershipEventId,
  user_id: UserId,
  /** The name of the member. */
  user: Schema.String,
  /** The name of the actor. */
  changed_by: Schema.String,
  /** The new role; `null` after a removal. */
  role: Schema.NullOr(BaseRole),
  /** The previous role; `null` for a new member. */
  previous_role: Schema.NullOr(BaseRole),
  /** Whether the membership is suspended afterwards. */
  suspended: Schema.Boolean,
  source: MembershipSource,
  created_at: Timestamp
})
/** One change. */
export type MembershipEvent = typeof MembershipEvent.Type

/** The kind of a change, from the roles before and after. A change that keeps the role suspends or restores. */
export const typeOf = ({
  role,
  previous_role,
  suspended
}: Pick<MembershipEvent, "role" | "previous_role" | "suspended">): MembershipEventType => {
  if (previous_role === null) return "added"
  if (role === null) return "removed"
  if (role !== previous_role) return "changed"
  return suspended ? "suspended" : "restored"
}

/** The keys of sorting. */
export const MembershipSort = Schema.Literal("when", "user", "role", "changed_by", "source")
/** The keys of sorting. */
export type MembershipSort = typeof MembershipSort.Type

/** The direction of sorting. */
export const SortDirection = Schema.Literal("asc", "desc")
/** The direction of sorting. */
export type SortDirection = typeof SortDirection.Type

/** Which events in which order; an absent filter passes every event. */
export interface MembershipEventQuery {
  /** Part of the name of the member or of the actor. */
  readonly search?: string
  readonly eventType?: MembershipEventType
  /** The new role is one of these. */
  readonly roles?: ReadonlyArray<BaseRole>
  /** The source is one of these. */
  readonly sources?: ReadonlyArray<MembershipSource>
  /** Both bounds are inclusive. */
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly sort: MembershipSort
  readonly direction: SortDirection
}

/** The key of a case-insensitive search. */
export const fold = (text: string): string => text.toLowerCase()

/** Whether an event passes a query. */
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

/** Compares by code points, as stores do; JavaScript compares by code units. */
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

/** The order of a query; equal events are in the order of their ids. */
export const order =
  ({ sort, direction }: Pick<MembershipEventQuery, "sort" | "direction">) =>
  (left: MembershipEvent, right: MembershipEvent): number => {
    const ascending = compareBy(sort, left, right) || compareText(left.id, right.id)
    return direction === "asc" ? ascending : -ascending
  }

/** The events that pass a query, in its order. */
export const select = (
  query: MembershipEventQuery,
  events: ReadonlyArray<MembershipEvent>
): ReadonlyArray<MembershipEvent> =>
  events.filter((event) => matches(query, event)).sort(order(query))
