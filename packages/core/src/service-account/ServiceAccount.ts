/**
 * A service account: an identity that is not a person, bound to one org and one role.
 *
 * Its name never changes, and stands for its display name too. SPEC §2.8, DECISION A-38
 */
import * as Schema from "effect/Schema"
import { isAtLeast, Role } from "../access/Role.js"
import { OrgId, OrgName, ServiceAccountId, ServiceAccountName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A description has at most this many characters. */
export const DESCRIPTION_LENGTH_MAX = 512

/** What a person says about an account; may be empty. */
export const Description = Schema.String.pipe(Schema.maxLength(DESCRIPTION_LENGTH_MAX))

/** A service account. */
export const ServiceAccount = Schema.Struct({
  org_id: OrgId,
  id: ServiceAccountId,
  name: ServiceAccountName,
  privilege: Role,
  description: Schema.String,
  /** The id of the user or service account that created it. */
  creating_user_id: Schema.String,
  created_at: Timestamp
})
/** A service account. */
export type ServiceAccount = typeof ServiceAccount.Type

/** What a new account is made of. */
export interface ServiceAccountDraft {
  readonly name: ServiceAccountName
  readonly privilege: Role
  readonly description?: string
}

/** What an account is asked to become; what is left out stays. */
export interface ServiceAccountPatch {
  readonly privilege?: Role
  /** `null` clears it, as an empty text does. */
  readonly description?: string | null
}

/** A name that means one account in one org. */
export interface ServiceAccountKey {
  readonly org: OrgId
  readonly name: ServiceAccountName
}

/** There is no account of that name. */
export class ServiceAccountNotFound extends Schema.TaggedError<ServiceAccountNotFound>()(
  "ServiceAccountNotFound",
  { org: OrgName, name: ServiceAccountName }
) {
  override get message(): string {
    return `there is no service account \`${this.name}\` in org \`${this.org}\``
  }
}

/** The name is taken. */
export class ServiceAccountExists extends Schema.TaggedError<ServiceAccountExists>()(
  "ServiceAccountExists",
  { org: OrgName, name: ServiceAccountName }
) {
  override get message(): string {
    return `there is a service account \`${this.name}\` in org \`${this.org}\` already`
  }
}

/** The account that a patch makes of the current one. */
export const revise = (current: ServiceAccount, patch: ServiceAccountPatch): ServiceAccount => ({
  ...current,
  privilege: patch.privilege ?? current.privilege,
  description: patch.description === undefined ? current.description : (patch.description ?? "")
})

/** Whether two states of an account say the same. */
export const sameContent = (left: ServiceAccount, right: ServiceAccount): boolean =>
  left.privilege === right.privilege && left.description === right.description

/** Whether an actor may see and manage an account: admins, and whoever created it. DECISION A-40 */
export const isManagedBy = (
  account: ServiceAccount,
  actor: { readonly id: string; readonly role: Role }
): boolean => actor.role === "admin" || account.creating_user_id === actor.id

/**
 * Whether a role may hand out an account's privilege, by creating or raising it or by a key of it:
 * nobody gives what they do not have. DECISION D11.8
 */
export const mayGrant = (role: Role, privilege: Role): boolean => isAtLeast(role, privilege)
