/** `HistoryStore` in memory: lists as they were written, and scans of the evidence. */
import { type Artifact, factOf } from "@attestry/core/Artifact"
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { TrailHistory } from "@attestry/core/FingerprintHistory"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { OrgId, TrailId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { attestations } from "../attestation/AttestationStoreMemory.js"
import { evaluations } from "../compliance/EvaluationsMemory.js"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { flows } from "../flow/FlowStoreMemory.js"
import { versions as templates } from "../flow/TemplateVersionsMemory.js"
import { key, MemoryState, type MemoryTable } from "../shared/MemoryState.js"
import { toTrailAttestation } from "../snapshot/ProvenanceStoreMemory.js"
import { trails } from "../trail/TrailStoreMemory.js"
import * as HistoryTables from "./HistoryTables.js"
import * as SnapshotRowHistoryMemory from "./SnapshotRowHistoryMemory.js"

const keyOfRef = ({ org, environment }: EnvironmentRef): string => key(org, environment)

/** `HistoryStore` in memory. */
export const layer: Layer.Layer<HistoryStore, never, MemoryState> = Layer.effect(
  HistoryStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const ofOrg = <V extends { readonly org_id: string }>(source: MemoryTable<V>, org: OrgId) =>
      Effect.map(state.read(source), (rows) =>
        Array.from(HashMap.values(rows)).filter(({ org_id }) => org_id === org)
      )

    const recordsOf = (org: OrgId) =>
      Effect.map(state.read(artifacts), (rows) =>
        Array.from(HashMap.values(rows))
          .flat()
          .filter(({ org_id }) => org_id === org)
      )

    const historyOf = (trail: Trail, records: ReadonlyArray<Artifact>) =>
      Effect.gen(function* () {
        const at = key(trail.org_id, trail.id)
        const evaluated = HashMap.get(yield* state.read(evaluations), at)
        if (evaluated._tag === "None") return []
        const { template_id, trail: standing } = evaluated.value
        const found = Array.from(HashMap.values(yield* state.read(attestations))).flat()
        const history: TrailHistory = {
          id: trail.id,
          flow_id: trail.flow_id,
          name: trail.name,
          evaluated: { template_id, status: standing.status },
          events: yield* HistoryTables.listOf(state, HistoryTables.trailEvents, at),
          artifacts: records
            .filter(({ trail_id }) => trail_id === trail.id)
            .map((record) => ({ ...factOf(record), at: record.created_at }))
            .sort((left, right) => left.sequence - right.sequence),
          attestations: found
            .filter(({ org_id, trail_id }) => org_id === trail.org_id && trail_id === trail.id)
            .map(toTrailAttestation)
            .sort((left, right) => left.sequence - right.sequence)
        }
        return [history]
      })

    const flowVersions: HistoryStore["Type"]["flowVersions"] = (org, flows) =>
      Effect.map(
        Effect.forEach(new Set(flows), (flow) =>
          Effect.map(
            HistoryTables.listOf(state, HistoryTables.flowVersions, key(org, flow)),
            (found) => [flow, found] as const
          )
        ),
        (found) => new Map(found.filter(([, list]) => list.length > 0))
      )

    const evidence = (org: OrgId, wanted: ReadonlySet<TrailId>) =>
      Effect.gen(function* () {
        const records = yield* recordsOf(org)
        const meant = (yield* ofOrg(trails, org)).filter(({ id }) => wanted.has(id))
        const found = (yield* Effect.forEach(meant, (trail) => historyOf(trail, records))).flat()
        return {
          trails: found,
          flows: yield* flowVersions(
            org,
            found.map(({ flow_id }) => flow_id)
          ),
          templates: new Map((yield* ofOrg(templates, org)).map(({ id, content }) => [id, content]))
        }
      })

    /** The ids of what has or had a name, of a table with lists of versions by org and id. */
    const named = <Id extends string, V extends { readonly name: string }>(
      source: MemoryTable<ReadonlyArray<V>>,
      { name, org }: { readonly org: OrgId; readonly name: string },
      ids: ReadonlyArray<Id>
    ) =>
      Effect.map(state.read(source), (rows) =>
        ids.filter((id) =>
          Option.exists(HashMap.get(rows, key(org, id)), (list) =>
            list.some((version) => version.name === name)
          )
        )
      )

    return HistoryStore.of({
      ...(yield* SnapshotRowHistoryMemory.make),
      horizon: () =>
        Effect.zipWith(
          HistoryTables.lastNumber(state),
          Clock.currentTimeNanos,
          (position, nanos) => ({
            position,
            at: Timestamp.fromMicros(Number(nanos / 1000n))
          })
        ),
      evaluations: (ref) => HistoryTables.listOf(state, HistoryTables.evaluations, keyOfRef(ref)),
      snapshots: (ref, indexes) =>
        Effect.map(
          HistoryTables.listOf(state, HistoryTables.snapshotEvaluations, keyOfRef(ref)),
          (all) => all.filter(({ index }) => indexes.includes(index))
        ),
      evidence: (org, of) =>
        Effect.gen(function* () {
          if ("trails" in of) return yield* evidence(org, new Set(of.trails))
          const wanted = new Set(of.fingerprints)
          const having = (yield* recordsOf(org)).filter((record) => wanted.has(record.fingerprint))
          return yield* evidence(org, new Set(having.map(({ trail_id }) => trail_id)))
        }),
      flowVersions,
      flowsNamed: (org, name) =>
        Effect.flatMap(ofOrg(flows, org), (all) =>
          named(
            HistoryTables.flowVersions,
            { org, name },
            all.map(({ id }) => id)
          )
        ),
      environmentsNamed: (org, name) =>
        Effect.flatMap(state.read(environments), (rows) =>
          named(
            HistoryTables.environmentVersions,
            { org, name },
            Array.from(HashMap.values(rows)).flatMap(({ environment: { id, org_id } }) =>
              org_id === org ? [id] : []
            )
          )
        ),
      environmentVersions: (ref) =>
        HistoryTables.listOf(state, HistoryTables.environmentVersions, keyOfRef(ref)),
      allowedPeriods: (ref) =>
        HistoryTables.listOf(state, HistoryTables.allowedPeriods, keyOfRef(ref)),
      attachments: (ref) => HistoryTables.listOf(state, HistoryTables.attachments, keyOfRef(ref))
    })
  })
)
