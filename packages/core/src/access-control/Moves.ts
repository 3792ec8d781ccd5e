/**
 * Moves things to another space, and says before who loses access by it. SPEC §4.30
 *
 * The caller needs the permission at both ends. What was evaluated stays as it was: a move changes nothing but who
 * reads and writes.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import * as Reach from "../access/Reach.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { GrantStore } from "../grant/GrantStore.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import type { OrgName, SpaceId } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { type NamedThing, PlaceRecords } from "../space/internal/PlaceRecords.js"
import * as Space from "../space/Space.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import { GrantSubjects, keyOf } from "./internal/GrantSubjects.js"
import { type ThingMatch, Things } from "./internal/Things.js"
import * as Move from "./Move.js"

const PERMISSION: Permission = "placement.write"
const EVERY_PAGE = { page: 1, perPage: Number.MAX_SAFE_INTEGER }

/** A move of named things, or of all that match. */
export interface MoveRequest {
  readonly things: ReadonlyArray<Move.ThingName> | ThingMatch
  /** The path of the space that they go to. */
  readonly to: string
  /** Whether it is only asked what the move would do. */
  readonly preview: boolean
}

/** A thing with the space that it is in. */
interface PlacedNamed {
  readonly thing: NamedThing
  readonly from: SpaceId
}

const isMatch = (things: MoveRequest["things"]): things is ThingMatch => !Array.isArray(things)

/** Moves things to another space. */
export class Moves extends Effect.Service<Moves>()("@attestry/core/Moves", {
  effect: Effect.gen(function* () {
    const store = yield* SpaceStore
    const grants = yield* GrantStore
    const subjects = yield* GrantSubjects
    const things = yield* Things
    const records = yield* PlaceRecords
    const reaches = yield* Reaches
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const held = yield* HeldChanges

    const named = (granted: GrantedWithin, { kind, name }: Move.ThingName) =>
      Effect.gen(function* () {
        const notFound = () => new Move.ThingNotFound({ kind, name })
        const found = yield* things.find(granted.orgId, kind, name)
        return yield* reaches.permitFound(granted, found, { kind, idOf: ({ id }) => id, notFound })
      })

    /** The things that a request means, each once; of a pattern those alone that the caller may move. */
    const meant = (granted: GrantedWithin, given: MoveRequest["things"]) =>
      Effect.gen(function* () {
        if (!isMatch(given)) {
          const found = yield* Effect.forEach(given, (each) => named(granted, each))
          return [...new Map(found.map((each) => [`${each.kind} ${each.id}`, each])).values()]
        }
        const found = yield* things.list(granted.orgId, given)
        const { orgId, reach } = granted
        return yield* reaches.keepReadable(
          { orgId, readable: reach },
          { kind: given.kind, things: found, idOf: (each) => each.id }
        )
      })

    const withPlaces = ({ orgId }: GrantedWithin, found: ReadonlyArray<NamedThing>) =>
      Effect.gen(function* () {
        const last = yield* store.listLast(orgId, found)
        return found.map(({ id, kind, name }): PlacedNamed => {
          const place = last.find((each) => each.kind === kind && each.thing_id === id)
          const from = place?.to_at === null ? place.space_id : Space.rootOf(orgId)
          return { thing: { id, kind, name }, from }
        })
      })

    /** Whose grants reach where the things are, and not where they go. */
    const losing = (
      { org, at }: WriteContext.WriteContext,
      tree: SpaceTree.SpaceTree,
      { from, to }: { readonly from: ReadonlySet<SpaceId>; readonly to: SpaceId }
    ) =>
      Effect.gen(function* () {
        const kept = new Set(SpaceTree.pathOf(tree, to))
        const lost = [...from].flatMap((each) =>
          SpaceTree.pathOf(tree, each).filter((space) => !kept.has(space))
        )
        if (lost.length === 0) return []
        const spaces = [...new Set(lost)]
        const { items } = yield* grants.list(org, { now: at, ended: false, spaces }, EVERY_PAGE)
        const names = yield* subjects.namesOf(
          org,
          items.map(({ subject }) => subject)
        )
        return items.map(
          ({ role, subject }): Move.LosingSubject => ({
            kind: subject.kind,
            name: names.get(keyOf(subject)) ?? subject.id,
            role
          })
        )
      })

    const target = (granted: GrantedWithin, tree: SpaceTree.SpaceTree, path: string) =>
      Effect.gen(function* () {
        const { org } = granted
        const to = SpaceTree.find(tree, path)
        if (Option.isSome(to) && Reach.holds(granted.reach, to.value)) return to.value
        return Option.isSome(to) && Reach.holds(granted.readable, to.value)
          ? yield* new AccessDenied({ org, permission: PERMISSION })
          : yield* new Space.SpaceNotFound({ org, space: path })
      })

    /** Moves things, all or none, or only says what a move would do. */
    const move = Effect.fn("Moves.move")(function* (org: OrgName, request: MoveRequest) {
      const granted = yield* reaches.authorize(org, PERMISSION)
      const run = transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const tree = SpaceTree.make(writer.org, yield* store.hold(writer.org, "change"))
          const to = yield* target(granted, tree, request.to)
          const placed = (yield* withPlaces(granted, yield* meant(granted, request.things))).filter(
            ({ from }) => from !== to
          )
          if (placed.length > Move.THINGS_MAX)
            return yield* new Move.TooManyThings({ count: placed.length })
          const from = new Set(placed.map((each) => each.from))
          const report: Move.MoveReport = {
            moved: placed.map(({ thing: { kind, name } }) => ({ kind, name })),
            losing: yield* losing(writer, tree, { from, to })
          }
          if (request.preview || placed.length === 0) return report
          yield* held.checkMove(writer, {
            things: placed.map(({ thing: { kind } }) => kind),
            from: [...from],
            to,
            subject: { type: "space", name: request.to },
            before: null,
            after: { moved: report.moved }
          })
          yield* records.move(
            writer,
            placed.map(({ thing }) => thing),
            to
          )
          return report
        })
      )
      return yield* request.preview ? run : Effect.zipLeft(run, epoch.advance)
    })

    return { move } as const
  })
}) {}
