/** The contract of `SpaceStore`. */
import { SpaceId, SpaceName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { PlacementRule } from "@attestry/core/PlacementRule"
import type { Ports } from "@attestry/core/Ports"
import * as Space from "@attestry/core/Space"
import { SpaceStore, type ThingCount } from "@attestry/core/SpaceStore"
import * as ThingPlace from "@attestry/core/ThingPlace"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const SOON = Timestamp.fromMicros(Fixture.AT + 1)

/** A space that is not stored yet. */
const newSpace = (org: Org, name: string, parent?: Space.Space): Effect.Effect<Space.Space> =>
  Effect.map(Fixture.freshId, (id) => ({
    org_id: org.id,
    id: SpaceId.make(id),
    parent_id: parent?.id ?? Space.rootOf(org.id),
    name: SpaceName.make(name),
    description: "where we pay 🦉",
    from_at: Fixture.AT,
    to_at: null
  }))

const space = (org: Org, name: string, parent?: Space.Space) =>
  Effect.tap(newSpace(org, name, parent), (made) =>
    Effect.flatMap(SpaceStore, (store) => store.begin([made]))
  )

const sorted = (spaces: ReadonlyArray<Space.Space>): ReadonlyArray<Space.Space> =>
  [...spaces].sort((left, right) => (left.id < right.id ? -1 : 1))

const placeOf = (
  org: Org,
  kind: ThingPlace.ThingKind,
  thing_id: string,
  { id }: Space.Space,
  from_at = Fixture.AT
): ThingPlace.ThingPlace => ({
  org_id: org.id,
  kind,
  thing_id,
  space_id: id,
  from_at,
  to_at: null
})

const states = (it: SuiteIt): void => {
  it.effect("lists the spaces of one org as they are, and as they were at an instant", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      deepStrictEqual(yield* store.list(org.id), [])
      const retail = yield* space(org, "retail")
      const cards = yield* space(org, "cards", retail)
      yield* space(other, "retail")
      deepStrictEqual(yield* store.list(org.id), sorted([retail, cards]))
      const over = ThingPlace.ended(cards, Fixture.LATER)
      yield* store.end({ ...over, name: SpaceName.make("ignored"), description: "ignored" })
      const moved = {
        ...cards,
        parent_id: Space.rootOf(org.id),
        name: SpaceName.make("plastic"),
        description: "",
        from_at: Fixture.LATER
      }
      yield* store.begin([moved])
      deepStrictEqual(yield* store.list(org.id), sorted([retail, moved]))
      const before = Timestamp.fromMicros(Fixture.LATER - 1)
      deepStrictEqual(yield* store.list(org.id, before), sorted([retail, over]))
      deepStrictEqual(yield* store.list(org.id, Fixture.AT), sorted([retail, over]))
      deepStrictEqual(yield* store.list(org.id, Fixture.LATER), sorted([retail, moved]))
      deepStrictEqual(yield* store.list(org.id, Timestamp.fromMicros(Fixture.AT - 1)), [])
    })
  )

  it.effect("gives the name of a space that has ended to another one", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const org = yield* Fixture.org
      const gone = yield* space(org, "retail")
      yield* store.end(ThingPlace.ended(gone, Fixture.LATER))
      const [next, below] = [yield* newSpace(org, "retail"), yield* newSpace(org, "retail", gone)]
      yield* store.begin([next, { ...below, parent_id: next.id }])
      yield* store.begin([])
      deepStrictEqual(yield* store.list(org.id), sorted([next, { ...below, parent_id: next.id }]))
    })
  )

  it.effect("lets nobody change spaces that others hold, also where there are none yet", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const add = transaction.run(org.id, () =>
        Effect.gen(function* () {
          const found = yield* store.hold(org.id, "change")
          yield* store.begin([yield* newSpace(org, `s${found.length}`)])
          return found.length
        })
      )
      const counts = yield* Effect.all([add, add, add, add], { concurrency: "unbounded" })
      deepStrictEqual([...counts].sort(), [0, 1, 2, 3])
      const look = transaction.run(org.id, () => store.hold(org.id, "share"))
      const seen = yield* Effect.all([look, look], { concurrency: "unbounded" })
      deepStrictEqual(
        seen.map((each) => each.map(({ name }) => name).sort()),
        [
          ["s0", "s1", "s2", "s3"],
          ["s0", "s1", "s2", "s3"]
        ]
      )
    })
  )
}

