/**
 * What a credential gives in one org: roles in spaces, and the one decision of access by place. Pure and total.
 *
 * A role in a space is the same role in every space below it. Bindings are only added up, so their order never matters.
 * DECISIONS.md, "Grants only add"
 */
import * as Schema from "effect/Schema"
import { SpaceId } from "../shared/Identifier.js"
import { type KeyScope, leaves } from "./KeyScope.js"
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

/** Whether a standing has a permission at a place: the ids of a space and of all above it. */
export const decide = (
  { bindings, scope }: Standing,
  permission: Permission,
  path: ReadonlyArray<SpaceId>
): boolean =>
  leaves(scope, permission) &&
  bindings.some(({ role, space }) => isAtLeast(role, lowest(permission)) && path.includes(space))

/** The spaces at which bindings give a permission; what is below them is not named. */
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
 * The permissions that a standing has anywhere, in the order of the list. Only the base role gives those of the whole
 * org.
 */
export const permissionsOf = (standing: Standing, base: BaseRole): ReadonlyArray<Permission> =>
  permissions.filter(
    (permission) =>
      (leaves(standing.scope, permission) && isAtLeast(base, lowest(permission))) ||
      (isPlaced(permission) && spacesOf(standing, permission).length > 0)
  )

/** Whether a standing has at least a role at a place, whatever its key leaves. */
export const hasRole = (
  { bindings }: Pick<Standing, "bindings">,
  role: Role,
  path: ReadonlyArray<SpaceId>
): boolean => bindings.some((each) => isAtLeast(each.role, role) && path.includes(each.space))

/** Whether bindings give a role in the whole org, whatever a key leaves of it. */
export const isWhole = ({ bindings }: Pick<Standing, "bindings">, root: SpaceId): boolean =>
  bindings.some(({ space }) => space === root)
