/** The status, placements and history of an artifact as of an instant. SPEC §4.3 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Artifact } from "../../artifact/Artifact.js"
import type { Placement } from "../../artifact/Placement.js"
import * as ArtifactHistory from "../../compliance/internal/ArtifactHistory.js"
import { Journals } from "../../journal/Journals.js"
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { OrgId } from "../../shared/Identifier.js"
import { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { ReadModels } from "../../snapshot/ReadModels.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import type { ArtifactView } from "../ArtifactViews.js"
import * as FactTimeline from "../FactTimeline.js"
import { HistoryStore } from "../HistoryStore.js"
import * as NamesAsOf from "../NamesAsOf.js"
import { versionAt } from "./VersionAt.js"

/** The runs that had begun by an instant; a run that ended later is shown as running. */
const runsAt = ({ runs }: Placement, asOf: Timestamp): Placement["runs"] | undefined => {
  const begun = runs
    .filter(({ started }) => started.at <= asOf)
    .map((run) => (run.exited !== null && run.exited.at > asOf ? { ...run, exited: null } : run))
  return Arr.isNonEmptyReadonlyArray(begun) ? begun : undefined
}

/** Sorts placements by environment name. */
const byName = (left: Placement, right: Placement): number =>
  left.environmentName < right.environmentName ? -1 : 1

const missing = (what: string) =>
  new StoreError({ operation: "ArtifactViews.get", cause: new Error(`the ${what} is missing`) })

/** Makes the function that reads an artifact as of an instant. */
export const make = Effect.gen(function* () {
  const history = yield* HistoryStore
  const journals = yield* Journals
  const placements = yield* ReadModels
  const snapshots = yield* SnapshotStore
  const names = yield* NamesAsOf.make

  /** A placement as of an instant; empty before its first run. */
  const placementAt = (org: OrgId, placement: Placement, asOf: Timestamp) =>
    Effect.gen(function* () {
      const runs = runsAt(placement, asOf)
      if (runs === undefined) return []
      const ref = { org, environment: placement.environment }
      const version = versionAt(yield* history.environmentVersions(ref), asOf)
      return [
        {
          ...placement,
          environmentName: version?.name ?? placement.environmentName,
          isArchived: version !== undefined && version.archived_at !== null,
          currentIndex: yield* snapshots.indexAt(ref, asOf),
          runs
        }
      ]
    })

  /** The status of a record, by its trail's evidence at an instant. */
  const stateAt = ({ id, org_id: org, trail_id }: Artifact, asOf: Timestamp) =>
    Effect.gen(function* () {
      const evidence = yield* history.evidence(org, { trails: [trail_id] })
      const [trail] = evidence.trails
      if (trail === undefined) return yield* missing("trail")
      const visible = FactTimeline.visibleTrails(evidence)(trail, CommitPosition.asOf(asOf))
      const own = visible.evaluation().records.find(({ artifact_id }) => artifact_id === id)
      return own === undefined ? yield* missing("status") : own.status
    })

  /** Returns the flow name, status and history of an artifact at an instant. */
  return ({ artifact, flow }: Pick<ArtifactView, "artifact" | "flow">, asOf: Timestamp) =>
    Effect.gen(function* () {
      const { org_id: org, fingerprint, flow_id, trail_id } = artifact
      const called = yield* names.flowNames(org, [flow_id], asOf)
      const histories = yield* journals.histories(org, { type: "trail", ids: [trail_id] })
      const entries = histories.get(trail_id)
      if (entries === undefined) return yield* missing("history")
      const where = yield* Effect.forEach(
        yield* placements.placements(org, [fingerprint]),
        (placement) => placementAt(org, placement, asOf)
      )
      return {
        flow: called.get(flow_id) ?? flow,
        state: yield* stateAt(artifact, asOf),
        ...ArtifactHistory.of(
          artifact,
          entries.filter(({ at }) => at <= asOf),
          where.flat().sort(byName)
        )
      }
    })
})
