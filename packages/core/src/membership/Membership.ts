/** People, and the role that each has in an org. */
import * as Schema from "effect/Schema"
import { Role } from "../access/Role.js"
import { Login, OrgId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A person. Users are global; what they may do is a matter of their memberships. */
export const User = Schema.Struct({
  id: UserId,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
/** A person. */
export type User = typeof User.Type

/** The name to show for a person: the login where there is no display name. SPEC §2.9 */
export const displayName = (user: User): string => user.display_name ?? user.login

/** One person's role in one org. */
export const Membership = Schema.Struct({
  org_id: OrgId,
  user_id: UserId,
  role: Role,
  created_at: Timestamp
})
/** One person's role in one org. */
export type Membership = typeof Membership.Type
