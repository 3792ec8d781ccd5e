/**
 * Decides whether an actor may do something in an org.
 *
 * An org that the actor does not belong to is denied in the same way whether or not it exists: nothing
 * here could tell, because the actor's own memberships are all that is looked at. DECISION A-03
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type OrgId, OrgName } from "../shared/Identifier.js"
import type { Actor } from "./Actor.js"
import { lowest, type Permission } from "./Permission.js"
import { isAtLeast, type Role } from "./Role.js"

/** The actor may not do this here. */
export class AccessDenied extends Schema.TaggedError<AccessDenied>()("AccessDenied", {
  org: OrgName,
  permission: Schema.String
}) {
  override get message(): string {
    return `\`${this.permission}\` is not permitted in org \`${this.org}\``
  }
}

/** What a granted access says: which org the name means, and the role the actor has there. */
export interface Granted {
  readonly orgId: OrgId
  readonly org: OrgName
  readonly role: Role
  readonly actor: Actor
}

const membershipIn = (actor: Actor, org: string, permission: Permission) => {
  const membership = actor.memberships.find((candidate) => candidate.org === org)
  return membership !== undefined && isAtLeast(membership.role, lowest(permission))
    ? membership
    : undefined
}

/** Whether an actor has a permission in the org of that name; a name that no org can have is no org's. */
export const isAllowed = (actor: Actor, org: string, permission: Permission): boolean =>
  membershipIn(actor, org, permission) !== undefined

/** Grants or denies one permission in one org. */
export const authorize = (
  actor: Actor,
  org: OrgName,
  permission: Permission
): Either.Either<Granted, AccessDenied> => {
  const membership = membershipIn(actor, org, permission)
  return membership === undefined
    ? Either.left(new AccessDenied({ org, permission }))
    : Either.right({ orgId: membership.org_id, org, role: membership.role, actor })
}
