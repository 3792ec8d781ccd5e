/**
 * The places of a list of a store: what is in spaces, and single flows and environments. Pure and total.
 *
 * A place is the id of a space, or the kind and the id of one thing.
 */
import type { SpaceId } from "../shared/Identifier.js"
import type { ThingKind } from "./ThingPlace.js"

/** A space with what is in it, or one thing. */
export type PlaceId = SpaceId | `${ThingKind} ${string}`

const isThing = (place: PlaceId): boolean => place.includes(" ")

/** The ids of the spaces among some places. */
export const spacesOf = (places: ReadonlyArray<PlaceId>): ReadonlyArray<string> =>
  places.filter((place) => !isThing(place))

/** The ids of the things of a kind that are named among some places. */
export const thingsOf = (places: ReadonlyArray<PlaceId>, kind: ThingKind): ReadonlyArray<string> =>
  places.flatMap((place) => (place.startsWith(`${kind} `) ? [place.slice(kind.length + 1)] : []))
