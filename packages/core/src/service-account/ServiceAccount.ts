/**
 * A service account: an identity that is not a user, with one org and one base role.
 *
 * Its name never changes and is also its display name. SPEC §2.8
 */
import * as Schema from "effect/Schema"
import { BaseRole, isAtLeast } from "../access/Role.js"
import { OrgId, OrgName, ServiceAccountId, ServiceAccountName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The most characters of a description. */
export const DESCRIPTION_LENGTH_MAX = 512

/** The description of an account; may be empty. */
export const Description = Schema.String.pipe(Schema.maxLength(DESCRIPTION_LENGTH_MAX))

/** A service account. */
export const ServiceAccount = Schema.Struct({
  org_id: OrgId,
  id: ServiceAccountId,
  name: ServiceAccountName,
  privilege: BaseRole,
  description: Schema.String,
  /** The id of the user or service account that created it. */
  creating_user_id: Schema.String,
  created_at: Timestamp
})
/** A service account. */
export type ServiceAccount = typeof ServiceAccount.Type

/** The fields of a new account. */
export interface ServiceAccountDraft {
  readonly name: ServiceAccountName
  /** `reader` when it is absent, which is the lowest of the four roles. */
  readonly privilege?: BaseRole
  readonly description?: string
  /** The path of the space of the account; absent where the caller does not say. */
  readonly space?: string
}

/** The fields to change; absent fields stay. */
export interface ServiceAccountPatch {
  readonly privilege?: BaseRole
  /** `null` and the empty text clear it. */
  readonly description?: string | null
}

/** The name of an account in an org. */
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

/** The account after a patch. */
export const revise = (current: ServiceAccount, patch: ServiceAccountPatch): ServiceAccount => ({
  ...current,
  privilege: patch.privilege ?? current.privilege,
  description: patch.description === undefined ? current.description : (patch.description ?? "")
})

/** Whether two states of an account have the same content. */
export const sameContent = (left: ServiceAccount, right: ServiceAccount): boolean =>
  left.privilege === right.privilege && left.description === right.description

/**
 * Whether an actor may read and manage an account: admins of its space, and its creator. Others could
 * use names and expiry of credentials for an attack.
 */
export const isManagedBy = (
  account: ServiceAccount,
  actor: { readonly id: string; readonly isAdmin: boolean }
): boolean => actor.isAdmin || account.creating_user_id === actor.id

/**
 * Whether a role may grant an account's privilege, by creating or raising it or by a key of it: the privilege
 * must not exceed the role.
 */
export const mayGrant = (role: BaseRole, privilege: BaseRole): boolean => isAtLeast(role, privilege)
