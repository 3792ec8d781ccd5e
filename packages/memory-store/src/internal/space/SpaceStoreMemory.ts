/** `SpaceStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { OrgId, SpaceId } from "@attestry/core/Identifier"
import type { PlacementRule } from "@attestry/core/PlacementRule"
import type { Space } from "@attestry/core/Space"
import { type NamedKind, SpaceStore, type ThingCount } from "@attestry/core/SpaceStore"
import type { ThingKind, ThingPlace } from "@attestry/core/ThingPlace"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import { places } from "./PlacedThings.js"

/** The states of spaces by org, id and beginning. */
const spaces = table<Space>("space")
const placementRules = table<{
  readonly org_id: OrgId
  readonly rules: ReadonlyArray<PlacementRule>
}>("placement_rule")

// WHY declared here: the adapters of these tables import the one of places.
const flows = table<NamedThing>("flow")
const environments = table<{ readonly environment: NamedThing }>("environment")

/** What a key can name. */
interface NamedThing {
  readonly org_id: OrgId
  readonly id: string
  readonly name: string
  readonly archived_at: Timestamp | null
}

type Time = Pick<ThingPlace, "from_at" | "to_at">

/** Whether a time lasts, or held an instant. */
const isAt =
  (at: Timestamp | undefined) =>
  ({ from_at, to_at }: Time): boolean =>
    at === undefined ? to_at === null : from_at <= at && (to_at === null || at < to_at)

const spaceKey = ({ from_at, id, org_id }: Space): string => key(org_id, id, from_at)
const placeKey = ({ from_at, kind, org_id, thing_id }: ThingPlace): string =>
  key(org_id, kind, thing_id, from_at)
const thingKey = (kind: ThingKind, id: string): string => key(kind, id)

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
const byThing = (left: ThingPlace, right: ThingPlace): number =>
  compare(left.kind, right.kind) ||
  compare(left.thing_id, right.thing_id) ||
  left.from_at - right.from_at

const counted = (open: ReadonlyArray<ThingPlace>): ReadonlyArray<ThingCount> => {
  const counts = new Map<string, ThingCount>()
  for (const { kind, space_id } of open) {
    const at = key(space_id, kind)
    counts.set(at, { space_id, kind, count: (counts.get(at)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort(
    (left, right) => compare(left.space_id, right.space_id) || compare(left.kind, right.kind)
  )
}

/** `SpaceStore` in memory. */
export const layer: Layer.Layer<SpaceStore, never, MemoryState> = Layer.effect(
  SpaceStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const spaceRows = yield* MemoryRows.make(spaces)
    const placeRows = yield* MemoryRows.make(places)
    const ruleRows = yield* MemoryRows.make(placementRules)

    const list = (org: OrgId, at?: Timestamp) =>
      Effect.map(spaceRows.values, (all) =>
        all
          .filter((space) => space.org_id === org && isAt(at)(space))
          .sort((left, right) => compare(left.id, right.id))
      )
    const placesWhere = (org: OrgId, keep: (place: ThingPlace) => boolean) =>
      Effect.map(placeRows.values, (all) =>
        all.filter((place) => place.org_id === org && keep(place)).sort(byThing)
      )
    const writePlaces = (written: ReadonlyArray<ThingPlace>) =>
      state.modify(places, (rows) => [
        undefined,
        written.reduce((all, place) => HashMap.set(all, placeKey(place), place), rows)
      ])

    const namedThings = (org: OrgId, kind: NamedKind) =>
      Effect.map(
        kind === "flow"
          ? Effect.map(state.read(flows), (rows) => [...HashMap.values(rows)])
          : Effect.map(state.read(environments), (rows) =>
              [...HashMap.values(rows)].map(({ environment }) => environment)
            ),
        (all) => all.filter(({ org_id }) => org_id === org)
      )

    return SpaceStore.of({
      list,
      hold: (org) => list(org),
      begin: (begun) =>
        state.modify(spaces, (rows) => [
          undefined,
          begun.reduce((all, space) => HashMap.set(all, spaceKey(space), space), rows)
        ]),
      end: (space) =>
        state.modify(spaces, (rows) => [
          undefined,
          HashMap.modify(rows, spaceKey(space), (before) => ({ ...before, to_at: space.to_at }))
        ]),
      placesOf: (org, { ids, kind }, at) =>
        Effect.map(
          placesWhere(
            org,
            (place) => place.kind === kind && ids.includes(place.thing_id) && isAt(at)(place)
          ),
          (found): ReadonlyMap<string, SpaceId> =>
            new Map(found.map(({ space_id, thing_id }) => [thing_id, space_id]))
        ),
      listThings: (org, kind, within) =>
        Effect.map(
          placesWhere(
            org,
            (place) =>
              place.kind === kind && isAt(undefined)(place) && within.includes(place.space_id)
          ),
          (found) => found.map(({ thing_id }) => thing_id)
        ),
      findThings: (org, { kind, names }) =>
        Effect.map(
          namedThings(org, kind),
          (all): ReadonlyMap<string, string> =>
            new Map(
              all
                .filter(({ archived_at, name }) => archived_at === null && names.includes(name))
                .map(({ id, name }) => [name, id])
            )
        ),
      namesOf: (org, { ids, kind }) =>
        Effect.map(
          namedThings(org, kind),
          (all): ReadonlyMap<string, string> =>
            new Map(all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]))
        ),
      listLast: (org, things) => {
        const wanted = new Set(things.map(({ id, kind }) => thingKey(kind, id)))
        return Effect.map(
          placesWhere(org, ({ kind, thing_id }) => wanted.has(thingKey(kind, thing_id))),
          (found) => [
            ...new Map(
              found.map((place) => [thingKey(place.kind, place.thing_id), place] as const)
            ).values()
          ]
        )
      },
      beginPlaces: writePlaces,
      endPlaces: writePlaces,
      countThings: (org) =>
        Effect.map(
          placesWhere(org, ({ to_at }) => to_at === null),
          counted
        ),
      findRules: (org) =>
        Effect.map(
          ruleRows.find(key(org)),
          Option.match({
            onNone: (): ReadonlyArray<PlacementRule> => [],
            onSome: ({ rules }) => rules
          })
        ),
      putRules: (org, rules) => ruleRows.set(key(org), { org_id: org, rules })
    })
  })
)
