/**
 * The closed list of things an actor may do, and the lowest role that may do each.
 *
 * One line per permission is the whole table: roles are ranked, and no permission is held by a lower
 * role and denied to a higher one (law K-5). Rules about one resource's creator are decided where that
 * resource is. SPEC §5, `docs/DECISIONS.md` "Roles"
 */
import type { Role } from "./Role.js"

const lowestRole = {
  "org.read": "reader",
  "membership.read": "admin",
  "membership.write": "admin",
  "notification-config.write": "admin",
  "environment-notification.write": "member",
  "service-account.create": "snapshotter",
  "service-account.manage": "snapshotter",
  "flow.write": "member",
  "trail.write": "member",
  "artifact.write": "member",
  "attestation.write": "member",
  "attestation-type.write": "member",
  "approval.write": "member",
  "policy.write": "member",
  "environment.put": "snapshotter",
  "environment.write": "member",
  "environment.delete": "admin",
  "environment.report": "snapshotter",
  "allow-list.write": "member",
  "control.write": "admin",
  "decision.write": "member",
  "tag.write": "member"
} as const satisfies { readonly [permission: string]: Role }

/** A thing an actor may do in an org. */
export type Permission = keyof typeof lowestRole

/** Every permission. */
export const permissions: ReadonlyArray<Permission> = Object.keys(lowestRole).filter(
  (name): name is Permission => name in lowestRole
)

/** The lowest role that has a permission. */
export const lowest = (permission: Permission): Role => lowestRole[permission]
