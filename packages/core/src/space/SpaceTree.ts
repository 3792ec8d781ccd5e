/**
 * The tree of the spaces of an org at one instant. Pure and total.
 *
 * Every question is about ids; a space whose parent is unknown is not in the tree, and neither is what is below it.
 */
import * as Option from "effect/Option"
import type { OrgId, SpaceId } from "../shared/Identifier.js"
import * as Space from "./Space.js"

/** The tree of the spaces of an org. */
export interface SpaceTree {
  readonly root: SpaceId
  /** The ids from the root to each space, the space itself last. */
  readonly paths: ReadonlyMap<SpaceId, ReadonlyArray<SpaceId>>
  readonly spaces: ReadonlyMap<SpaceId, Space.Space>
  readonly children: ReadonlyMap<SpaceId, ReadonlyArray<Space.Space>>
}

const byName = (left: Space.Space, right: Space.Space): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

/** The tree of some spaces, each in one state. */
export const make = (org: OrgId, spaces: ReadonlyArray<Space.Space>): SpaceTree => {
  const root = Space.rootOf(org)
  const children = new Map<SpaceId, Array<Space.Space>>()
  for (const space of [...spaces].sort(byName)) {
    const siblings = children.get(space.parent_id)
    if (siblings === undefined) children.set(space.parent_id, [space])
    else siblings.push(space)
  }
  const paths = new Map<SpaceId, ReadonlyArray<SpaceId>>([[root, [root]]])
  const known = new Map<SpaceId, Space.Space>()
  const waiting: Array<SpaceId> = [root]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const above = paths.get(parent) ?? []
    for (const space of children.get(parent) ?? []) {
      if (paths.has(space.id)) continue
      paths.set(space.id, [...above, space.id])
      known.set(space.id, space)
      waiting.push(space.id)
    }
  }
  return { root, paths, spaces: known, children }
}

/** The ids from the root to a space; an unknown space is nowhere. */
export const pathOf = (tree: SpaceTree, id: SpaceId): ReadonlyArray<SpaceId> =>
  tree.paths.get(id) ?? []

/** The path of a space as people write it; that of an unknown space is empty. */
export const labelOf = (tree: SpaceTree, id: SpaceId): string => {
  const path = tree.paths.get(id)
  if (path === undefined) return ""
  return Space.pathOf(path.slice(1).map((each) => tree.spaces.get(each)?.name ?? ""))
}

/** How many names the path of a space has. */
export const depthOf = (tree: SpaceTree, id: SpaceId): number =>
  Math.max(0, pathOf(tree, id).length - 1)

/** The spaces that are in a space, by name. */
export const childrenOf = (tree: SpaceTree, id: SpaceId): ReadonlyArray<Space.Space> =>
  tree.children.get(id) ?? []

/** The space of a path as people write it. */
export const find = (tree: SpaceTree, path: string): Option.Option<SpaceId> => {
  const names = Space.namesOf(path)
  if (names === undefined) return Option.none()
  let at = tree.root
  for (const name of names) {
    const child = childrenOf(tree, at).find((space) => space.name === name)
    if (child === undefined) return Option.none()
    at = child.id
  }
  return Option.some(at)
}

/** A space and all below it; only itself where it is unknown. */
export const within = (tree: SpaceTree, id: SpaceId): ReadonlySet<SpaceId> => {
  const found = new Set<SpaceId>([id])
  const waiting: Array<SpaceId> = [id]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const child of childrenOf(tree, parent)) {
      if (found.has(child.id)) continue
      found.add(child.id)
      waiting.push(child.id)
    }
  }
  return found
}

/** How many levels are below a space. */
export const heightOf = (tree: SpaceTree, id: SpaceId): number => {
  const own = pathOf(tree, id).length
  let height = 0
  for (const each of within(tree, id)) height = Math.max(height, pathOf(tree, each).length - own)
  return height
}

/** Every space in the order of paths, without the root. */
export const inOrder = (tree: SpaceTree): ReadonlyArray<Space.Space> => {
  const found: Array<Space.Space> = []
  const waiting = [...childrenOf(tree, tree.root)].reverse()
  for (let space = waiting.pop(); space !== undefined; space = waiting.pop()) {
    found.push(space)
    waiting.push(...[...childrenOf(tree, space.id)].reverse())
  }
  return found
}
