/** The four roles, and the base roles: what a member or a service account has in an org by itself. */
import * as Schema from "effect/Schema"

/** A role; the literals are in order of rank, highest first. */
export const Role = Schema.Literal("admin", "member", "snapshotter", "reader").annotations({
  identifier: "Role"
})
/** A role. */
export type Role = typeof Role.Type

/** A role in the whole org, or `none`: the lowest, which has no permission by itself. */
export const BaseRole = Schema.Literal(...Role.literals, "none").annotations({
  identifier: "BaseRole"
})
/** A role in the whole org, or `none`. */
export type BaseRole = typeof BaseRole.Type

/** Whether one role is at least as high as another. */
export const isAtLeast = (role: BaseRole, other: BaseRole): boolean =>
  BaseRole.literals.indexOf(role) <= BaseRole.literals.indexOf(other)
