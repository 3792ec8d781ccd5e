/** What every `TrailStore` must do. */
import { TrailId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import type { Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { text, timestamp } from "../arbitrary/Text.js"
import { trailDetails } from "../arbitrary/Trail.js"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

const keyOf = ({ org_id, flow_id, name }: Trail) => ({ org: org_id, flow: flow_id, name })

const newFlow = Effect.flatMap(Fixture.org, (org) => Fixture.flow(org))

/** States the contract of `TrailStore`. */
export const trailStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`TrailStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "gives back every trail as it was added, and as it was replaced",
      { before: trailDetails, after: trailDetails, created_by: text, at: timestamp },
      ({ before, after, created_by, at }) =>
        Effect.gen(function* () {
          const store = yield* TrailStore
          const fresh = yield* Fixture.newTrail(yield* newFlow)
          const trail: Trail = { ...fresh, ...before, created_by, created_at: at }
          deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.none())
          assert.strictEqual(yield* store.insert(trail), true)
          deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.some(trail))
          const next: Trail = { ...trail, ...after, last_modified_at: Fixture.LATER }
          yield* store.update(next)
          deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.some(next))
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("adds nothing under a name that is taken in the flow", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.trail(yield* newFlow)
        const id = TrailId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...trail, id, description: "other" }), false)
        deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.some(trail))
      })
    )

    it.effect("keeps flows apart, also when their trails have one name", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const org = yield* Fixture.org
        const [flow, other] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "other")]
        const trail = yield* Fixture.trail(flow)
        const key = { org: org.id, flow: other.id, name: trail.name }
        deepStrictEqual(yield* store.lockByName(key), Option.none())
        const second = yield* Fixture.trail(other)
        deepStrictEqual(yield* store.lockByName(key), Option.some(second))
        deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.some(trail))
      })
    )

    it.effect("keeps orgs apart", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.trail(yield* newFlow)
        const other = yield* Fixture.org
        const key = { ...keyOf(trail), org: other.id }
        deepStrictEqual(yield* store.lockByName(key), Option.none())
        yield* store.update({ ...trail, org_id: other.id, description: "theirs" })
        deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.some(trail))
      })
    )

    it.effect("replaces nothing where there is no such trail", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.newTrail(yield* newFlow)
        yield* store.update(trail)
        deepStrictEqual(yield* store.lockByName(keyOf(trail)), Option.none())
      })
    )

    it.effect("adds one of many trails that want one name", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const transaction = yield* Transaction
        const flow = yield* newFlow
        const trails = yield* Effect.all(Array.from({ length: 8 }, () => Fixture.newTrail(flow)))
        const answers = yield* Effect.forEach(
          trails,
          (trail) =>
            transaction.run(flow.org_id, () =>
              Effect.zip(store.insert(trail), store.lockByName(keyOf(trail)))
            ),
          { concurrency: "unbounded" }
        )
        const winner = trails[answers.findIndex(([added]) => added)]
        assert.strictEqual(answers.filter(([added]) => added).length, 1)
        deepStrictEqual(
          answers.map(([, found]) => found),
          trails.map(() => Option.fromNullable(winner))
        )
      })
    )
  })
