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
  "flow.write": "member",
  "trail.write": "member",
  "tag.write": "member",
  "artifact.write": "member",
  "attestation.write": "member",
  "attestation-type.write": "member",
  "approval.write": "member",
  "environment.put": "snapshotter",
  "environment.write": "member",
  "environment.report": "snapshotter"
} as const satisfies { readonly [permission: string]: Role }

/** A thing an actor may do in an org. */
export type Permission = keyof typeof lowestRole

/** The lowest role that has a permission. */
export const lowest = (permission: Permission): Role => lowestRole[permission]