const placements = (it: SuiteIt): void => {
  it.effect("says where things of a kind are, and where they were", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const [a, b] = [yield* space(org, "a"), yield* space(org, "b")]
      const first = placeOf(org, "flow", "f1", a)
      yield* store.beginPlaces([
        first,
        placeOf(org, "flow", "f2", b),
        placeOf(org, "control", "f1", b)
      ])
      yield* store.beginPlaces([placeOf(other, "flow", "f1", b)])
      const where = (ids: ReadonlyArray<string>, at?: Timestamp.Timestamp) =>
        Effect.map(store.placesOf(org.id, { kind: "flow", ids }, at), (found) => [...found].sort())
      deepStrictEqual(yield* where(["f1", "f2", "f3"]), [
        ["f1", a.id],
        ["f2", b.id]
      ])
      deepStrictEqual(yield* where(["f2"]), [["f2", b.id]])
      deepStrictEqual(yield* where([]), [])
      const over = ThingPlace.ended(first, Fixture.LATER)
      yield* store.endPlaces([over])
      deepStrictEqual(yield* where(["f1"]), [])
      deepStrictEqual(yield* where(["f1"], Fixture.LATER), [])
      deepStrictEqual(yield* where(["f1"], SOON), [["f1", a.id]])
      yield* store.beginPlaces([placeOf(org, "flow", "f1", b, Fixture.LATER)])
      deepStrictEqual(yield* where(["f1"]), [["f1", b.id]])
      deepStrictEqual(yield* where(["f1"], Fixture.AT), [["f1", a.id]])
      deepStrictEqual(yield* where(["f1"], Timestamp.fromMicros(Fixture.AT - 1)), [])
    })
  )

  it.effect("finds the last time of each thing, over or not", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const org = yield* Fixture.org
      const [a, b] = [yield* space(org, "a"), yield* space(org, "b")]
      const things: ReadonlyArray<ThingPlace.PlacedThing> = [
        { kind: "policy", id: "x" },
        { kind: "environment", id: "x" },
        { kind: "flow", id: "never" }
      ]
      deepStrictEqual(yield* store.listLast(org.id, things), [])
      const [first, held] = [placeOf(org, "policy", "x", a), placeOf(org, "environment", "x", b)]
      yield* store.beginPlaces([first, held, placeOf(org, "flow", "other", a)])
      const over = ThingPlace.ended(first, Fixture.AT)
      yield* store.endPlaces([over])
      deepStrictEqual(yield* store.listLast(org.id, things), [held, over])
      const again = placeOf(org, "policy", "x", b, SOON)
      yield* store.beginPlaces([again])
      yield* store.beginPlaces([])
      yield* store.endPlaces([])
      deepStrictEqual(yield* store.listLast(org.id, [...things, ...things]), [held, again])
      deepStrictEqual(yield* store.listLast(org.id, []), [])
    })
  )

  it.effect("counts what is in each space now", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const org = yield* Fixture.org
      deepStrictEqual(yield* store.countThings(org.id), [])
      const [a, b] = [yield* space(org, "a"), yield* space(org, "b")]
      const gone = placeOf(org, "flow", "f3", a)
      yield* store.beginPlaces([
        placeOf(org, "flow", "f1", a),
        placeOf(org, "flow", "f2", a),
        gone,
        placeOf(org, "environment", "e1", a),
        placeOf(org, "service-account", "s1", b)
      ])
      yield* store.endPlaces([ThingPlace.ended(gone, Fixture.LATER)])
      const ofA: ReadonlyArray<ThingCount> = [
        { space_id: a.id, kind: "environment", count: 1 },
        { space_id: a.id, kind: "flow", count: 2 }
      ]
      const ofB: ReadonlyArray<ThingCount> = [{ space_id: b.id, kind: "service-account", count: 1 }]
      deepStrictEqual(
        yield* store.countThings(org.id),
        a.id < b.id ? [...ofA, ...ofB] : [...ofB, ...ofA]
      )
    })
  )

  it.effect("lists what of a kind is in spaces now", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const [a, b] = [yield* space(org, "a"), yield* space(org, "b")]
      const gone = placeOf(org, "flow", "f3", a)
      yield* store.beginPlaces([
        placeOf(org, "flow", "f2", a),
        placeOf(org, "flow", "f1", b),
        gone,
        placeOf(org, "environment", "e1", a)
      ])
      yield* store.endPlaces([ThingPlace.ended(gone, Fixture.LATER)])
      deepStrictEqual(yield* store.listThings(org.id, "flow", [a.id, b.id]), ["f1", "f2"])
      deepStrictEqual(yield* store.listThings(org.id, "flow", [a.id]), ["f2"])
      deepStrictEqual(yield* store.listThings(org.id, "environment", [b.id]), [])
      deepStrictEqual(yield* store.listThings(org.id, "flow", []), [])
      deepStrictEqual(yield* store.listThings(other.id, "flow", [a.id]), [])
    })
  )

  it.effect("replaces the placement rules of one org, in their order", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const a = yield* space(org, "a")
      const rules: ReadonlyArray<PlacementRule> = [
        { kind: "flow", name: "pay-*", space_id: a.id },
        { kind: "environment", name: "*", space_id: Space.rootOf(org.id) }
      ]
      deepStrictEqual(yield* store.findRules(org.id), [])
      yield* store.putRules(org.id, [...rules].reverse())
      yield* store.putRules(org.id, rules)
      deepStrictEqual(yield* store.findRules(org.id), rules)
      deepStrictEqual(yield* store.findRules(other.id), [])
      yield* store.putRules(org.id, [])
      deepStrictEqual(yield* store.findRules(org.id), [])
    })
  )
}

const names = (it: SuiteIt): void => {
  it.effect("finds flows and environments of one org by name, and names them by id", () =>
    Effect.gen(function* () {
      const store = yield* SpaceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const flow = yield* Fixture.flow(org, "shop")
      const environment = yield* Fixture.environment(org, "shop")
      yield* Fixture.flow(other, "shop")
      for (const [kind, { id }] of [
        ["flow", flow],
        ["environment", environment]
      ] as const) {
        const found = yield* store.findThings(org.id, { kind, names: ["shop", "none"] })
        deepStrictEqual([...found], [["shop", id]])
        deepStrictEqual([...(yield* store.findThings(org.id, { kind, names: [] }))], [])
        const named = yield* store.namesOf(org.id, { kind, ids: [id, "none"] })
        deepStrictEqual([...named], [[id, "shop"]])
        deepStrictEqual([...(yield* store.namesOf(other.id, { kind, ids: [id] }))], [])
      }
    })
  )
}

/** States the contract of `SpaceStore`. */
export const spaceStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`SpaceStore (${name})`, ports, options, (it) => {
    states(it)
    placements(it)
    names(it)
  })
