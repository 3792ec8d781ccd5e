/** Artifacts as of an instant: the record, the status, the places and the history of then. SPEC §4.3 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { Artifact } from "../artifact/Artifact.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { Placement } from "../artifact/Placement.js"
import { PlacementStore } from "../artifact/PlacementStore.js"
import { type ArtifactView, ArtifactViews } from "../compliance/ArtifactViews.js"
import * as ArtifactHistory from "../compliance/internal/ArtifactHistory.js"
import { Journals } from "../journal/Journals.js"
import type { ArtifactId, FlowName, OrgId, OrgName, TrailName } from "../shared/Identifier.js"
import * as Knowledge from "../shared/Knowledge.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import * as AsOf from "./AsOf.js"
import * as FactTimeline from "./FactTimeline.js"
import { HistoryStore } from "./HistoryStore.js"
import * as PastNames from "./internal/PastNames.js"
import { versionAt } from "./internal/VersionAt.js"

/** An artifact as of an instant. */
export interface PastArtifact extends ArtifactView {
  readonly asOf: Timestamp
}

/** The runs that had begun by an instant; those that had not ended then go on. */
const runsAt = ({ runs }: Placement, asOf: Timestamp): Placement["runs"] | undefined => {
  const begun = runs
    .filter(({ started }) => started.at <= asOf)
    .map((run) => (run.exited !== null && run.exited.at > asOf ? { ...run, exited: null } : run))
  return Arr.isNonEmptyReadonlyArray(begun) ? begun : undefined
}

/** The order in which places are listed. */
const byName = (left: Placement, right: Placement): number =>
  left.environmentName < right.environmentName ? -1 : 1

const missing = (what: string) =>
  new StoreError({ operation: "PastArtifacts.get", cause: new Error(`the ${what} is missing`) })

/** Use cases of artifacts as of an instant. */
export class PastArtifacts extends Effect.Service<PastArtifacts>()("@attestry/core/PastArtifacts", {
  effect: Effect.gen(function* () {
    const views = yield* ArtifactViews
    const artifacts = yield* ArtifactStore
    const history = yield* HistoryStore
    const journals = yield* Journals
    const placements = yield* PlacementStore
    const snapshots = yield* SnapshotStore
    const names = yield* PastNames.make

    /** A place of the artifact as of an instant; none where it had not run yet. */
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

    /** The status of a record by the evidence of its trail at an instant. */
    const stateAt = ({ id, org_id: org, trail_id }: Artifact, asOf: Timestamp) =>
      Effect.gen(function* () {
        const evidence = yield* history.trails(org, [trail_id])
        const [past] = evidence.trails
        if (past === undefined) return yield* missing("trail")
        const visible = FactTimeline.visibleTrails(evidence)(past, Knowledge.asOf(asOf))
        const own = visible.evaluation().records.find(({ artifact_id }) => artifact_id === id)
        return own === undefined ? yield* missing("status") : own.status
      })

    const viewAt = ({ artifact, flow, trail }: ArtifactView, asOf: Timestamp) =>
      Effect.gen(function* () {
        const { org_id: org, fingerprint, flow_id, trail_id } = artifact
        const called = yield* names.flowNames(org, [flow_id], asOf)
        const told = yield* journals.histories(org, { type: "trail", ids: [trail_id] })
        const entries = told.get(trail_id)
        if (entries === undefined) return yield* missing("history")
        const where = yield* Effect.forEach(
          yield* placements.list(org, [fingerprint]),
          (placement) => placementAt(org, placement, asOf)
        )
        return {
          ...{ artifact, flow: called.get(flow_id) ?? flow, trail },
          ...{ state: yield* stateAt(artifact, asOf), asOf },
          ...ArtifactHistory.of(
            artifact,
            entries.filter(({ at }) => at <= asOf),
            where.flat().sort(byName)
          )
        } satisfies PastArtifact
      })

    /** The record of an id, or the newest one of then, of the fingerprint that a prefix resolves to in a flow. */
    const get = Effect.fn("PastArtifacts.get")(function* (
      at: {
        readonly org: OrgName
        readonly flow: FlowName
        readonly trail?: TrailName | undefined
      },
      of: { readonly prefix: FingerprintPrefix; readonly id?: ArtifactId | undefined },
      asked: AsOf.AsOf
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, at.org, "org.read")
      const { asOf, isPast } = yield* names.momentOf(orgId, asked)
      if (!isPast) return { ...(yield* views.get(at, of)), asOf } satisfies PastArtifact
      const place = { ...at, flow: yield* names.flow(orgId, at.flow, asOf) }
      const now = yield* views.get(place, of)
      const { flow_id: flow, fingerprint, trail_id } = now.artifact
      const inTrail = at.trail === undefined ? {} : { trail: trail_id }
      const records = yield* artifacts.listByContent({
        ...{ org: orgId, flow, fingerprint },
        ...inTrail
      })
      const then = records.find(
        ({ id, created_at }) => created_at <= asOf && (of.id === undefined || id === of.id)
      )
      if (then === undefined)
        return yield* new AsOf.NotYetThere({ noun: "Artifact", name: fingerprint, asOf })
      const view =
        then.id === now.artifact.id ? now : yield* views.get(place, { ...of, id: then.id })
      return yield* viewAt(view, asOf)
    })

    return { get } as const
  })
}) {}
