/**
 * Which changes need the approval of other people, and of how many. Pure. SPEC §2.30
 *
 * A protection covers kinds of changes in a space; the strictest one that covers a change applies to it. Weakening a
 * protection is a change that the protection itself covers, so that no person lowers the bar alone.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OrgName, SpaceId, TeamName } from "../shared/Identifier.js"
import type { ThingKind } from "../space/ThingPlace.js"

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
  "trust",
  "access",
  "sign-in"
).annotations({ identifier: "ProtectionKind" })
/** A kind of change that can be protected. */
export type ProtectionKind = typeof ProtectionKind.Type

/** A protection. */
export const Protection = Schema.Struct({
  /** At least one, each once. */
  kinds: Schema.NonEmptyArray(ProtectionKind),
  /** It holds in this space and in all below it; at the root, in the whole org. */
  space_id: SpaceId,
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

/** The ids from the root to a space, the space itself last. */
export type SpaceIds = ReadonlyArray<SpaceId>

/** Some kinds of changes, and the paths of the spaces where they are made. */
export interface Covered {
  readonly kinds: ReadonlyArray<ProtectionKind>
  readonly paths: ReadonlyArray<SpaceIds>
}

const covers = ({ kinds, space_id }: Protection, change: Covered): boolean =>
  kinds.some((kind) => change.kinds.includes(kind)) &&
  change.paths.some((path) => path.includes(space_id))

/** The strictest protection that covers one of some changes; none where they are free. */
export const strictest = (
  protections: Protections,
  changes: ReadonlyArray<Covered>
): Option.Option<Requirement> => {
  let found: Requirement | undefined
  for (const protection of protections) {
    if (!changes.some((change) => covers(protection, change))) continue
    const { approvals, days, team } = protection
    const next = { approvals, team, days }
    if (found === undefined || isStricter(next, found)) found = next
  }
  return Option.fromNullable(found)
}

/** Whether less is asked for: fewer approvals, or other people who may approve besides admins. */
const isWeaker = (after: Requirement, before: Requirement): boolean =>
  after.approvals < before.approvals || (after.team !== null && after.team !== before.team)

/** The kinds for which a replacement of the protections asks for less in the space of a path. */
const weakenedAt = (
  before: Protections,
  after: Protections,
  path: SpaceIds
): ReadonlyArray<ProtectionKind> =>
  ProtectionKind.literals.filter((kind) => {
    const change = [{ kinds: [kind], paths: [path] }]
    const now = strictest(before, change)
    const next = strictest(after, change)
    if (Option.isNone(now)) return false
    return Option.isNone(next) || isWeaker(next.value, now.value)
  })

/** A replacement of the protections of an org. */
export interface Replacement {
  readonly before: Protections
  readonly after: Protections
  /** The path of a space. */
  readonly pathOf: (space: SpaceId) => SpaceIds
}

/** The kinds for which a replacement asks for less, and the spaces where it does. */
export const weakened = ({
  after,
  before,
  pathOf
}: Replacement): {
  readonly kinds: ReadonlyArray<ProtectionKind>
  readonly spaces: ReadonlyArray<SpaceId>
} => {
  // What covers a space is what covers the nearest named one above it.
  const named = [...new Set([...before, ...after].map(({ space_id }) => space_id))]
  const found = named.flatMap((space) => {
    const kinds = weakenedAt(before, after, pathOf(space))
    return kinds.length === 0 ? [] : [{ kinds, space }]
  })
  return {
    kinds: [...new Set(found.flatMap(({ kinds }) => kinds))],
    spaces: found.map(({ space }) => space)
  }
}

/** The kinds of protected changes of the things of a kind. */
const KINDS_OF_THING: { readonly [kind in ThingKind]: ReadonlyArray<ProtectionKind> } = {
  flow: ["override"],
  environment: ["attachment", "allow-list"],
  policy: ["policy", "waiver"],
  control: ["control"],
  "service-account": ["access", "sign-in"]
}

/** A move of things of some kinds from one space to another, by their paths. */
export interface Departure {
  readonly kinds: ReadonlyArray<ThingKind>
  readonly from: SpaceIds
  readonly to: SpaceIds
}

/** The kinds of changes of moved things that a protection covers before the move alone. */
export const leaving = (
  protections: Protections,
  { from, kinds, to }: Departure
): ReadonlyArray<ProtectionKind> => {
  const own = new Set(kinds.flatMap((kind) => KINDS_OF_THING[kind]))
  const lost = protections.filter(
    ({ space_id }) => from.includes(space_id) && !to.includes(space_id)
  )
  return ProtectionKind.literals.filter(
    (kind) => own.has(kind) && lost.some((each) => each.kinds.includes(kind))
  )
}

/** The path that some paths have in common: that of the lowest space that all of them are in. */
export const commonPath = (paths: ReadonlyArray<SpaceIds>): SpaceIds => {
  const [first = [], ...others] = paths
  const end = first.findIndex((space, index) => others.some((path) => path[index] !== space))
  return end === -1 ? first : first.slice(0, end)
}

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
    return `this change needs ${people(this.approvals)}`
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
