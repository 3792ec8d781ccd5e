/** Trails as of an instant: the evidence, the status, the template and the events of then. SPEC §4.7 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { StoredEvaluation } from "../compliance/StoredEvaluation.js"
import { type TrailView, TrailViews } from "../compliance/TrailViews.js"
import { TemplateVersionStore } from "../flow/TemplateVersionStore.js"
import type { FlowName, OrgName, TrailName } from "../shared/Identifier.js"
import * as Knowledge from "../shared/Knowledge.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { TrailNotFound } from "../trail/Trail.js"
import * as AsOf from "./AsOf.js"
import * as FactTimeline from "./FactTimeline.js"
import { HistoryStore } from "./HistoryStore.js"
import * as PastNames from "./internal/PastNames.js"

/** A trail as of an instant. */
export interface PastTrail extends TrailView {
  readonly asOf: Timestamp
}

const missing = (what: string) =>
  new StoreError({ operation: "PastTrails.get", cause: new Error(`the ${what} is missing`) })

/** Use cases of trails as of an instant. */
export class PastTrails extends Effect.Service<PastTrails>()("@attestry/core/PastTrails", {
  effect: Effect.gen(function* () {
    const views = yield* TrailViews
    const history = yield* HistoryStore
    const versions = yield* TemplateVersionStore
    const names = yield* PastNames.make

    /** The evaluation that the trail had. */
    const evaluationAt = ({ trail, evaluation }: TrailView, knowledge: Knowledge.VisibilityBound) =>
      Effect.gen(function* () {
        const evidence = yield* history.trails(trail.org_id, [trail.id])
        const [past] = evidence.trails
        if (past === undefined) return yield* missing("trail")
        const visible = FactTimeline.visibleTrails(evidence)(past, knowledge)
        const { records, trail: status } = visible.evaluation()
        return {
          ...evaluation,
          template_id: visible.template,
          evaluated_at: visible.last?.at ?? trail.created_at,
          trail: status,
          records
        } satisfies StoredEvaluation
      })

    /** The trail of that name as it was known at an instant; fails when it was begun later. */
    const get = Effect.fn("PastTrails.get")(function* (
      org: OrgName,
      at: { readonly flow: FlowName; readonly trail: TrailName },
      asked: AsOf.AsOf
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { asOf, isPast } = yield* names.momentOf(orgId, asked)
      if (!isPast)
        return { ...(yield* views.get(org, at.flow, at.trail)), asOf } satisfies PastTrail
      const found = yield* Effect.catchTag(
        views.get(org, yield* names.flow(orgId, at.flow, asOf), at.trail),
        "TrailNotFound",
        () => new TrailNotFound({ org, ...at })
      )
      if (found.trail.created_at > asOf)
        return yield* new AsOf.NotYetThere({ noun: "Trail", name: at.trail, asOf })
      const evaluation = yield* evaluationAt(found, Knowledge.asOf(asOf))
      const template = yield* versions.find(orgId, evaluation.template_id)
      if (Option.isNone(template)) return yield* missing("template")
      const { flow, history: events } = found
      const called = yield* names.flowNames(orgId, [flow.id], asOf)
      return {
        ...found,
        flow: { ...flow, name: called.get(flow.id) ?? flow.name },
        evaluation,
        template: template.value,
        history: events.filter((entry) => entry.at <= asOf),
        asOf
      } satisfies PastTrail
    })

    return { get } as const
  })
}) {}
