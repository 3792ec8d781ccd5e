/** Histories of memberships, and queries about them. */

import { MembershipEventId, type OrgId, UserId } from "@attestry/core/Identifier"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { BaseRole } from "@attestry/core/Role"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

/** Names that differ in case, in accents, and in letters beyond the basic plane. */
const name = FastCheck.constantFrom(
  "Ada",
  "ada",
  "ADAM",
  "Zoë",
  "zoe",
  "İnci",
  "straße",
  "🦉",
  "｡x"
)

const role = FastCheck.constantFrom(...BaseRole.literals)
const source = FastCheck.constantFrom(...MembershipEvent.MembershipSource.literals)

/** Instants that often coincide. */
const instant = FastCheck.integer({ min: 0, max: 8 }).map((seconds) =>
  Timestamp.fromSeconds(1_790_000_000 + seconds)
)

const suspended = FastCheck.boolean()

const roles = FastCheck.oneof(
  FastCheck.record({
    role,
    previous_role: FastCheck.constant(null),
    suspended: FastCheck.constant(false)
  }),
  FastCheck.record({ role, previous_role: role, suspended }),
  FastCheck.record({ role, suspended }).map((kept) => ({ ...kept, previous_role: kept.role })),
  FastCheck.record({
    role: FastCheck.constant(null),
    previous_role: role,
    suspended: FastCheck.constant(false)
  })
)

/** One change in an org, of any user. */
export const membershipEvent = (org: OrgId): FastCheck.Arbitrary<MembershipEvent.MembershipEvent> =>
  FastCheck.record({
    id: FastCheck.hexaString({ minLength: 28, maxLength: 28 }),
    user: name,
    changed_by: name,
    roles,
    source,
    created_at: instant
  }).map(({ id, roles: changed, ...event }) => ({
    org_id: org,
    id: MembershipEventId.make(id),
    user_id: UserId.make("user"),
    ...event,
    ...changed
  }))

/** A history; ids are unique. */
export const membershipHistory = (
  org: OrgId
): FastCheck.Arbitrary<ReadonlyArray<MembershipEvent.MembershipEvent>> =>
  FastCheck.uniqueArray(membershipEvent(org), { maxLength: 30, selector: ({ id }) => id })

const some = <A>(value: FastCheck.Arbitrary<A>) =>
  FastCheck.option(value, { nil: undefined, freq: 2 })

const filters = FastCheck.record(
  {
    search: FastCheck.constantFrom("", "a", "AD", "zo", "ZOË", "i̇", "ß", "🦉", "nobody", "%", "_"),
    eventType: FastCheck.constantFrom(...MembershipEvent.MembershipEventType.literals),
    roles: FastCheck.uniqueArray(role, { minLength: 1 }),
    sources: FastCheck.uniqueArray(source, { minLength: 1 }),
    from: instant,
    to: instant
  },
  { requiredKeys: [] }
)

/** A query; every combination of filters and sorts is possible. */
export const membershipEventQuery: FastCheck.Arbitrary<MembershipEvent.MembershipEventQuery> =
  FastCheck.tuple(
    some(filters),
    FastCheck.constantFrom(...MembershipEvent.MembershipSort.literals),
    FastCheck.constantFrom(...MembershipEvent.SortDirection.literals)
  ).map(([filter, sort, direction]) => ({ ...filter, sort, direction }))
