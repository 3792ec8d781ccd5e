/**
 * The closed list of permissions, and the lowest role that has each.
 *
 * Roles are ranked, and a higher role has every permission of a lower one (law KEY-5). Rules about the creator of
 * a resource are in the resource's feature. SPEC §5, `docs/OPERATING.md` "Roles"
 */
import { type BaseRole, isAtLeast, type Role } from "./Role.js"

const lowestRole = {
  "org.read": "reader",
  "membership.read": "admin",
  "membership.write": "admin",
  "team.write": "admin",
  "scim.write": "admin",
  "erasure.write": "admin",
  "log.write": "admin",
  "journal.read": "admin",
  "notification-config.write": "admin",
  "environment-notification.write": "member",
  "service-account.create": "snapshotter",
  "service-account.manage": "snapshotter",
  "api-key.read": "admin",
  "identity-rule.write": "admin",
  "flow.write": "member",
  "trail.write": "member",
  "artifact.write": "member",
  "attestation.write": "member",
  "attestation-type.write": "member",
  "evidence.write": "member",
  "approval.write": "member",
  "policy.write": "member",
  "environment.put": "snapshotter",
  "environment.write": "member",
  "environment.delete": "admin",
  "environment.report": "snapshotter",
  "allow-list.write": "member",
  "control.write": "admin",
  "decision.write": "member",
  "tag.write": "member",
  "waiver.request": "member",
  "waiver.approve": "member",
  "waiver.settings": "admin",
  "trust-policy.write": "admin",
  "agent-account.write": "admin",
  "sign-in.write": "admin",
  "space.write": "admin",
  "grant.write": "admin",
  "placement.write": "admin",
  "protection.write": "admin",
  "proposal.approve": "admin"
} as const satisfies { readonly [permission: string]: Role }

/** A permission in an org. */
export type Permission = keyof typeof lowestRole

/** The permissions for which operations ask at a space or a thing; every other one is of the whole org alone. */
const PLACED: ReadonlySet<Permission> = new Set<Permission>([
  "org.read",
  "service-account.create",
  "service-account.manage",
  "api-key.read",
  "identity-rule.write",
  "environment-notification.write",
  "flow.write",
  "trail.write",
  "artifact.write",
  "attestation.write",
  "evidence.write",
  "approval.write",
  "policy.write",
  "environment.put",
  "environment.write",
  "environment.delete",
  "environment.report",
  "allow-list.write",
  "control.write",
  "decision.write",
  "tag.write",
  "waiver.request",
  "waiver.approve",
  "space.write",
  "grant.write",
  "placement.write",
  "proposal.approve"
])

/** Whether a role in a space gives a permission there; every other permission is of the whole org alone. */
export const isPlaced = (permission: Permission): boolean => PLACED.has(permission)

/** Every permission. */
export const permissions: ReadonlyArray<Permission> = Object.keys(lowestRole).filter(
  (name): name is Permission => name in lowestRole
)

/** The lowest role that has a permission. */
export const lowest = (permission: Permission): Role => lowestRole[permission]

/** Every permission of a base role, in the order of the list. */
export const ofRole = (role: BaseRole): ReadonlyArray<Permission> =>
  permissions.filter((permission) => isAtLeast(role, lowest(permission)))
