/** The contract of `FlowStore`. */

import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { FlowId, FlowName, TemplateId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { flowContent } from "../arbitrary/Flow.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, name }: Flow) => ({ org: org_id, name })

/** An event on a trail of a flow, so many seconds after a beginning; clocks of several processes differ. */
interface Activity {
  readonly flow: number
  readonly trail: number
  readonly seconds: number
}

const FLOWS = 6
const PER_PAGE = 2
const EMPTY = TrailCompliance.evaluate({
  template: FlowTemplate.empty,
  artifacts: [],
  attestations: []
})

const activities = FastCheck.array(
  FastCheck.record({
    flow: FastCheck.integer({ min: 0, max: FLOWS - 2 }),
    trail: FastCheck.integer({ min: 0, max: 1 }),
    seconds: FastCheck.integer({ min: 0, max: 300 })
  }),
  { maxLength: 12 }
)

/** Flows, and the instant of the latest event on each; -1 for none. */
const withActivity = (org: Org, events: ReadonlyArray<Activity>) =>
  Effect.gen(function* () {
    const evaluations = yield* TrailStore
    const flows = yield* Effect.forEach(
      Array.from({ length: FLOWS }, (_, at) => `flow-${at}`),
      (name) => Fixture.flow(org, name)
    )
    const trails = new Map<string, Trail>()
    const latest = new Map<string, Timestamp.Timestamp>()
    for (const { flow, trail, seconds } of events) {
      const parent = flows[flow]
      if (parent === undefined) continue
      const key = `${parent.name} ${trail}`
      const on = trails.get(key) ?? (yield* Fixture.trail(parent, `run-${trail}`))
      trails.set(key, on)
      const evaluated_at = Timestamp.plusSeconds(Fixture.AT, seconds)
      latest.set(key, evaluated_at)
      yield* evaluations.putEvaluation({
        org_id: org.id,
        trail_id: on.id,
        flow_id: parent.id,
        template_id: TemplateId.make("template-1"),
        evaluated_at,
        ...EMPTY
      })
    }
    return flows.map(({ name }) => ({
      name,
      at: Math.max(...[0, 1].map((trail) => latest.get(`${name} ${trail}`) ?? -1))
    }))
  })

/** States the contract of `FlowStore`. */
export const flowStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`FlowStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every flow unchanged",
      { content: flowContent },
      ({ content }) =>
        Effect.gen(function* () {
          const store = yield* FlowStore
          const org = yield* Fixture.org
          const flow: Flow = {
            org_id: org.id,
            id: FlowId.make(yield* Fixture.freshId),
            ...content
          }
          deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.none())
          deepStrictEqual(yield* store.lock(keyOf(flow)), Option.none())
          assert.strictEqual(yield* store.insert(flow), true)
          deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.some(flow))
          deepStrictEqual(yield* store.lock(keyOf(flow)), Option.some(flow))
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("distinguishes names by case and by every character", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const org = yield* Fixture.org
        const flows = yield* Effect.forEach(["build", "Build", "build~", "build."], (text) =>
          Fixture.flow(org, text)
        )
        const found = yield* Effect.forEach(flows, (flow) => store.findByName(keyOf(flow)))
        deepStrictEqual(found, flows.map(Option.some))
      })
    )

    it.effect("adds nothing under a name that is taken", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const flow = yield* Fixture.flow(yield* Fixture.org)
        const id = FlowId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...flow, id, description: "other" }), false)
        deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.some(flow))
      })
    )

    it.effect("replaces the content of a flow, and of no other flow", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const org = yield* Fixture.org
        const [flow, other] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "other")]
        const next: Flow = {
          ...flow,
          description: "next",
          visibility: "public",
          template: "version: 1\ntrail:\n",
          last_modified_at: Fixture.LATER
        }
        yield* store.update(next)
        deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.some(next))
        deepStrictEqual(yield* store.findByName(keyOf(other)), Option.some(other))
      })
    )

    it.effect("replaces nothing when there is no such flow", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const flow = yield* Fixture.newFlow(yield* Fixture.org)
        yield* store.update(flow)
        deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.none())
      })
    )

    it.effect("separates orgs, also with equal names", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const flow = yield* Fixture.flow(one)
        const key = { org: other.id, name: flow.name }
        deepStrictEqual(yield* store.findByName(key), Option.none())
        deepStrictEqual(yield* store.lock(key), Option.none())
        const theirs = yield* Fixture.flow(other)
        deepStrictEqual(yield* store.findByName(key), Option.some(theirs))
        deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.some(flow))
      })
    )

    for (const ends of ["succeeds", "fails"] as const) {
      it.effect(`adds after a concurrent writer of the same name ${ends}`, () =>
        Effect.gen(function* () {
          const store = yield* FlowStore
          const transaction = yield* Transaction
          const org = yield* Fixture.org
          const [first, second] = [yield* Fixture.newFlow(org), yield* Fixture.newFlow(org)]
          const inserted = yield* Deferred.make<void>()
          const holder = yield* Effect.fork(
            transaction.run(org.id, () =>
              store
                .insert(first)
                .pipe(
                  Effect.zipRight(Deferred.succeed(inserted, undefined)),
                  Effect.zipRight(Effect.yieldNow()),
                  Effect.zipRight(ends === "fails" ? Effect.fail("no") : Effect.void)
                )
            )
          )
          yield* Deferred.await(inserted)
          const added = yield* transaction.run(org.id, () =>
            Effect.zip(store.insert(second), store.findByName(keyOf(second)))
          )
          yield* Fiber.await(holder)
          deepStrictEqual(
            added,
            ends === "succeeds" ? [false, Option.some(first)] : [true, Option.some(second)]
          )
        })
      )
    }

    it.effect("finds no flow of another org by its name", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const org = yield* Fixture.org
        yield* Fixture.flow(org)
        const key = { org: org.id, name: FlowName.make("uild") }
        deepStrictEqual(yield* store.findByName(key), Option.none())
      })
    )

    it.effect.prop(
      "lists flows by their latest activity, page by page, and those without one as the oldest",
      { events: activities },
      ({ events }) =>
        Effect.gen(function* () {
          const store = yield* FlowStore
          const org = yield* Fixture.org
          const flows = yield* withActivity(org, events)
          const rising = [...flows].sort(
            (one, other) => one.at - other.at || (one.name < other.name ? -1 : 1)
          )
          for (const direction of ["asc", "desc"] as const) {
            const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
              store.list(
                org.id,
                { sort: "latest_activity", direction },
                Option.some({ page, perPage: PER_PAGE })
              )
            )
            const found = pages.flatMap(({ items }) =>
              items.map(({ flow, latestActivityAt }) => ({
                name: flow.name,
                at: latestActivityAt ?? -1
              }))
            )
            deepStrictEqual<unknown>(found, direction === "asc" ? rising : [...rising].reverse())
            deepStrictEqual(
              pages.map(({ total }) => total),
              [FLOWS, FLOWS, FLOWS, FLOWS]
            )
          }
        }),
      { fastCheck: { numRuns: 20 } }
    )
  })
