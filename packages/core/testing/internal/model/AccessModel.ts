/**
 * The model of access by place: spaces as a list that is walked upwards, step by step. Slow and plain.
 *
 * It has no tree and no paths, and asks the model of keys which permissions a role has.
 */
import { SpaceId } from "@attestry/core/Identifier"
import type { Permission } from "@attestry/core/Permission"
import type { Space } from "@attestry/core/Space"
import type { Binding, Standing } from "@attestry/core/Standing"
import { heldBy } from "../../KeyScopeModel.js"

/** The spaces of an org. */
export interface World {
  readonly root: SpaceId
  readonly spaces: ReadonlyArray<Space>
}

/** A space and all above it, the root last; undefined where the walk does not come to the root. */
const upwards = ({ root, spaces }: World, from: SpaceId): ReadonlyArray<SpaceId> | undefined => {
  const walked: Array<SpaceId> = []
  let at: SpaceId | undefined = from
  while (at !== undefined && walked.length <= spaces.length) {
    walked.push(at)
    if (at === root) return walked
    const id: SpaceId = at
    at = spaces.find((space) => space.id === id)?.parent_id
  }
  return undefined
}

/** The ids from the root to a space; none for a space that is nowhere. */
export const pathOf = (world: World, id: SpaceId): ReadonlyArray<SpaceId> =>
  [...(upwards(world, id) ?? [])].reverse()

/** Whether a space is another one or below it. */
export const isWithin = (world: World, id: SpaceId, other: SpaceId): boolean =>
  upwards(world, id)?.includes(other) ?? false

/** Every space that the walk comes up from, with the root. */
export const known = (world: World): ReadonlyArray<SpaceId> =>
  [world.root, ...world.spaces.map(({ id }) => id)].filter((id) => upwards(world, id) !== undefined)

/** A flow or an environment that a permission is asked for. */
export interface Thing {
  readonly kind: "flow" | "environment"
  readonly id: string
}

/** Whether a key leaves a space, or a thing that is in it. */
const isLeft = (
  world: World,
  scope: Standing["scope"],
  { at, thing }: { readonly at: SpaceId; readonly thing?: Thing | undefined }
): boolean => {
  const { environments, flows, spaces } = scope ?? {}
  if (spaces === undefined && flows === undefined && environments === undefined) return true
  const things = thing?.kind === "flow" ? flows : environments
  return (
    (spaces ?? []).some((id) => isWithin(world, at, SpaceId.make(id))) ||
    (thing !== undefined && things?.includes(thing.id) === true)
  )
}

/** Whether one binding gives a permission at a space. */
const gives = (
  world: World,
  { role, space }: Binding,
  { permission, scope, at }: Pick<Standing, "scope"> & { permission: Permission; at: SpaceId }
): boolean => heldBy(role, scope).has(permission) && isWithin(world, at, space)

/** Whether a standing has a permission at a space, or at a thing that is in it. */
export const allows = (
  world: World,
  { bindings, scope }: Standing,
  permission: Permission,
  at: SpaceId,
  thing?: Thing
): boolean =>
  isLeft(world, scope, { at, thing }) &&
  bindings.some((binding) => gives(world, binding, { permission, scope, at }))
