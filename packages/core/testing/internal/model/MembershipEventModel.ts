/**
 * The membership events of a query: a slow, plain model of `MembershipEvent.select`.
 *
 * Follows the specification rule by rule; sorts by insertion.
 */
import type { MembershipEvent, MembershipEventQuery } from "@attestry/core/MembershipEvent"

const kindOf = (event: MembershipEvent): string => {
  if (event.previous_role === null) return "added"
  if (event.role === null) return "removed"
  if (event.role !== event.previous_role) return "changed"
  return event.suspended ? "suspended" : "restored"
}

const contains = (text: string, part: string): boolean =>
  text.toLowerCase().indexOf(part.toLowerCase()) >= 0

const passes = (query: MembershipEventQuery, event: MembershipEvent): boolean => {
  if (query.search !== undefined) {
    const found = contains(event.user, query.search) || contains(event.changed_by, query.search)
    if (!found) return false
  }
  if (query.eventType !== undefined && kindOf(event) !== query.eventType) return false
  if (query.roles !== undefined && !query.roles.some((role) => role === event.role)) return false
  if (query.sources !== undefined && !query.sources.some((from) => from === event.source))
    return false
  if (query.from !== undefined && event.created_at < query.from) return false
  if (query.to !== undefined && event.created_at > query.to) return false
  return true
}

/** The sort key as a text whose order by code points is the required order. */
const keyOf = (query: MembershipEventQuery, event: MembershipEvent): ReadonlyArray<number> => {
  const columns = {
    when: String(event.created_at).padStart(20, "0"),
    user: event.user,
    role: event.role === null ? "" : event.role,
    changed_by: event.changed_by,
    source: event.source
  }
  const points = (text: string) => [...text].map((letter) => letter.codePointAt(0) ?? 0)
  return [...points(columns[query.sort]), -1, ...points(event.id)]
}

const before = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): boolean => {
  for (const [place, ours] of left.entries()) {
    const theirs = right[place]
    if (theirs === undefined) return false
    if (ours !== theirs) return ours < theirs
  }
  return left.length < right.length
}

/** The events that pass a query, in its order. */
export const select = (
  query: MembershipEventQuery,
  events: ReadonlyArray<MembershipEvent>
): ReadonlyArray<MembershipEvent> => {
  const sorted: Array<MembershipEvent> = []
  for (const event of events) {
    if (!passes(query, event)) continue
    const key = keyOf(query, event)
    const place = sorted.findIndex((other) => before(key, keyOf(query, other)))
    sorted.splice(place === -1 ? sorted.length : place, 0, event)
  }
  return query.direction === "asc" ? sorted : sorted.reverse()
}
