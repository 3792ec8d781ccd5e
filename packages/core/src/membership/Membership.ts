/** Users, and their roles in orgs. */
import * as Schema from "effect/Schema"
import { BaseRole } from "../access/Role.js"
import { Login, OrgId, OrgName, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A user. Users are global; their memberships give permissions. */
export const User = Schema.Struct({
  id: UserId,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
/** A user. */
export type User = typeof User.Type

/** The display name of a user, or the login without one. SPEC §2.9 */
export const displayName = (user: Pick<User, "login" | "display_name">): string =>
  user.display_name ?? user.login

/** The role of one user in one org. */
export const Membership = Schema.Struct({
  org_id: OrgId,
  user_id: UserId,
  role: BaseRole,
  /** When the user was added; a change of role does not change it. */
  created_at: Timestamp,
  /**
   * Since when the membership is suspended: it keeps its role and gives no permission. `null` if it counts. WHY here:
   * the row that is locked for a change of admins is the row that a suspension changes, so that of two admins who
   * suspend each other one fails.
   */
  suspended_at: Schema.NullOr(Timestamp),
  /** Browser sessions that were opened until then give no permission in the org; `null` if all count. */
  sessions_after: Schema.NullOr(Timestamp)
})
/** The role of one user in one org. */
export type Membership = typeof Membership.Type

/** A membership that begins: it counts, and so do all sessions. */
export type NewMembership = Omit<Membership, "suspended_at" | "sessions_after">

/** A membership with the names of its user. */
export const Member = Schema.Struct({
  ...Membership.fields,
  login: Login,
  display_name: Schema.NullOr(Schema.String)
})
/** A membership with the names of its user. */
export type Member = typeof Member.Type

/** A member at an instant in the past. */
export const MemberAtInstant = Schema.Struct({
  user_id: UserId,
  /** The login of now; the id of a user who is unknown. */
  login: Schema.String,
  role: BaseRole,
  suspended: Schema.Boolean
})
/** A member at an instant in the past. */
export type MemberAtInstant = typeof MemberAtInstant.Type

/** A user in an org. */
export interface MembershipKey {
  readonly org: OrgId
  readonly user: UserId
}

/** The user is a member of the org. */
export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {
  org: OrgName,
  login: Login
}) {
  override get message(): string {
    return `\`${this.login}\` is a member of org \`${this.org}\` already`
  }
}

/** The user is not a member of the org; the error does not tell whether the user exists. */
export class NotAMember extends Schema.TaggedError<NotAMember>()("NotAMember", {
  org: OrgName,
  login: Login
}) {
  override get message(): string {
    return `\`${this.login}\` is not a member of org \`${this.org}\``
  }
}

/** No user has the login. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {
  login: Login
}) {
  override get message(): string {
    return `there is no user \`${this.login}\`: invite the person`
  }
}

/** The login belongs to another user. */
export class LoginTaken extends Schema.TaggedError<LoginTaken>()("LoginTaken", { login: Login }) {
  override get message(): string {
    return `the login \`${this.login}\` is taken`
  }
}

/** An org keeps at least one admin who is not suspended (law KEY-6). An org must not lock itself out. */
export class LastAdmin extends Schema.TaggedError<LastAdmin>()("LastAdmin", {
  org: OrgName,
  login: Login
}) {
  override get message(): string {
    return `\`${this.login}\` is the last admin of org \`${this.org}\`: make somebody else an admin first`
  }
}
