/** Which things are in places, for lists of other adapters. */
import type { OrgId } from "@attestry/core/Identifier"
import * as PlaceId from "@attestry/core/PlaceId"
import type { ThingKind, ThingPlace } from "@attestry/core/ThingPlace"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { MemoryState, table } from "../shared/MemoryState.js"

/** The times of things in spaces by org, kind, thing and beginning. */
export const places = table<ThingPlace>("thing_place")

/** Tells of the id of a thing whether it is in one of some places now; without places every thing is wanted. */
export type Placed = (
  org: OrgId,
  kind: ThingKind,
  within: ReadonlyArray<PlaceId.PlaceId> | undefined
) => Effect.Effect<(id: string) => boolean>

/** Tells which things are in spaces. */
export const make: Effect.Effect<Placed, never, MemoryState> = Effect.map(
  MemoryState,
  (state): Placed =>
    (org, kind, within) =>
      within === undefined
        ? Effect.succeed(() => true)
        : Effect.map(state.read(places), (rows) => {
            const found = Array.from(HashMap.values(rows)).filter(
              (place) =>
                place.org_id === org &&
                place.kind === kind &&
                place.to_at === null &&
                within.includes(place.space_id)
            )
            const ids = new Set([
              ...found.map(({ thing_id }) => thing_id),
              ...PlaceId.thingsOf(within, kind)
            ])
            return (id) => ids.has(id)
          })
)
