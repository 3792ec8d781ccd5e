/** The four roles that users and service accounts have in an org. */
import * as Schema from "effect/Schema"

/** A role; the literals are in order of rank, highest first. */
export const Role = Schema.Literal("admin", "member", "snapshotter", "reader").annotations({
  identifier: "Role"
})
/** A role. */
export type Role = typeof Role.Type

/** Whether one role is at least as high as another. */
export const isAtLeast = (role: Role, other: Role): boolean =>
  Role.literals.indexOf(role) <= Role.literals.indexOf(other)
