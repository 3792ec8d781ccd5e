/**
 * Break-glass: a role in a space that a person takes at once, for a while and with a reason. Pure. SPEC §2.33
 *
 * An opening is never extended: it ends at its time, or is closed before, once. Then another admin reviews it, once.
 * Its state is a function of the record and an instant.
 */
import * as Schema from "effect/Schema"
import { lowest, type Permission } from "../access/Permission.js"
import { isAtLeast, Role } from "../access/Role.js"
import type { Binding } from "../access/Standing.js"
import { CredentialId, OrgId, OrgName, SpaceId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The fewest minutes of an opening. */
export const MINUTES_MIN = 15
/** The most minutes of an opening. */
export const MINUTES_MAX = 240
/** The most characters of a reason and of a note. */
export const REASON_LENGTH_MAX = 2_000

/** A reason or a note: a text that is not blank. */
export const Reason = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "" || "String should not be blank"),
  Schema.maxLength(REASON_LENGTH_MAX)
)

/** How long an opening lasts. */
export const Minutes = Schema.Int.pipe(Schema.between(MINUTES_MIN, MINUTES_MAX))

/** What allows a person to open it: an eligible grant, or a key for emergencies. */
export const Means = Schema.Literal("grant", "emergency-key").annotations({
  identifier: "BreakGlassMeans"
})
/** What allows a person to open it. */
export type Means = typeof Means.Type

/** The states of an opening: it counts while it is open, and waits for its review when it is over. */
export const BreakGlassState = Schema.Literal("open", "closed", "expired", "reviewed").annotations({
  identifier: "BreakGlassState"
})
/** The state of an opening. */
export type BreakGlassState = typeof BreakGlassState.Type

/** Who closed an opening, with the name at that time. */
export const Closer = Schema.Struct({ user_id: Schema.String, user: Schema.String })
/** Who closed an opening. */
export type Closer = typeof Closer.Type

/** The review of an opening. */
export const Review = Schema.Struct({
  at: Timestamp.Timestamp,
  user_id: Schema.String,
  user: Schema.String,
  /** What the reviewer found. */
  comment: Schema.String
})
/** The review of an opening. */
export type Review = typeof Review.Type

/** An opening before the store assigns its number. */
export const BreakGlassDraft = Schema.Struct({
  org_id: OrgId,
  user_id: Schema.String,
  /** The name of the person at that time. */
  opened_by: Schema.String,
  credential: CredentialId,
  means: Means,
  space_id: SpaceId,
  role: Role,
  reason: Schema.String,
  minutes: Schema.Int,
  opened_at: Timestamp.Timestamp,
  ends_at: Timestamp.Timestamp,
  /** When it was over: before its end, or at its end; null until that is recorded. */
  closed_at: Schema.NullOr(Timestamp.Timestamp),
  /** Null for an end that time brought. */
  closed_by: Schema.NullOr(Closer),
  reviewed: Schema.NullOr(Review)
})
/** An opening before the store assigns its number. */
export type BreakGlassDraft = typeof BreakGlassDraft.Type

/** An opening; numbers count from 1 in each org. */
export const BreakGlass = Schema.Struct({ ...BreakGlassDraft.fields, number: Schema.Int })
/** An opening. */
export type BreakGlass = typeof BreakGlass.Type

/** The number of an opening in an org. */
export interface BreakGlassKey {
  readonly org: OrgId
  readonly number: number
}

/** The key of an opening. */
export const keyOf = ({ number, org_id }: BreakGlass): BreakGlassKey => ({ org: org_id, number })

type Times = Pick<BreakGlassDraft, "closed_at" | "ends_at" | "opened_at">

/** When an opening is over. */
export const overAt = ({ closed_at, ends_at }: Pick<Times, "closed_at" | "ends_at">) =>
  closed_at ?? ends_at

/** Whether an opening counts at an instant. */
export const holds = (glass: Times, at: Timestamp.Timestamp): boolean =>
  glass.opened_at <= at && at < overAt(glass)

/** The state of an opening at an instant. */
export const stateAt = (
  glass: Pick<BreakGlassDraft, "closed_at" | "closed_by" | "ends_at" | "reviewed">,
  now: Timestamp.Timestamp
): BreakGlassState => {
  if (glass.reviewed !== null) return "reviewed"
  if (glass.closed_by !== null) return "closed"
  return now < overAt(glass) ? "open" : "expired"
}

/** What an opening gives while it counts. */
export const bindingOf = ({ role, space_id }: Pick<BreakGlass, "role" | "space_id">): Binding => ({
  role,
  space: space_id
})

/** An opening that a person closes, no later than its end and no earlier than its beginning. */
export const close = (glass: BreakGlass, at: Timestamp.Timestamp, closer: Closer): BreakGlass => ({
  ...glass,
  closed_at: Timestamp.fromMicros(Math.min(Math.max(at, glass.opened_at), glass.ends_at)),
  closed_by: closer
})

/** An opening whose end has come. */
export const expire = (glass: BreakGlass): BreakGlass => ({ ...glass, closed_at: glass.ends_at })

/** An opening with its review. */
export const review = (glass: BreakGlass, reviewed: Review): BreakGlass => ({ ...glass, reviewed })

/** Whether eligible grants let a person take a role in a space, which and all above it are the path. */
export const isEligible = (
  eligible: ReadonlyArray<Binding>,
  role: Role,
  path: ReadonlyArray<SpaceId>
): boolean => eligible.some((each) => isAtLeast(each.role, role) && path.includes(each.space))

/** Whether the role of an opening has all of some permissions, which a change needs that is not held back for it. */
export const permits = (
  { role }: Pick<BreakGlass, "role">,
  permissions: ReadonlyArray<Permission>
): boolean => permissions.every((permission) => isAtLeast(role, lowest(permission)))

/** There is no opening of that number that the caller can see. */
export class BreakGlassNotFound extends Schema.TaggedError<BreakGlassNotFound>()(
  "BreakGlassNotFound",
  { org: OrgName, number: Schema.Int }
) {
  override get message(): string {
    return `Break-glass ${this.number} does not exist in organization '${this.org}'`
  }
}

const FORBIDDEN = {
  "service-account": "a service account cannot open break-glass: a person must",
  "not-eligible":
    "you have neither an eligible grant of this role in this space nor a key for emergencies",
  "not-yours": "only the person who has opened it and admins may close break-glass",
  "own-opening": "another admin must review break-glass than the person who has opened it",
  reviewer: "an admin of the whole org must review break-glass"
}

/** The caller may not open, close or review it. */
export class BreakGlassForbidden extends Schema.TaggedError<BreakGlassForbidden>()(
  "BreakGlassForbidden",
  {
    because: Schema.Literal(
      "service-account",
      "not-eligible",
      "not-yours",
      "own-opening",
      "reviewer"
    )
  }
) {
  override get message(): string {
    return FORBIDDEN[this.because]
  }
}

/** The person has an opening that is not over: one at a time. */
export class BreakGlassOpen extends Schema.TaggedError<BreakGlassOpen>()("BreakGlassOpen", {
  number: Schema.Int
}) {
  override get message(): string {
    return `you have opened break-glass ${this.number}: close it before you open another`
  }
}

/** The opening is in another state than the decision needs. */
export class BreakGlassDecided extends Schema.TaggedError<BreakGlassDecided>()(
  "BreakGlassDecided",
  { number: Schema.Int, state: BreakGlassState }
) {
  override get message(): string {
    return `break-glass ${this.number} is ${this.state}`
  }
}
