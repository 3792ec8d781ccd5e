/** Records what pipelines build. SPEC §4.3 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import { Flows } from "../flow/Flows.js"
import { Journals } from "../journal/Journals.js"
import { ArtifactId, type FlowName, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Staleness } from "../shared/Staleness.js"
import { Transaction } from "../shared/Transaction.js"
import type { Trail } from "../trail/Trail.js"
import { Trails } from "../trail/Trails.js"
import * as Artifact from "./Artifact.js"
import { ArtifactStore } from "./ArtifactStore.js"

/** Use cases of artifacts. */
export class Artifacts extends Effect.Service<Artifacts>()("@attestry/core/Artifacts", {
  effect: Effect.gen(function* () {
    const store = yield* ArtifactStore
    const flows = yield* Flows
    const trails = yield* Trails
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const staleness = yield* Staleness

    const append = (writer: Writer.Writer, trail: Trail, report: Artifact.ArtifactReport) =>
      Effect.gen(function* () {
        const id = ArtifactId.make(yield* ids.next)
        const { sequence } = yield* journals.record({
          ...writer,
          kind: "artifact_creation_reported",
          subject: { type: "trail", id: trail.id },
          content: { artifact_id: id, report }
        })
        yield* store.append({
          org_id: writer.org,
          id,
          flow_id: trail.flow_id,
          trail_id: trail.id,
          sequence,
          slot: Artifact.slotName(report),
          fingerprint: report.fingerprint,
          report,
          created_by: writer.actor.name,
          created_at: writer.at
        })
        yield* staleness.markRunning(writer.org, report.fingerprint)
      })

    /**
     * Records a report; the flow and the trail are created where they are not there. A report that says
     * what the newest record of its slot says already makes no new one. DECISION A-20, D1.7
     */
    const report = Effect.fn("Artifacts.report")(function* (
      org: OrgName,
      flowName: FlowName,
      body: Artifact.ArtifactReport
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "artifact.write")
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
          const writer = Writer.make(granted, now)
          const flow = yield* flows.ensure(writer, flowName)
          const trail = yield* trails.ensureLocked(writer, flow, { name: Artifact.trailName(body) })
          const newest = yield* store.findNewest({
            org: writer.org,
            trail: trail.id,
            slot: Artifact.slotName(body)
          })
          if (Option.exists(newest, (record) => Artifact.repeats(body, record))) {
            return "unchanged" as const
          }
          yield* append(writer, trail, body)
          return "created" as const
        })
      )
    })

    return { report } as const
  })
}) {}
