/** The contract of `EvaluationStore` and `TemplateVersionStore`. */
import { EvaluationStore } from "@attestry/core/EvaluationStore"
import { TemplateId, TrailId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import { TemplateVersionStore } from "@attestry/core/TemplateVersionStore"
import type { Trail } from "@attestry/core/Trail"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
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

/** States the contract of `EvaluationStore` and of `TemplateVersionStore`. */
export const evaluationStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`EvaluationStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns the last evaluation unchanged, its slots in order",
      { before: TrailHistory.trailHistory, after: TrailHistory.trailHistory },
      ({ before, after }) =>
        Effect.gen(function* () {
          const store = yield* EvaluationStore
          const trail = yield* newTrail
          deepStrictEqual(yield* store.find(trail.org_id, trail.id), Option.none())
          for (const { template, events } of [before, after]) {
            const evidence = { template, ...TrailHistory.record(events) }
            const evaluation = evaluationOf(trail, evidence)
            yield* store.put(evaluation)
            const found = yield* store.find(trail.org_id, trail.id)
            deepStrictEqual(found, Option.some(evaluation))
            deepStrictEqual(
              Option.map(found, (one) => Object.keys(one.trail.artifacts_statuses)),
              Option.some(Object.keys(evaluation.trail.artifacts_statuses))
            )
          }
          const others = [trail.id, TrailId.make("nobody")]
          assert.strictEqual((yield* store.list(trail.org_id, others)).length, 1)
          deepStrictEqual(yield* store.list((yield* Fixture.org).id, [trail.id]), [])
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect.prop(
      "returns every version of a template by its id",
      { content: text, created_at: timestamp },
      ({ content, created_at }) =>
        Effect.gen(function* () {
          const store = yield* TemplateVersionStore
          const { id: org_id } = yield* Fixture.org
          const id = TemplateId.make(yield* Fixture.freshId)
          deepStrictEqual(yield* store.find(org_id, id), Option.none())
          const version = { org_id, id, content, created_at }
          yield* store.append(version)
          deepStrictEqual(yield* store.find(org_id, id), Option.some(version))
          deepStrictEqual(yield* store.find((yield* Fixture.org).id, id), Option.none())
        }),
      { fastCheck: { numRuns: 10 } }
    )
  })
