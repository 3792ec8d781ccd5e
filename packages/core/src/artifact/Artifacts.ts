/** Records what pipelines build. SPEC §4.3 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import { Journals } from "../journal/Journals.js"
import { ArtifactId, type FlowName, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as Span from "../shared/Span.js"
import { Transaction } from "../shared/Transaction.js"
import type { Trail } from "../trail/Trail.js"
import { TrailEvaluator } from "../trail/TrailEvaluator.js"
import { Trails } from "../trail/Trails.js"
import * as Artifact from "./Artifact.js"
import { ArtifactStore } from "./ArtifactStore.js"

/** Use cases of artifacts. */
export class Artifacts extends Effect.Service<Artifacts>()("@attestry/core/Artifacts", {
  effect: Effect.gen(function* () {
    const store = yield* ArtifactStore
    const trails = yield* Trails
    const evaluator = yield* TrailEvaluator
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator

    const append = (writer: Writer.Writer, trail: Trail, report: Artifact.ArtifactReport) =>
      Effect.gen(function* () {
        const id = ArtifactId.make(yield* ids.next)
        const { sequence } = yield* journals.record({
          ...writer,
          kind: "artifact_creation_reported",
          subject: { type: "trail", id: trail.id },
          content: { artifact_id: id, report }
        })
        const sha = Artifact.commitOf(report)
        const { git_commit_info, repo_info } = report
        const commit = git_commit_info ?? (sha === null ? undefined : { sha1: sha })
        const repo = yield* trails.note(writer, trail, {
          ...(commit === undefined ? {} : { git_commit_info: commit }),
          ...(repo_info === undefined ? {} : { repo_info })
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
          repo_id: repo ?? null,
          created_by: writer.actor.name,
          created_at: writer.at
        })
      })

    /** Whether the newest record of the slot says the same; one of another content cannot. */
    const isRepeat = (trail: Trail, report: Artifact.ArtifactReport) =>
      Effect.gen(function* () {
        const slot = Artifact.slotName(report)
        const facts = yield* store.listFacts(trail.org_id, trail.id)
        const newest = facts.filter((fact) => fact.slot === slot).at(-1)
        if (newest?.fingerprint !== report.fingerprint) return false
        const record = yield* store.findNewest({ org: trail.org_id, trail: trail.id, slot })
        return Option.exists(record, (known) => Artifact.repeats(report, known))
      })

    /**
     * Records a report; the flow and the trail are created where they are not there. A report that says
     * what the newest record of its slot says already makes no new one; it judges the trail anew when the
     * template has changed since. DECISION A-20, D1.7
     */
    const report = (org: OrgName, flowName: FlowName, body: Artifact.ArtifactReport) =>
      Span.within(
        "Artifacts.report",
        Effect.gen(function* () {
          const granted = yield* Access.authorize(yield* CurrentActor, org, "artifact.write")
          const path = { flow: flowName, name: Artifact.trailName(body) }
          const hold = trails.hold(granted.orgId, path, body)
          return yield* transaction.runAfter(granted.orgId, hold, (held, { now }) =>
            Effect.gen(function* () {
              const writer = Writer.make(granted, now)
              const { flow, trail } = yield* trails.ensure(writer, path, held)
              if (yield* isRepeat(trail, body)) {
                yield* evaluator.refresh({ writer, flow, trail })
                return "unchanged" as const
              }
              yield* append(writer, trail, body)
              yield* evaluator.evaluate({ writer, flow, trail })
              return "created" as const
            })
          )
        })
      )

    return { report } as const
  })
}) {}
