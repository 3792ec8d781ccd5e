/**
 * Decides whether an actor has a permission in an org.
 *
 * Only the actor's own memberships are read, so the denial is the same whether or not the org exists. DECISIONS.md, "A
 * foreign org is 403"
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type OrgId, OrgName } from "../shared/Identifier.js"
import type { Actor } from "./Actor.js"
import * as Gifts from "./Gifts.js"
import { leavesWhole } from "./KeyScope.js"
import { lowest, type Permission } from "./Permission.js"
import { type BaseRole, isAtLeast } from "./Role.js"

/** The actor does not have the permission in the org. */
export class AccessDenied extends Schema.TaggedError<AccessDenied>()("AccessDenied", {
  org: OrgName,
  permission: Schema.String
}) {
  override get message(): string {
    return `\`${this.permission}\` is not permitted in org \`${this.org}\``
  }
}

/** A granted permission: the org with its id, the actor, and the actor's base role in the org. */
export interface Granted {
  readonly orgId: OrgId
  readonly org: OrgName
  readonly role: BaseRole
  readonly actor: Actor
}

const membershipIn = (actor: Actor, org: string, permission: Permission) => {
  const membership = actor.memberships.find((candidate) => candidate.org === org)
  return membership !== undefined &&
    isAtLeast(membership.role, lowest(permission)) &&
    leavesWhole(actor.scope, permission)
    ? membership
    : undefined
}

/** Whether an actor has a permission in the whole org of that name; false for a text that is no org name. */
export const isAllowed = (actor: Actor, org: string, permission: Permission): boolean =>
  membershipIn(actor, org, permission) !== undefined

/** Whether an actor is a member of the org of that name, with any base role. */
export const isMember = (actor: Actor, org: string): boolean =>
  actor.memberships.some((candidate) => candidate.org === org)

/** Grants what every member may do, with any base role; a foreign org is denied like a missing `org.read`. */
export const authorizeMember = (
  actor: Actor,
  org: OrgName
): Either.Either<Granted, AccessDenied> => {
  const membership = actor.memberships.find((candidate) => candidate.org === org)
  return membership === undefined
    ? Either.left(new AccessDenied({ org, permission: "org.read" }))
    : Either.right({ orgId: membership.org_id, org, role: membership.role, actor })
}

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

/**
 * Refuses a role that the actor does not hold in the org, or of which the scope of the actor's key leaves less than
 * all. Every operation that gives a role asks this.
 */
export const checkGift = (
  actor: Actor,
  org: OrgName,
  role: BaseRole
): Either.Either<void, AccessDenied | Gifts.ScopeExceeded> => {
  const own = actor.memberships.find((candidate) => candidate.org === org)
  return own !== undefined && isAtLeast(own.role, role)
    ? Gifts.checkWholeRole(actor, role)
    : Either.left(new AccessDenied({ org, permission: `giving the role ${role}` }))
}
