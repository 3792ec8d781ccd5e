/**
 * What a credential gives in one org: roles in spaces, and the one decision of access by place. Pure and total.
 *
 * A role in a space is the same role in every space below it. Bindings are only added up, so their order never matters.
 * DECISIONS.md, "Grants only add"
 */
import * as Schema from "effect/Schema"
import { SpaceId } from "../shared/Identifier.js"
import { type KeyScope, leaves, leavesAt, namesPlaces, type Place } from "./KeyScope.js"
import { isPlaced, lowest, type Permission, permissions } from "./Permission.js"
import { type BaseRole, isAtLeast, Role } from "./Role.js"

/** A role in a space and in all spaces below it. */
export const Binding = Schema.Struct({ role: Role, space: SpaceId })
/** A role in a space and in all spaces below it. */
export type Binding = typeof Binding.Type

/** What a credential gives in one org. */
export interface Standing {
  readonly bindings: ReadonlyArray<Binding>
  /** What the key leaves; absent leaves all. */
  readonly scope: KeyScope | undefined
}

/** Whether a standing has a permission at a place. */
export const decide = (
  { bindings, scope }: Standing,
  permission: Permission,
  place: Place
): boolean =>
  leavesAt(scope, permission, place) &&
  bindings.some(
    ({ role, space }) => isAtLeast(role, lowest(permission)) && place.path.includes(space)
  )

/**
 * The spaces at which bindings give a permission, whatever places a key leaves of it; what is below them is not named.
 */
export const spacesOf = (
  { bindings, scope }: Standing,
  permission: Permission
): ReadonlyArray<SpaceId> =>
  leaves(scope, permission)
    ? [
        ...new Set(
          bindings
            .filter(({ role }) => isAtLeast(role, lowest(permission)))
            .map(({ space }) => space)
        )
      ]
    : []

/**
 * The permissions that a standing has anywhere, in the order of the list. Those of the whole org alone count where a
 * binding at the root gives them.
 */
export const permissionsOf = (standing: Standing, root: SpaceId): ReadonlyArray<Permission> =>
  permissions.filter(
    (permission) =>
      decide(standing, permission, { path: [root] }) ||
      (isPlaced(permission) && spacesOf(standing, permission).length > 0)
  )

/**
 * The highest role of the bindings in the whole org: what a base role is for those who have no grant. Law AC-8: the
 * permissions of that role, as far as the key leaves them, are those that `decide` allows at the root.
 */
export const roleAtRoot = ({ bindings }: Pick<Standing, "bindings">, root: SpaceId): BaseRole =>
  bindings.reduce<BaseRole>(
    (highest, { role, space }) => (space === root && isAtLeast(role, highest) ? role : highest),
    "none"
  )

/** Whether a standing has at least a role at a place, whatever its key leaves. */
export const hasRole = (
  { bindings }: Pick<Standing, "bindings">,
  role: Role,
  path: ReadonlyArray<SpaceId>
): boolean => bindings.some((each) => isAtLeast(each.role, role) && path.includes(each.space))

/** Whether a standing is one of the whole org: it has a role there, and its key leaves every place. */
export const isWhole = ({ bindings, scope }: Standing, root: SpaceId): boolean =>
  !namesPlaces(scope) && bindings.some(({ space }) => space === root)
