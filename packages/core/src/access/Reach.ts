/**
 * Where a caller has a permission: in the whole org, or in some spaces, flows and environments. Pure and total.
 *
 * Law AC-8: a place is within the reach of a permission exactly where `Standing.decide` allows the permission.
 */
import { SpaceId } from "../shared/Identifier.js"
import type { PlaceId } from "../space/PlaceId.js"
import * as SpaceTree from "../space/SpaceTree.js"
import type { ThingKind } from "../space/ThingPlace.js"
import { namesPlaces } from "./KeyScope.js"
import type { Permission } from "./Permission.js"
import { type Standing, spacesOf } from "./Standing.js"

/** Some of an org. */
export interface Part {
  readonly _tag: "Part"
  /** These spaces, each named: what is below a space is in the set too. */
  readonly spaces: ReadonlySet<SpaceId>
  /** Flows that a key names, which may be in other spaces too. */
  readonly flows?: ReadonlySet<string>
  /** Environments that a key names. */
  readonly environments?: ReadonlySet<string>
}

/** Where a caller has a permission. */
export type Reach = { readonly _tag: "Whole" } | Part

/** The spaces that the flows and environments of a scope are in, by id. */
export interface NamedPlaces {
  readonly flows: ReadonlyMap<string, SpaceId>
  readonly environments: ReadonlyMap<string, SpaceId>
}

/** The whole org. */
export const whole: Reach = { _tag: "Whole" }

/** Nothing at all. */
export const nothing: Reach = { _tag: "Part", spaces: new Set() }

/** No named places. */
export const noPlaces: NamedPlaces = { flows: new Map(), environments: new Map() }

/** The reach of the bindings of a standing, whatever places its key leaves. */
const ofBindings = (
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

/** Whether a thing in a space is within reach; without a space, one that is nowhere. */
export const holdsThing = (
  reach: Reach,
  { id, kind }: { readonly kind: ThingKind; readonly id: string },
  space: SpaceId | undefined
): boolean =>
  reach._tag === "Whole" ||
  (space !== undefined && reach.spaces.has(space)) ||
  thingsOf(reach, kind).has(id)

/** The things of a kind that a key names, within reach. */
export const thingsOf = (reach: Part, kind: ThingKind): ReadonlySet<string> => {
  const named =
    kind === "flow" ? reach.flows : kind === "environment" ? reach.environments : undefined
  return named ?? new Set()
}

/** Whether nothing is within reach. */
export const isNothing = (reach: Reach): boolean =>
  reach._tag === "Part" &&
  reach.spaces.size === 0 &&
  (reach.flows?.size ?? 0) === 0 &&
  (reach.environments?.size ?? 0) === 0

/** A tree, and where the things are that the scope of a standing names. */
export interface PlacedTree extends SpaceTree.SpaceTree {
  readonly named?: NamedPlaces
}

/** The reach of a permission in a tree. */
export const of = (standing: Standing, permission: Permission, tree: PlacedTree): Reach => {
  const { scope } = standing
  const { named = noPlaces } = tree
  const own = ofBindings(standing, permission, tree)
  if (!namesPlaces(scope)) return own
  const wanted = new Set((scope?.spaces ?? []).map((id) => SpaceId.make(id)))
  const spaces = [...tree.paths].flatMap(([id, path]) =>
    holds(own, id) && path.some((each) => wanted.has(each)) ? [id] : []
  )
  const within = (places: ReadonlyMap<string, SpaceId>) =>
    new Set([...places].flatMap(([id, space]) => (holds(own, space) ? [id] : [])))
  return {
    _tag: "Part",
    spaces: new Set(spaces),
    flows: within(named.flows),
    environments: within(named.environments)
  }
}

/** The ids of the spaces within reach; undefined for all. */
export const spaceIdsOf = (reach: Reach): ReadonlyArray<SpaceId> | undefined =>
  reach._tag === "Whole" ? undefined : [...reach.spaces].sort()

/** The places within reach, for a list of a store; undefined for all. */
export const idsOf = (reach: Reach): ReadonlyArray<PlaceId> | undefined => {
  const spaces = spaceIdsOf(reach)
  if (reach._tag === "Whole" || spaces === undefined) return undefined
  const things = (["flow", "environment"] as const).flatMap((kind) =>
    [...thingsOf(reach, kind)].sort().map((id): PlaceId => `${kind} ${id}`)
  )
  return things.length === 0 ? spaces : [...spaces, ...things]
}

/** What of one reach is in a space or below it. */
export const narrow = (reach: Reach, spaces: ReadonlySet<SpaceId>): Part => ({
  _tag: "Part",
  spaces:
    reach._tag === "Whole" ? spaces : new Set([...spaces].filter((each) => reach.spaces.has(each)))
})
