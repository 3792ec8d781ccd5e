/**
 * Where a caller has a permission: in the whole org, or in some spaces. Pure and total.
 *
 * Law AC-8: a place is within the reach of a permission exactly where `Standing.decide` allows the permission.
 */
import type { SpaceId } from "../shared/Identifier.js"
import * as SpaceTree from "../space/SpaceTree.js"
import type { Permission } from "./Permission.js"
import { type Standing, spacesOf } from "./Standing.js"

/** Where a caller has a permission. */
export type Reach =
  | { readonly _tag: "Whole" }
  /** These spaces, each named: what is below a space is in the set too. */
  | { readonly _tag: "Part"; readonly spaces: ReadonlySet<SpaceId> }

/** The whole org. */
export const whole: Reach = { _tag: "Whole" }

/** Nothing at all. */
export const nothing: Reach = { _tag: "Part", spaces: new Set() }

/** The reach of a permission in a tree. */
export const of = (
  standing: Standing,
  permission: Permission,
  tree: SpaceTree.SpaceTree
): Reach => {
  const given = spacesOf(standing, permission)
  if (given.includes(tree.root)) return whole
  const spaces = new Set<SpaceId>()
  for (const space of given) {
    if (!tree.paths.has(space)) continue
    for (const each of SpaceTree.within(tree, space)) spaces.add(each)
  }
  return { _tag: "Part", spaces }
}

/** Whether a space is within reach. */
export const holds = (reach: Reach, space: SpaceId): boolean =>
  reach._tag === "Whole" || reach.spaces.has(space)

/** The ids of the spaces within reach, for a statement; undefined for all. */
export const idsOf = (reach: Reach): ReadonlyArray<SpaceId> | undefined =>
  reach._tag === "Whole" ? undefined : [...reach.spaces].sort()

/** What of one reach is in a space or below it. */
export const narrow = (reach: Reach, spaces: ReadonlySet<SpaceId>): Reach => ({
  _tag: "Part",
  spaces:
    reach._tag === "Whole" ? spaces : new Set([...spaces].filter((each) => reach.spaces.has(each)))
})
