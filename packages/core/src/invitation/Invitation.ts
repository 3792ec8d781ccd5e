/**
 * An invitation to an org: a secret that makes one person a member with one role, once, until it ends.
 *
 * The secret is in none of these values; only `InvitationSecret` handles it. SPEC §4.9
 */
import * as Schema from "effect/Schema"
import { BaseRole } from "../access/Role.js"
import { InvitationId, Login, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** How many days an invitation is open. */
export const DAYS = { min: 1, max: 30, default: 7 } as const

/** An org has at most this many open invitations. */
export const OPEN_MAX = 200

/** The longest display name. */
export const DISPLAY_NAME_LENGTH_MAX = 128

/** The longest address. */
export const EMAIL_LENGTH_MAX = 320

/**
 * A login that a new person gets. WHY narrower than a login: a person must not look like another one by case, spaces or
 * letters of another script, and `:` is for logins of providers.
 */
export const InvitedLogin = Login.pipe(Schema.pattern(/^[a-z0-9][a-z0-9._@+-]*$/))

/** The name of an invited person. */
export const DisplayName = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(DISPLAY_NAME_LENGTH_MAX)
)

/** The address of an invited person, which admins see in the list; nothing is sent to it, and no user gets it. */
export const Email = Schema.String.pipe(
  Schema.maxLength(EMAIL_LENGTH_MAX),
  Schema.pattern(/^[^\s@]+@[^\s@]+$/)
)

const Name = Schema.NullOr(Schema.String)
const Instant = Schema.NullOr(Timestamp)

/** An invitation, with the digest of its secret. */
export const Invitation = Schema.Struct({
  org_id: OrgId,
  id: InvitationId,
  role: BaseRole,
  /** The login that the person gets; `null` lets the person choose. WHY a text: an erased one is no login. */
  login: Name,
  display_name: Name,
  email: Name,
  digest: Schema.String,
  /** The name of the admin. */
  created_by: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp,
  /** The login of the person who accepted. */
  accepted_by: Name,
  accepted_at: Instant,
  revoked_by: Name,
  revoked_at: Instant
})
/** An invitation. */
export type Invitation = typeof Invitation.Type

/** An invitation in its org. */
export interface InvitationKey {
  readonly org: OrgId
  readonly id: InvitationId
}

/** The state of an invitation. */
export const InvitationState = Schema.Literal("open", "accepted", "revoked", "expired")
/** The state of an invitation. */
export type InvitationState = typeof InvitationState.Type

/** The state at an instant: an invitation ends with its acceptance, its revocation or its time, whichever is first. */
export const stateAt = (
  { accepted_at, expires_at, revoked_at }: Invitation,
  now: Timestamp
): InvitationState => {
  if (accepted_at !== null) return "accepted"
  if (revoked_at !== null) return "revoked"
  return now < expires_at ? "open" : "expired"
}

/** There is no open invitation with the secret. The error does not tell a wrong secret from one that ended. */
export class InvitationClosed extends Schema.TaggedError<InvitationClosed>()(
  "InvitationClosed",
  {}
) {
  override get message(): string {
    return "this invitation is not valid: it is wrong, was used or revoked, or has expired"
  }
}

/** The org has no invitation of that id. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()(
  "InvitationNotFound",
  { org: OrgName, id: InvitationId }
) {
  override get message(): string {
    return `org \`${this.org}\` has no invitation \`${this.id}\``
  }
}

/** The invitation has ended and cannot be revoked. */
export class InvitationEnded extends Schema.TaggedError<InvitationEnded>()("InvitationEnded", {
  id: InvitationId,
  state: InvitationState
}) {
  override get message(): string {
    return `invitation \`${this.id}\` is ${this.state}`
  }
}

/** The org has as many open invitations as it may. */
export class TooManyInvitations extends Schema.TaggedError<TooManyInvitations>()(
  "TooManyInvitations",
  { most: Schema.Int }
) {
  override get message(): string {
    return `an org has at most ${this.most} open invitations: revoke one first`
  }
}

/** The invitation is for another login than the person has or wants. */
export class InvitationForAnother extends Schema.TaggedError<InvitationForAnother>()(
  "InvitationForAnother",
  { login: Schema.String }
) {
  override get message(): string {
    return `this invitation is for \`${this.login}\``
  }
}

/** The invitation leaves the login to the person, who has not named one. */
export class LoginMissing extends Schema.TaggedError<LoginMissing>()("LoginMissing", {}) {
  override get message(): string {
    return "choose a login"
  }
}

/** A service account accepts no invitation. */
export class InvitationForPerson extends Schema.TaggedError<InvitationForPerson>()(
  "InvitationForPerson",
  {}
) {
  override get message(): string {
    return "only a person accepts an invitation"
  }
}
