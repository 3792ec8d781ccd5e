/** The contract of evaluations of `TrailStore` and of versions of templates of `FlowStore`. */
import { FlowStore } from "@attestry/core/FlowStore"
import { TemplateId, TrailId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import type { Trail } from "@attestry/core/Trail"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import { TrailStore } from "@attestry/core/TrailStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { text, timestamp } from "../arbitrary/Text.js"
import * as TrailHistory from "../arbitrary/TrailHistory.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newTrail = Fixture.org.pipe(
  Effect.flatMap((org) => Fixture.flow(org)),
  Effect.flatMap((flow) => Fixture.trail(flow))
)

const evaluationOf = (
  { org_id, id, flow_id }: Trail,
  evidence: TrailCompliance.TrailEvidence
): StoredEvaluation => ({
  org_id,
  trail_id: id,
  flow_id,
  template_id: TemplateId.make("template-1"),
  evaluated_at: Fixture.AT,
  ...TrailCompliance.evaluate(evidence)
})

/** States the contract of `TrailStore` and of `FlowStore`. */
export const evaluationsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`TrailStore, evaluations (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns the last evaluation unchanged, its slots in order",
      { before: TrailHistory.trailHistory, after: TrailHistory.trailHistory },
      ({ before, after }) =>
        Effect.gen(function* () {
          const store = yield* TrailStore
          const trail = yield* newTrail
          deepStrictEqual(yield* store.findEvaluation(trail.org_id, trail.id), Option.none())
          for (const { template, events } of [before, after]) {
            const evidence = { template, ...TrailHistory.record(events) }
            const evaluation = evaluationOf(trail, evidence)
            yield* store.putEvaluation(evaluation)
            const found = yield* store.findEvaluation(trail.org_id, trail.id)
            deepStrictEqual(found, Option.some(evaluation))
            deepStrictEqual(
              Option.map(found, (one) => Object.keys(one.trail.artifacts_statuses)),
              Option.some(Object.keys(evaluation.trail.artifacts_statuses))
            )
          }
          const others = [trail.id, TrailId.make("nobody")]
          assert.strictEqual((yield* store.listEvaluations(trail.org_id, others)).length, 1)
          deepStrictEqual(yield* store.listEvaluations((yield* Fixture.org).id, [trail.id]), [])
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect.prop(
      "returns every version of a template by its id",
      { content: text, created_at: timestamp },
      ({ content, created_at }) =>
        Effect.gen(function* () {
          const store = yield* FlowStore
          const { id: org_id } = yield* Fixture.org
          const id = TemplateId.make(yield* Fixture.freshId)
          deepStrictEqual(yield* store.findTemplate(org_id, id), Option.none())
          const version = { org_id, id, content, created_at }
          yield* store.appendTemplate(version)
          deepStrictEqual(yield* store.findTemplate(org_id, id), Option.some(version))
          deepStrictEqual(yield* store.findTemplate((yield* Fixture.org).id, id), Option.none())
        }),
      { fastCheck: { numRuns: 10 } }
    )
  })
