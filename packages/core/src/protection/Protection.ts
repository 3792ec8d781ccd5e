/**
 * Which changes need the approval of other people, and of how many. Pure. SPEC §2.30
 *
 * A protection covers kinds of changes in a space; the strictest one that covers a change applies to it. Weakening a
 * protection is a change that the protection itself covers, so that no person lowers the bar alone.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OrgName, TeamName } from "../shared/Identifier.js"

/** The most protections of an org. */
export const PROTECTIONS_MAX = 50
/** The most approvals that a protection asks for. */
export const APPROVALS_MAX = 3
/** The most days that a proposal waits. */
export const DAYS_MAX = 90
/** The days that a proposal waits where the protection does not say. */
export const DAYS_DEFAULT = 14

/** The kinds of changes that can be protected. */
export const ProtectionKind = Schema.Literal(
  "policy",
  "control",
  "attachment",
  "allow-list",
  "override",
  "waiver",
  "access",
  "sign-in"
).annotations({ identifier: "ProtectionKind" })
/** A kind of change that can be protected. */
export type ProtectionKind = typeof ProtectionKind.Type

/** Where a protection holds: the root, which is the whole org. */
export const ProtectedSpace = Schema.Literal("/").annotations({ identifier: "ProtectedSpace" })
/** Where a protection holds. */
export type ProtectedSpace = typeof ProtectedSpace.Type

/** A protection. */
export const Protection = Schema.Struct({
  /** At least one, each once. */
  kinds: Schema.NonEmptyArray(ProtectionKind),
  space: ProtectedSpace,
  /** How many other people must approve. */
  approvals: Schema.Int.pipe(Schema.between(1, APPROVALS_MAX)),
  /** Its people may approve besides admins; null for admins alone. */
  team: Schema.NullOr(TeamName),
  /** How long a proposal waits for its approvals. */
  days: Schema.Int.pipe(Schema.between(1, DAYS_MAX))
})
/** A protection. */
export type Protection = typeof Protection.Type

/** The protections of an org, in their order. */
export const Protections = Schema.Array(Protection).pipe(Schema.maxItems(PROTECTIONS_MAX))
/** The protections of an org, in their order. */
export type Protections = typeof Protections.Type

/** What the strictest protection asks for. */
export type Requirement = Pick<Protection, "approvals" | "team" | "days">

/** Whether a protection is stricter than another: more approvals, or the same by fewer people, or in less time. */
const isStricter = (left: Requirement, right: Requirement): boolean => {
  if (left.approvals !== right.approvals) return left.approvals > right.approvals
  if ((left.team === null) !== (right.team === null)) return left.team === null
  return left.days < right.days
}

/** The strictest protection that covers one of some kinds; none where they are free. */
export const strictest = (
  protections: Protections,
  kinds: ReadonlyArray<ProtectionKind>
): Option.Option<Requirement> => {
  let found: Requirement | undefined
  for (const { approvals, days, kinds: covered, team } of protections) {
    if (!covered.some((kind) => kinds.includes(kind))) continue
    const next = { approvals, team, days }
    if (found === undefined || isStricter(next, found)) found = next
  }
  return Option.fromNullable(found)
}

/** Whether less is asked for: fewer approvals, or other people who may approve besides admins. */
const isWeaker = (after: Requirement, before: Requirement): boolean =>
  after.approvals < before.approvals || (after.team !== null && after.team !== before.team)

/** The kinds for which a replacement of the protections asks for less. */
export const weakened = (before: Protections, after: Protections): ReadonlyArray<ProtectionKind> =>
  ProtectionKind.literals.filter((kind) => {
    const now = strictest(before, [kind])
    const next = strictest(after, [kind])
    if (Option.isNone(now)) return false
    return Option.isNone(next) || isWeaker(next.value, now.value)
  })

/** The kinds of change that a replacement of the protections is. */
export const kindsOfReplacement = (
  before: Protections,
  after: Protections
): ReadonlyArray<ProtectionKind> => [
  ...new Set<ProtectionKind>(["sign-in", ...weakened(before, after)])
]

/** What is wrong with protections, by field. */
export const problems = (protections: Protections): { readonly [field: string]: string } =>
  Object.fromEntries(
    protections.flatMap(({ kinds }, index) =>
      new Set(kinds).size === kinds.length
        ? []
        : [[`protections[${index}].kinds`, "Each kind should be named once"]]
    )
  )

const people = (count: number): string =>
  count === 1 ? "the approval of another person" : `the approval of ${count} other people`

/** The change needs the approval of other people. */
export class ChangeHeld extends Schema.TaggedError<ChangeHeld>()("ChangeHeld", {
  kinds: Schema.Array(ProtectionKind),
  approvals: Schema.Int
}) {
  override get message(): string {
    return `this change needs ${people(this.approvals)}: propose it`
  }
}

/** Protections that cannot be set, with a sentence for each field. */
export class InvalidProtections extends Schema.TaggedError<InvalidProtections>()(
  "InvalidProtections",
  { org: OrgName, problems: Schema.Record({ key: Schema.String, value: Schema.String }) }
) {
  override get message(): string {
    return "the protections cannot be set"
  }
}
