/**
 * Evaluates a trail after each event on it.
 *
 * Runs in the transaction of the event, under the trail's lock: an evaluation sees every earlier report and no
 * later one.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import type { Flow } from "../../flow/Flow.js"
import * as FlowTemplate from "../../flow/FlowTemplate.js"
import { Journals } from "../../journal/Journals.js"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { TemplateId } from "../../shared/Identifier.js"
import { Invalidation } from "../../shared/Invalidation.js"
import type { TrailEvent } from "../../trail/internal/TrailEvent.js"
import type { Trail } from "../../trail/Trail.js"
import { TrailStore } from "../../trail/TrailStore.js"
import * as TrailCompliance from "../TrailCompliance.js"

/** The template of a trail: its own, or else the flow's current one. */
const inForce = (
  flow: Flow,
  trail: Trail
): { readonly id: TemplateId; readonly content: string } =>
  trail.template === null || trail.template_id === null
    ? { id: flow.template_id, content: flow.template }
    : { id: trail.template_id, content: trail.template }

/** The number of parsed templates in the cache. */
const CACHED_MAX = 1_000

/** Parses templates, each version once while it is in the cache. */
const makeReader = () => {
  const parsed = BoundedCache.make<FlowTemplate.FlowTemplate>(CACHED_MAX)
  return ({ id, content }: ReturnType<typeof inForce>): Effect.Effect<FlowTemplate.FlowTemplate> =>
    Effect.suspend(() => {
      const known = parsed.get(id)
      if (known !== undefined) return Effect.succeed(known)
      const template = FlowTemplate.parse(content)
      // WHY a defect: only text that parses is ever stored; anything else is a bug or a damaged disk.
      if (Either.isLeft(template)) return Effect.die(template.left)
      return Effect.succeed(parsed.set(id, template.right))
    })
}

/** Evaluates trails. Runs inside the transaction of the event, which holds the trail's lock. */
export class TrailEvaluator extends Effect.Service<TrailEvaluator>()(
  "@attestry/core/TrailEvaluator",
  {
    effect: Effect.gen(function* () {
      const artifacts = yield* ArtifactStore
      const attestations = yield* AttestationStore
      const store = yield* TrailStore
      const journals = yield* Journals
      const invalidation = yield* Invalidation
      const read = makeReader()

      /**
       * Evaluates the trail by its current template, and stores the result; `sequence` is the number of the event's
       * entry in the journal.
       */
      const evaluate = Effect.fnUntraced(function* (
        { writer, flow, trail }: TrailEvent,
        sequence: number
      ) {
        const version = inForce(flow, trail)
        const facts = yield* artifacts.listFacts(writer.org, trail.id)
        const evaluation = TrailCompliance.evaluate({
          template: yield* read(version),
          artifacts: facts,
          attestations: yield* attestations.listFacts(writer.org, trail.id)
        })
        yield* store.putEvaluation({
          org_id: writer.org,
          trail_id: trail.id,
          flow_id: trail.flow_id,
          template_id: version.id,
          evaluated_at: writer.at,
          trail: evaluation.trail,
          records: evaluation.records
        })
        yield* invalidation.invalidateRunning(
          writer.org,
          facts.map(({ fingerprint }) => fingerprint),
          {
            trail_id: trail.id,
            sequence,
            template_id: version.id,
            status: evaluation.trail.status,
            at: writer.at
          }
        )
      })

      /** As `evaluate`, only when the last evaluation used another template. */
      const refresh = Effect.fnUntraced(function* (event: TrailEvent) {
        const { writer, flow, trail } = event
        const last = yield* store.findEvaluation(writer.org, trail.id)
        const { id } = inForce(flow, trail)
        if (Option.exists(last, ({ template_id }) => template_id === id)) return
        const { sequence } = yield* journals.record({
          ...writer,
          kind: "trail_evaluated",
          subject: { type: "trail", id: trail.id },
          content: { template_id: id }
        })
        yield* evaluate(event, sequence)
      })

      return { evaluate, refresh } as const
    })
  }
) {}
