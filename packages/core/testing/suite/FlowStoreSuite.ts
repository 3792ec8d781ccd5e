/** The contract of `FlowStore`. */
import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import { FlowId, FlowName } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { flowContent } from "../arbitrary/Flow.js"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

const keyOf = ({ org_id, name }: Flow) => ({ org: org_id, name })

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
          deepStrictEqual(yield* store.lockByName(keyOf(flow)), Option.none())
          assert.strictEqual(yield* store.insert(flow), true)
          deepStrictEqual(yield* store.findByName(keyOf(flow)), Option.some(flow))
          deepStrictEqual(yield* store.lockByName(keyOf(flow)), Option.some(flow))
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
        deepStrictEqual(yield* store.lockByName(key), Option.none())
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
  })
