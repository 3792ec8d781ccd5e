/** Records the artifacts that pipelines build. SPEC §4.3 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import { TrailEvaluator } from "../compliance/internal/TrailEvaluator.js"
import { Journals } from "../journal/Journals.js"
import type { Repo } from "../repo/Repo.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { ArtifactId, type FlowName, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as Span from "../shared/Span.js"
import { Transaction } from "../shared/Transaction.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import type { TrailEvent } from "../trail/internal/TrailEvent.js"
import { TrailListener } from "../trail/internal/TrailListener.js"
import type { Trail } from "../trail/Trail.js"
import { Trails } from "../trail/Trails.js"
import * as Artifact from "./Artifact.js"
import { ArtifactStore } from "./ArtifactStore.js"
import { ArtifactWatcher } from "./internal/ArtifactWatcher.js"
import * as Renewal from "./internal/Renewal.js"

/** A report to record, with its repository where that is known. */
interface Recording {
  readonly trail: Trail
  readonly report: Artifact.ArtifactReport
  readonly repo: Option.Option<Repo>
}

/** Use cases of artifacts. */
export class Artifacts extends Effect.Service<Artifacts>()("@attestry/core/Artifacts", {
  effect: Effect.gen(function* () {
    const store = yield* ArtifactStore
    const trails = yield* Trails
    const evaluator = yield* TrailEvaluator
    const listener = yield* TrailListener
    const watcher = yield* ArtifactWatcher
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const reaches = yield* Reaches

    const append = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      { trail, report, repo: known }: Recording
    ) {
      const id = ArtifactId.make(yield* ids.next)
      const printed = CanonicalJson.Printed.of(report)
      const { sequence } = yield* journals.record({
        org: writer.org,
        actor: writer.actor,
        at: writer.at,
        kind: "artifact_creation_reported",
        subject: { type: "trail", id: trail.id },
        content: { artifact_id: id, report: printed }
      })
      const sha = Artifact.commitOf(report)
      const repo = yield* trails.note(writer, trail, {
        links: {
          git_commit_info: report.git_commit_info ?? (sha === null ? null : { sha1: sha }),
          repo_info: report.repo_info ?? null
        },
        known
      })
      const artifact: Artifact.Artifact = {
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
      }
      yield* store.append(artifact)
      return artifact
    })

    const tell = (
      id: ArtifactId,
      report: Artifact.ArtifactReport,
      result: WriteOutcome["result"]
    ) => CurrentOutcome.setOutcomeOf("artifact", { id, name: Artifact.slotName(report) }, result)

    /** The newest record of the slot where the report is a retry of it; one of another fingerprint does not count. */
    const findRepeated = Effect.fnUntraced(function* (
      { trail, writer }: TrailEvent,
      report: Artifact.ArtifactReport
    ) {
      const slot = Artifact.slotName(report)
      const facts = yield* store.listFacts(trail.org_id, trail.id)
      const newest = facts.filter((fact) => fact.slot === slot).at(-1)
      if (newest?.fingerprint !== report.fingerprint) return Option.none()
      const record = yield* store.findNewest({ org: trail.org_id, trail: trail.id, slot })
      const repeated = Option.filter(record, (known) => Artifact.repeats(report, known))
      if (Option.isNone(repeated)) return repeated
      return (yield* Renewal.isRenewal(store, writer, repeated.value)) ? Option.none() : repeated
    })

    const reported = Effect.fnUntraced(function* (
      org: OrgName,
      flow: FlowName,
      body: Artifact.ArtifactReport
    ) {
      const granted = yield* reaches.authorize(org, "artifact.write")
      const path = { flow, name: Artifact.trailName(body), fingerprint: body.fingerprint }
      const repo = yield* trails.findRepo(granted.orgId, body)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const event = yield* trails.lockOrCreate(granted, path, scope)
          const repeated = yield* findRepeated(event, body)
          if (Option.isSome(repeated)) {
            yield* evaluator.refresh(event)
            yield* tell(repeated.value.id, body, "unchanged")
            return "unchanged" as const
          }
          const { id, sequence } = yield* append(event.writer, {
            trail: event.trail,
            report: body,
            repo
          })
          yield* evaluator.evaluate(event, sequence)
          const { fingerprint } = body
          yield* listener.stored(event, { _tag: "ArtifactReported", id, fingerprint }, sequence)
          yield* watcher.reported({ org, event, fingerprint })
          yield* tell(id, body, "created")
          return "created" as const
        })
      )
    })

    /**
     * Records a report, and creates the flow and the trail where they are absent. A report that equals the
     * newest record of its slot adds no record, and evaluates the trail only when the template has changed.
     * DECISIONS.md, "Retried writes converge"
     */
    const report = (org: OrgName, flowName: FlowName, body: Artifact.ArtifactReport) =>
      Span.withSpan("Artifacts.report", reported(org, flowName, body))

    return { report } as const
  })
}) {}
