/** Port: the spaces of an org, and the times in which things are in them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId, SpaceId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { PlacementRule } from "./PlacementRule.js"
import type { Space } from "./Space.js"
import type { PlacedThing, ThingKind, ThingPlace } from "./ThingPlace.js"

/** How many things of a kind are in a space. */
export interface ThingCount {
  readonly space_id: SpaceId
  readonly kind: ThingKind
  readonly count: number
}

/** Some things of a kind, by id. */
export interface ThingsOfKind {
  readonly kind: ThingKind
  readonly ids: ReadonlyArray<string>
}

/** The kinds of things that a key can name. */
export type NamedKind = "flow" | "environment"

/** Port: the spaces of an org. */
export class SpaceStore extends Context.Tag("@attestry/core/SpaceStore")<
  SpaceStore,
  {
    /** The states of spaces that last, or that held an instant, by space id. The root is none of them. */
    readonly list: (org: OrgId, at?: Timestamp) => Effect.Effect<ReadonlyArray<Space>, StoreError>
    /**
     * The spaces of an org, which stay as they are until the transaction ends: with `share` others may hold them too,
     * and with `change` no other. What is placed in a space commits before the space is moved or deleted.
     */
    readonly hold: (
      org: OrgId,
      purpose: "share" | "change"
    ) => Effect.Effect<ReadonlyArray<Space>, StoreError>
    /** Adds states of spaces. The caller holds the spaces to change them. */
    readonly begin: (spaces: ReadonlyArray<Space>) => Effect.Effect<void, StoreError>
    /** Writes the end of a state that lasts. The caller holds the spaces to change them. */
    readonly end: (space: Space) => Effect.Effect<void, StoreError>
    /**
     * The spaces that some things of a kind are in, or were in at an instant, by id; a thing in the root is not in the
     * answer.
     */
    readonly placesOf: (
      org: OrgId,
      things: ThingsOfKind,
      at?: Timestamp
    ) => Effect.Effect<ReadonlyMap<string, SpaceId>, StoreError>
    /** The ids of the things of a kind that are in one of some spaces now, in ascending order. */
    readonly listThings: (
      org: OrgId,
      kind: ThingKind,
      within: ReadonlyArray<SpaceId>
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** The ids of active flows or environments, by their names of now; unknown names are left out. */
    readonly findThings: (
      org: OrgId,
      things: { readonly kind: NamedKind; readonly names: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
    /** The names of flows or environments, archived ones included, by their ids; unknown ids are left out. */
    readonly namesOf: (
      org: OrgId,
      things: { readonly kind: NamedKind; readonly ids: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
    /** The last time of each of some things, for those that were ever in a space below the root. */
    readonly listLast: (
      org: OrgId,
      things: ReadonlyArray<PlacedThing>
    ) => Effect.Effect<ReadonlyArray<ThingPlace>, StoreError>
    /** Adds times. None of the things has one that lasts. */
    readonly beginPlaces: (places: ReadonlyArray<ThingPlace>) => Effect.Effect<void, StoreError>
    /** Writes the ends of times that last. */
    readonly endPlaces: (places: ReadonlyArray<ThingPlace>) => Effect.Effect<void, StoreError>
    /** How many things of each kind are in each space now; the root is not counted. */
    readonly countThings: (org: OrgId) => Effect.Effect<ReadonlyArray<ThingCount>, StoreError>
    /** The placement rules of an org, in their order. */
    readonly findRules: (org: OrgId) => Effect.Effect<ReadonlyArray<PlacementRule>, StoreError>
    /** Replaces the placement rules of an org. The caller holds the spaces to change them. */
    readonly putRules: (
      org: OrgId,
      rules: ReadonlyArray<PlacementRule>
    ) => Effect.Effect<void, StoreError>
  }
>() {}
