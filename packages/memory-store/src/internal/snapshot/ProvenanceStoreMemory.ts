/** `ProvenanceStore` in memory: scans every record. A transaction is the only writer. */
import type { Artifact } from "@attestry/core/Artifact"
import { type Attestation, factOf } from "@attestry/core/Attestation"
import * as AttestationFacts from "@attestry/core/AttestationFacts"
import { type FlowRecord, ProvenanceStore } from "@attestry/core/ProvenanceStore"
import type { TrailAttestation } from "@attestry/core/RowFacts"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { attestations } from "../attestation/AttestationStoreMemory.js"
import { evaluations } from "../compliance/EvaluationsMemory.js"
import { flows } from "../flow/FlowStoreMemory.js"
import { MemoryState, type MemoryTable } from "../shared/MemoryState.js"
import { trails } from "../trail/TrailStoreMemory.js"

const bySequence = (left: Artifact, right: Artifact): number => left.sequence - right.sequence

const groupBy = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string): ReadonlyArray<Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? []
    group.push(row)
    groups.set(keyOf(row), group)
  }
  return [...groups.values()]
}

/** The fields of an attestation that policies depend on. */
export const toTrailAttestation = (attestation: Attestation): TrailAttestation => {
  const { body, created_at, isOverride, trail_id, type } = attestation
  const control = Object.hasOwn(body, "control") ? body.control : null
  return {
    ...factOf(attestation),
    trail_id,
    at: created_at,
    control: type === "decision" && !isOverride && typeof control === "string" ? control : null,
    policy_facts: attestation.policy_facts
  }
}

/** `ProvenanceStore` in memory. */
export const layer: Layer.Layer<ProvenanceStore, never, MemoryState> = Layer.effect(
  ProvenanceStore,
  Effect.map(MemoryState, (state) => {
    const rowsOf = <V extends { readonly org_id: string }>(source: MemoryTable<V>, org: string) =>
      Effect.map(state.read(source), (rows) =>
        Array.from(HashMap.values(rows)).filter(({ org_id }) => org_id === org)
      )

    const recordsOf = (org: string) =>
      Effect.map(state.read(artifacts), (trails) =>
        Array.from(HashMap.values(trails))
          .flat()
          .filter(({ org_id }) => org_id === org)
      )

    return ProvenanceStore.of({
      records: (org, fingerprints) =>
        Effect.gen(function* () {
          const wanted = new Set(fingerprints)
          const records = (yield* recordsOf(org)).filter((record) => wanted.has(record.fingerprint))
          const flowOf = new Map((yield* rowsOf(flows, org)).map((flow) => [flow.id, flow]))
          const trailOf = new Map((yield* rowsOf(trails, org)).map((trail) => [trail.id, trail]))
          const standingOf = new Map(
            (yield* rowsOf(evaluations, org)).flatMap((evaluation) =>
              evaluation.records.map((record) => [record.artifact_id, record])
            )
          )
          return groupBy(records, (record) => `${record.fingerprint} ${record.flow_id}`).flatMap(
            (group): ReadonlyArray<FlowRecord> => {
              const [first, ...rest] = group.sort(bySequence)
              const artifact = rest.at(-1) ?? first
              const flow = artifact === undefined ? undefined : flowOf.get(artifact.flow_id)
              const trail = artifact === undefined ? undefined : trailOf.get(artifact.trail_id)
              const standing = artifact === undefined ? undefined : standingOf.get(artifact.id)
              return first === undefined ||
                artifact === undefined ||
                flow === undefined ||
                trail === undefined ||
                standing === undefined
                ? []
                : [
                    {
                      artifact,
                      flowName: flow.name,
                      flowTags: flow.tags,
                      standing,
                      trailName: trail.name,
                      trailCommit: trail.git_commit_info,
                      trailRepo: trail.repo_info,
                      firstSequence: first.sequence,
                      firstReportedAt: first.created_at
                    }
                  ]
            }
          )
        }),
      attestations: (org, wanted, { withFacts, withPurls }) =>
        Effect.map(state.read(attestations), (trails) =>
          Array.from(HashMap.values(trails))
            .flat()
            .filter(({ org_id, trail_id }) => org_id === org && wanted.includes(trail_id))
            .map((attestation) => {
              const { policy_facts, ...rest } = toTrailAttestation(attestation)
              if (!withFacts) return rest
              const asked = policy_facts ?? null
              return {
                ...rest,
                policy_facts:
                  asked === null || withPurls ? asked : AttestationFacts.withoutPurls(asked)
              }
            })
        ),
      flowNames: (org, ids) =>
        Effect.map(
          rowsOf(flows, org),
          (all) =>
            new Map(all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]))
        )
    })
  })
)
