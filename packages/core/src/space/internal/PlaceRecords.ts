/**
 * Places things in spaces, and moves them, each with its journal entry. For use cases that have authorized the caller,
 * inside of their transactions.
 */
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import type { SpaceId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Space from "../Space.js"
import { SpaceStore } from "../SpaceStore.js"
import * as ThingPlace from "../ThingPlace.js"

/** A thing with its name. */
export interface NamedThing extends ThingPlace.PlacedThing {
  readonly name: string
}

/** Places things in spaces. */
export class PlaceRecords extends Effect.Service<PlaceRecords>()("@attestry/core/PlaceRecords", {
  effect: Effect.gen(function* () {
    const store = yield* SpaceStore
    const journals = yield* Journals

    const record = (
      writer: WriteContext,
      { id, kind, name }: NamedThing,
      move: { readonly from: SpaceId; readonly to: SpaceId; readonly from_at: number }
    ) =>
      journals.record({
        ...writer,
        kind: "thing_placed",
        subject: { type: "space", id: move.to },
        content: { kind, thing_id: id, name, ...move }
      })

    const placeOf = (
      { org }: WriteContext,
      { id, kind }: NamedThing,
      time: Pick<ThingPlace.ThingPlace, "space_id" | "from_at">
    ): ThingPlace.ThingPlace => ({ org_id: org, kind, thing_id: id, ...time, to_at: null })

    /** Places a new thing. One in the root needs no record. */
    const begin = (
      writer: WriteContext,
      thing: NamedThing,
      space: SpaceId
    ): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        const root = Space.rootOf(writer.org)
        if (space === root) return
        const place = placeOf(writer, thing, { space_id: space, from_at: writer.at })
        yield* store.beginPlaces([place])
        yield* record(writer, thing, { from: root, to: space, from_at: place.from_at })
      })

    /**
     * Moves things to a space, and returns those that were elsewhere. INVARIANT: the spaces of the org are held, to
     * change them where a thing stays.
     */
    const move = (
      writer: WriteContext,
      things: ReadonlyArray<NamedThing>,
      to: SpaceId
    ): Effect.Effect<ReadonlyArray<NamedThing>, StoreError> =>
      Effect.gen(function* () {
        const root = Space.rootOf(writer.org)
        const keyOf = (kind: string, id: string) => `${kind} ${id}`
        const last = new Map(
          (yield* store.listLast(writer.org, things)).map((place) => [
            keyOf(place.kind, place.thing_id),
            place
          ])
        )
        const moved = things.flatMap((thing) => {
          const before = last.get(keyOf(thing.kind, thing.id))
          const open = before?.to_at === null ? before : undefined
          const from = open?.space_id ?? root
          if (from === to) return []
          const over = open === undefined ? undefined : ThingPlace.ended(open, writer.at)
          const from_at = ThingPlace.beginningAfter(over ?? before, writer.at)
          return [{ thing, from, over, place: placeOf(writer, thing, { space_id: to, from_at }) }]
        })
        yield* store.endPlaces(moved.flatMap(({ over }) => (over === undefined ? [] : [over])))
        yield* store.beginPlaces(to === root ? [] : moved.map(({ place }) => place))
        for (const { from, place, thing } of moved)
          yield* record(writer, thing, { from, to, from_at: place.from_at })
        return moved.map(({ thing }) => thing)
      })

    /** Ends the place of a thing that is deleted. One in the root needs no record. */
    const end = (writer: WriteContext, thing: NamedThing): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        const { id, kind } = thing
        if ((yield* store.placesOf(writer.org, { kind, ids: [id] })).size === 0) return
        yield* store.hold(writer.org, "share")
        yield* move(writer, [thing], Space.rootOf(writer.org))
      })

    return { begin, move, end } as const
  })
}) {}
