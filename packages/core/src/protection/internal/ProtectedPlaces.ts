/**
 * The protections of an org, and where changes are made, as both stay until a transaction ends.
 *
 * INVARIANT: a transaction holds the spaces before the protections, as those do that change spaces, so that none waits
 * for another in a circle.
 */
import * as Effect from "effect/Effect"
import type { OrgId, SpaceId } from "../../shared/Identifier.js"
import { rootOf } from "../../space/Space.js"
import { SpaceStore } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"
import type { PlacedThing } from "../../space/ThingPlace.js"
import type { Protections, SpaceIds } from "../Protection.js"
import { ProtectionStore } from "../ProtectionStore.js"

/** Where a change is made: in a space, in several, or at a thing. */
export type ChangePlace = SpaceId | ReadonlyArray<SpaceId> | PlacedThing

/** The path of a space; that of one that is no more is the root's. */
export const pathOf = (tree: SpaceTree.SpaceTree, space: SpaceId): SpaceIds =>
  tree.paths.get(space) ?? [tree.root]

/** Protections with the tree of the spaces that they name. */
export interface HeldProtections {
  readonly protections: Protections
  readonly tree: SpaceTree.SpaceTree
}

/** The reads of protections and places. */
export const make = Effect.gen(function* () {
  const store = yield* ProtectionStore
  const spaces = yield* SpaceStore

  const isInSpaces = (org: OrgId, protections: Protections) =>
    protections.some(({ space_id }) => space_id !== rootOf(org))

  const holdTree = (org: OrgId) =>
    Effect.map(spaces.hold(org, "share"), (found) => SpaceTree.make(org, found))

  /** The protections of an org and its spaces, which stay as they are until the transaction ends. */
  const hold = (org: OrgId) =>
    Effect.flatMap(holdTree(org), (tree) =>
      Effect.map(
        store.hold(org, "share"),
        (protections): HeldProtections => ({ protections, tree })
      )
    )

  /** As `hold`; an org that protects no space below the root holds no spaces, and its tree is the root alone. */
  const holdNamed = (org: OrgId) =>
    Effect.gen(function* () {
      if (isInSpaces(org, yield* store.find(org))) return yield* hold(org)
      const protections = yield* store.hold(org, "share")
      // WHY after the protections: they have named a space since they were read.
      const tree = isInSpaces(org, protections) ? yield* holdTree(org) : SpaceTree.make(org, [])
      return { protections, tree } satisfies HeldProtections
    })

  /** The spaces of a place; those of none are the root alone. */
  const spacesOf = (org: OrgId, at: ChangePlace | undefined) => {
    if (at === undefined) return Effect.succeed([rootOf(org)])
    if (typeof at === "string") return Effect.succeed([at])
    if (!("kind" in at)) return Effect.succeed([...new Set(at)])
    return Effect.map(spaces.placesOf(org, { kind: at.kind, ids: [at.id] }), (found) => [
      found.get(at.id) ?? rootOf(org)
    ])
  }

  return { hold, holdNamed, spacesOf } as const
})
