/**
 * Makes, reads, changes and deletes spaces. SPEC §4.30
 *
 * An admin of a space makes spaces in it. Callers see the spaces that they read.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import * as Reach from "../access/Reach.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { GrantStore } from "../grant/GrantStore.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { ProtectionStore } from "../protection/ProtectionStore.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import { type OrgName, SpaceId, type SpaceName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Transaction } from "../shared/Transaction.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import * as Space from "../space/Space.js"
import { SpaceStore, type ThingCount } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import * as ThingPlace from "../space/ThingPlace.js"

const WRITE: Permission = "space.write"

/** A space with its path, and how many things of each kind the caller reads in it. */
export interface SpaceView {
  readonly space: Space.Space
  readonly path: string
  readonly counts: ReadonlyArray<Pick<ThingCount, "kind" | "count">>
}

/** The new content of a space; an absent field stays. */
export interface SpaceChange {
  readonly name?: SpaceName | undefined
  /** The path of the space that it moves into. */
  readonly parent?: string | undefined
  readonly description?: string | undefined
}

/** Use cases of spaces. */
export class Spaces extends Effect.Service<Spaces>()("@attestry/core/Spaces", {
  effect: Effect.gen(function* () {
    const store = yield* SpaceStore
    const grants = yield* GrantStore
    const reaches = yield* Reaches
    const trees = yield* OrgSpaces
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const epoch = yield* AccessEpoch
    const held = yield* HeldChanges
    const protections = yield* ProtectionStore

    const write = <A, E, R>(
      org: OrgName,
      work: (
        granted: GrantedWithin,
        writer: WriteContext.WriteContext,
        tree: SpaceTree.SpaceTree
      ) => Effect.Effect<A, E, R>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, WRITE)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const writer = WriteContext.make(granted, yield* scope.now)
            const tree = SpaceTree.make(writer.org, yield* store.hold(writer.org, "change"))
            return yield* work(granted, writer, tree)
          })
        )
      }).pipe(Effect.zipLeft(epoch.advance))

    const record = (writer: WriteContext.WriteContext, kind: string, space: Space.Space) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "space", id: space.id },
        content: space
      })

    /** The space of a path in which the caller may make and change spaces. */
    const parentOf = (granted: GrantedWithin, tree: SpaceTree.SpaceTree, path: string) =>
      Effect.gen(function* () {
        const { org } = granted
        const found = SpaceTree.find(tree, path)
        if (Option.isSome(found) && Reach.holds(granted.reach, found.value)) return found.value
        const isKnown = Option.isSome(found) && Reach.holds(granted.readable, found.value)
        return isKnown || path === Space.ROOT_PATH
          ? yield* new AccessDenied({ org, permission: WRITE })
          : yield* new Space.SpaceNotFound({ org, space: path })
      })

    const checkFree = (
      tree: SpaceTree.SpaceTree,
      { id, name, parent_id }: Pick<Space.Space, "id" | "name" | "parent_id">
    ) => {
      const other = SpaceTree.childrenOf(tree, parent_id).find((each) => each.name === name)
      return other === undefined || other.id === id
        ? Effect.void
        : new Space.SpaceExists({ space: SpaceTree.labelOf(tree, other.id) })
    }

    /** The spaces that the caller reads, in the order of paths. */
    const list = Effect.fn("Spaces.list")(function* (org: OrgName) {
      const { orgId, readable } = yield* reaches.authorize(org, "org.read")
      const tree = yield* trees.of(orgId)
      const counts = yield* store.countThings(orgId)
      return SpaceTree.inOrder(tree)
        .filter(({ id }) => Reach.holds(readable, id))
        .map(
          (space): SpaceView => ({
            space,
            path: SpaceTree.labelOf(tree, space.id),
            counts: counts
              .filter(({ space_id }) => space_id === space.id)
              .map(({ count, kind }) => ({ kind, count }))
          })
        )
    })

    /** Makes a space; the one that it is in exists, and the caller is an admin of it. */
    const create = Effect.fn("Spaces.create")((org: OrgName, path: string, description: string) =>
      write(org, (granted, writer, tree) =>
        Effect.gen(function* () {
          const names = Space.namesOf(path) ?? []
          const name = names[names.length - 1]
          if (name === undefined) return yield* new Space.SpaceExists({ space: path })
          const parent_id = yield* parentOf(granted, tree, Space.pathOf(names.slice(0, -1)))
          if (tree.spaces.size >= Space.SPACES_MAX)
            return yield* new Space.TooManySpaces({ max: Space.SPACES_MAX })
          const space: Space.Space = {
            org_id: writer.org,
            id: SpaceId.make(yield* ids.next),
            parent_id,
            name,
            description,
            from_at: writer.at,
            to_at: null
          }
          yield* checkFree(tree, space)
          yield* store.begin([space])
          yield* record(writer, "space_created", space)
          yield* setOutcomeOf("space", { id: space.id, name: path }, "created")
          const view: SpaceView = { space, path, counts: [] }
          return view
        })
      )
    )

    /** The space of an id that the caller reads; fails as absent for every other one. */
    const visible = (granted: GrantedWithin, tree: SpaceTree.SpaceTree, id: SpaceId) =>
      Either.fromNullable(
        Reach.holds(granted.readable, id) ? tree.spaces.get(id) : undefined,
        () => new Space.SpaceNotFound({ org: granted.org, space: id })
      )

    /** Refuses a place that is in the space itself, or too deep for what is below it. */
    const checkPlace = (tree: SpaceTree.SpaceTree, id: SpaceId, parent: SpaceId) => {
      if (SpaceTree.within(tree, id).has(parent))
        return new Space.SpaceMisplaced({ because: "cycle" })
      const depth = SpaceTree.depthOf(tree, parent) + 1 + SpaceTree.heightOf(tree, id)
      return depth > Space.DEPTH_MAX ? new Space.SpaceMisplaced({ because: "depth" }) : Effect.void
    }

    /** Renames, moves or describes a space; what is in it stays in it. The caller is an admin at both ends. */
    const change = Effect.fn("Spaces.change")((org: OrgName, id: SpaceId, wanted: SpaceChange) =>
      write(org, (granted, writer, tree) =>
        Effect.gen(function* () {
          const before = yield* visible(granted, tree, id)
          const above = SpaceTree.labelOf(tree, before.parent_id)
          yield* parentOf(granted, tree, above)
          const parent_id =
            wanted.parent === undefined
              ? before.parent_id
              : yield* parentOf(granted, tree, wanted.parent)
          const next: Space.Space = {
            ...before,
            parent_id,
            name: wanted.name ?? before.name,
            description: wanted.description ?? before.description,
            from_at: ThingPlace.ended(before, writer.at).to_at
          }
          const isSame = Space.sameContent(before, next)
          if (!isSame) {
            if (parent_id !== before.parent_id) {
              yield* checkPlace(tree, id, parent_id)
              yield* held.checkMove(writer, {
                things: ThingPlace.ThingKind.literals,
                moved: id,
                from: [before.parent_id],
                to: parent_id,
                subject: { type: "space", name: SpaceTree.labelOf(tree, id) },
                before: { parent: above },
                after: { parent: SpaceTree.labelOf(tree, parent_id) }
              })
            }
            yield* checkFree(tree, next)
            yield* store.end({ ...before, to_at: next.from_at })
            yield* store.begin([next])
            yield* record(writer, "space_changed", next)
          }
          const others = [...tree.spaces.values()].filter((each) => each.id !== id)
          const path = SpaceTree.labelOf(SpaceTree.make(writer.org, [...others, next]), id)
          yield* setOutcomeOf("space", { id, name: path }, isSame ? "unchanged" : "updated")
          const counts = (yield* store.countThings(writer.org)).filter(
            ({ space_id }) => space_id === id
          )
          const view: SpaceView = { space: isSame ? before : next, path, counts }
          return view
        })
      )
    )

    const checkEmpty = (
      { org }: WriteContext.WriteContext,
      tree: SpaceTree.SpaceTree,
      id: SpaceId
    ) =>
      Effect.gen(function* () {
        const space = SpaceTree.labelOf(tree, id)
        if (SpaceTree.childrenOf(tree, id).length > 0)
          return yield* new Space.SpaceNotEmpty({ space, what: "spaces" })
        if ((yield* store.countThings(org)).some(({ space_id }) => space_id === id))
          return yield* new Space.SpaceNotEmpty({ space, what: "things" })
        if (yield* grants.hasOpenIn(org, id))
          return yield* new Space.SpaceNotEmpty({ space, what: "grants" })
        if ((yield* store.findRules(org)).some(({ space_id }) => space_id === id))
          return yield* new Space.SpaceNotEmpty({ space, what: "placement rules" })
        if ((yield* protections.find(org)).some(({ space_id }) => space_id === id))
          return yield* new Space.SpaceNotEmpty({ space, what: "protections" })
      })

    /** Deletes a space that has nothing in it. */
    const remove = Effect.fn("Spaces.remove")((org: OrgName, id: SpaceId) =>
      write(org, (granted, writer, tree) =>
        Effect.gen(function* () {
          const space = yield* visible(granted, tree, id)
          yield* parentOf(granted, tree, SpaceTree.labelOf(tree, space.parent_id))
          yield* checkEmpty(writer, tree, id)
          const ended: Space.Space = ThingPlace.ended(space, writer.at)
          yield* store.end(ended)
          yield* record(writer, "space_deleted", ended)
          yield* setOutcomeOf("space", { id, name: SpaceTree.labelOf(tree, id) }, "deleted")
        })
      )
    )

    return { list, create, change, remove } as const
  })
}) {}
