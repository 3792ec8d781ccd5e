/**
 * A grant: a role in a space, and in all spaces below it, for a person, a team, a service account, or everyone. Pure.
 * SPEC §2.32
 *
 * A grant is given once and ended once, and never removed, so that it can be said who could do what at every past
 * instant. Nothing takes away: what a member may do is the union of base role and grants. An eligible grant gives
 * nothing until its subject opens break-glass with it, so a subject can have one of each sort in a space.
 */
import * as Schema from "effect/Schema"
import { Role } from "../access/Role.js"
import { OrgId, OrgName, SpaceId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The most grants of an org that last. */
export const GRANTS_MAX = 20_000
/** The most grants of one subject that last. */
export const GRANTS_OF_SUBJECT_MAX = 500
/** The most characters of a reason. */
export const REASON_LENGTH_MAX = 512

/** Whom a grant can be for. */
export const SubjectKind = Schema.Literal(
  "user",
  "team",
  "service-account",
  "everyone"
).annotations({ identifier: "GrantSubjectKind" })
/** Whom a grant can be for. */
export type SubjectKind = typeof SubjectKind.Type

/** Whom a grant is for; the id of everyone is empty. */
export const GrantSubject = Schema.Struct({ kind: SubjectKind, id: Schema.String })
/** Whom a grant is for. */
export type GrantSubject = typeof GrantSubject.Type

/** Why a grant was given; may be empty. */
export const Reason = Schema.String.pipe(Schema.maxLength(REASON_LENGTH_MAX))

/** A grant. */
export const Grant = Schema.Struct({
  org_id: OrgId,
  /** Unique in the org; counts from 1. */
  number: Schema.Int,
  subject: GrantSubject,
  space_id: SpaceId,
  role: Role,
  /** Gives nothing by itself: the subject may open break-glass with it. */
  eligible: Schema.Boolean,
  /** When it ends by itself; null where it does not. */
  expires_at: Schema.NullOr(Timestamp.Timestamp),
  reason: Schema.String,
  /** The id of the user or account that gave it. */
  given_by: Schema.String,
  from_at: Timestamp.Timestamp,
  /** Null until it is ended. */
  to_at: Schema.NullOr(Timestamp.Timestamp)
})
/** A grant. */
export type Grant = typeof Grant.Type

/** A grant before the org's next number is known. */
export type GrantDraft = Omit<Grant, "number">

/** Whether a grant counts at an instant. */
export const holds = (
  { expires_at, from_at, to_at }: Pick<Grant, "expires_at" | "from_at" | "to_at">,
  at: Timestamp.Timestamp
): boolean =>
  from_at <= at && (to_at === null || at < to_at) && (expires_at === null || at < expires_at)

/** Whether a grant gives the same as another, for the same reason. */
export const sameContent = (
  left: Pick<Grant, "role" | "expires_at" | "reason">,
  right: Pick<Grant, "role" | "expires_at" | "reason">
): boolean =>
  left.role === right.role && left.expires_at === right.expires_at && left.reason === right.reason

/** There is no grant of that number that the caller can see. */
export class GrantNotFound extends Schema.TaggedError<GrantNotFound>()("GrantNotFound", {
  org: OrgName,
  number: Schema.Int
}) {
  override get message(): string {
    return `there is no grant ${this.number} in org \`${this.org}\``
  }
}

/** There is no such member, team or account in the org. */
export class SubjectNotFound extends Schema.TaggedError<SubjectNotFound>()("SubjectNotFound", {
  org: OrgName,
  kind: SubjectKind,
  name: Schema.String
}) {
  override get message(): string {
    const what = this.kind === "user" ? "member" : this.kind
    return `there is no ${what} \`${this.name}\` in org \`${this.org}\``
  }
}

/** The end of a grant is not after its beginning. */
export class GrantEndsBefore extends Schema.TaggedError<GrantEndsBefore>()("GrantEndsBefore", {}) {
  override get message(): string {
    return "`expires_at` should be in the future"
  }
}

/** Break-glass is for people, so that an account has no eligible grant. */
export class EligibleAccount extends Schema.TaggedError<EligibleAccount>()("EligibleAccount", {}) {
  override get message(): string {
    return "a service account has no eligible grants: only people open break-glass"
  }
}

/** The org, or the subject, has the most grants that it can have. */
export class TooManyGrants extends Schema.TaggedError<TooManyGrants>()("TooManyGrants", {
  of: Schema.Literal("org", "subject"),
  max: Schema.Int
}) {
  override get message(): string {
    const who = this.of === "org" ? "an org" : "a member, team or account"
    return `${who} has at most ${this.max} grants: end one that is not needed any more`
  }
}
