/**
 * Says where a new thing goes, and puts it there. SPEC §2.31
 *
 * In this order: the space that a placement rule reserves the name for; the space that the caller names; the only space
 * where the grants of the caller give the permission; the root. The caller then needs the permission there.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import type { WriteContext } from "../access/internal/WriteContext.js"
import * as Reach from "../access/Reach.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { OrgId, SpaceId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { OrgSpaces } from "./internal/OrgSpaces.js"
import { PlaceRecords } from "./internal/PlaceRecords.js"
import { NameReserved, type PlacementFailure, SpaceUnknown, spaceOf } from "./PlacementRule.js"
import * as Space from "./Space.js"
import { SpaceStore } from "./SpaceStore.js"
import * as SpaceTree from "./SpaceTree.js"
import type { ThingKind } from "./ThingPlace.js"

/** A new thing, and the path of the space that the caller asks for, if any. */
export interface NewThing {
  readonly kind: ThingKind
  readonly name: string
  readonly space?: string | undefined
}

/** Says where new things go, and puts them there. */
export class Placements extends Effect.Service<Placements>()("@attestry/core/Placements", {
  effect: Effect.gen(function* () {
    const store = yield* SpaceStore
    const spaces = yield* OrgSpaces
    const reaches = yield* Reaches
    const records = yield* PlaceRecords

    const named = (granted: GrantedWithin, tree: SpaceTree.SpaceTree, path: string) => {
      const found = SpaceTree.find(tree, path)
      return Option.isSome(found) && Reach.holds(granted.readable, found.value)
        ? Effect.succeed(found.value)
        : new SpaceUnknown({ space: path })
    }

    const fromGrants = (granted: GrantedWithin, root: SpaceId) =>
      granted.reach._tag === "Whole"
        ? Effect.succeed(root)
        : Effect.map(reaches.grantedSpaces(granted), (found) =>
            found.length === 1 ? (found[0] ?? root) : root
          )

    /** The space of a new thing. INVARIANT: called in the transaction that makes it. */
    const choose = (
      granted: GrantedWithin,
      { kind, name, space }: NewThing
    ): Effect.Effect<SpaceId, PlacementFailure | AccessDenied | StoreError> =>
      Effect.gen(function* () {
        const { org, orgId, permission, reach } = granted
        const root = Space.rootOf(orgId)
        // An org without spaces has no rules, and costs no lock.
        const known = yield* spaces.of(orgId)
        if (known.spaces.size === 0 && space === undefined && reach._tag === "Whole") return root
        const tree = SpaceTree.make(orgId, yield* store.hold(orgId, "share"))
        const reserved = spaceOf(yield* store.findRules(orgId), kind, name)
        const wanted = space === undefined ? undefined : yield* named(granted, tree, space)
        if (reserved !== undefined && wanted !== undefined && reserved !== wanted)
          return yield* new NameReserved({ name })
        const chosen = reserved ?? wanted ?? (yield* fromGrants(granted, root))
        return Reach.holds(reach, chosen) ? chosen : yield* new AccessDenied({ org, permission })
      })

    /** Refuses a new name that a placement rule reserves for another space than the thing is in. */
    const checkName = (
      org: OrgId,
      { id, kind }: { readonly kind: ThingKind; readonly id: string },
      name: string
    ): Effect.Effect<void, NameReserved | StoreError> =>
      Effect.gen(function* () {
        if ((yield* spaces.of(org)).spaces.size === 0) return
        const reserved = spaceOf(yield* store.findRules(org), kind, name)
        if (reserved === undefined) return
        const place = (yield* store.placesOf(org, { kind, ids: [id] })).get(id) ?? Space.rootOf(org)
        if (place !== reserved) return yield* new NameReserved({ name })
      })

    /** Puts a new thing in its space. */
    const put = (
      writer: WriteContext,
      thing: { readonly kind: ThingKind; readonly id: string; readonly name: string },
      space: SpaceId
    ): Effect.Effect<void, StoreError> => records.begin(writer, thing, space)

    /** The paths of the spaces of some things, by id; none in an org without spaces. */
    const pathsOf = (
      org: OrgId,
      kind: ThingKind,
      ids: ReadonlyArray<string>
    ): Effect.Effect<Option.Option<(id: string) => string>, StoreError> =>
      Effect.gen(function* () {
        const tree = yield* spaces.of(org)
        if (tree.spaces.size === 0) return Option.none()
        const places = yield* store.placesOf(org, { kind, ids })
        return Option.some((id) => SpaceTree.labelOf(tree, places.get(id) ?? tree.root))
      })

    return { choose, checkName, put, pathsOf } as const
  })
}) {}
