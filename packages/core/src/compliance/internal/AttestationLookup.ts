/** Finds flows and trails by name, and gives attestations the names of theirs. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { GrantedWithin } from "../../access/Reaches.js"
import { type Artifact, commitOf } from "../../artifact/Artifact.js"
import * as ArtifactLookup from "../../artifact/ArtifactLookup.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import type { FingerprintPrefix } from "../../artifact/Fingerprint.js"
import type { Attestation } from "../../attestation/Attestation.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import type { TrailPath } from "../../attestation/Attestations.js"
import { FlowStore } from "../../flow/FlowStore.js"
import * as ReadableFlows from "../../flow/internal/ReadableFlows.js"
import { beside, show } from "../../shared/DamagedRecords.js"
import type { FlowName, OrgId, OrgName, TrailName } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { TrailNotFound } from "../../trail/Trail.js"
import { TrailStore } from "../../trail/TrailStore.js"
import * as AttestationBinding from "../AttestationBinding.js"

/** An attestation with the names of its flow and trail. */
export interface AttestationView {
  readonly attestation: Attestation
  readonly flow: FlowName
  readonly trail: TrailName
}

/** A prefix with more fingerprints than this is cut off here. */
const MATCHES_MAX = 1_000

const asRecord = ({ sequence, id, slot, fingerprint, report }: Artifact) => ({
  sequence,
  id,
  slot,
  fingerprint,
  commit: commitOf(report)
})

/** The lookups, on the stores of flows and trails. */
export const make = Effect.gen(function* () {
  const flows = yield* FlowStore
  const readable = yield* ReadableFlows.make
  const trails = yield* TrailStore
  const artifacts = yield* ArtifactStore
  const attestations = yield* AttestationStore

  const findTrail = (granted: GrantedWithin, at: TrailPath) =>
    Effect.flatMap(readable.find(granted, at.flow), (flow) =>
      Effect.flatMap(
        trails.findByName({ org: granted.orgId, flow: flow.id, name: at.trail }),
        Either.fromOption(() => new TrailNotFound({ ...at }))
      )
    )

  /** The records of an artifact in a flow, newest first. */
  const recordsOf = (
    granted: GrantedWithin,
    at: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: FingerprintPrefix }
  ) =>
    Effect.gen(function* () {
      const { orgId } = granted
      const flow = yield* readable.find(granted, at.flow)
      const matches = yield* artifacts.matchFingerprints({
        org: orgId,
        flow: flow.id,
        prefix: at.prefix,
        limit: MATCHES_MAX
      })
      const fingerprint = yield* ArtifactLookup.resolve(at, matches)
      const records = yield* artifacts.listByContent({ org: orgId, flow: flow.id, fingerprint })
      return { fingerprint, records }
    })

  /** The attestations of a name that count for one of the records, newest first; accepted by an instant, if given. */
  const boundTo = (
    records: ReadonlyArray<Artifact>,
    { name, until }: { readonly name: string; readonly until?: Timestamp }
  ) =>
    Effect.gen(function* () {
      const trailsOf = Arr.groupBy(records, ({ trail_id }) => trail_id)
      const found = yield* Effect.forEach(Object.values(trailsOf), (ofTrail) => {
        const { org_id: org, trail_id: trail } = Arr.headNonEmpty(ofTrail)
        return Effect.map(attestations.listByName({ org, trail, name }), (all) => {
          const { bound } = AttestationBinding.make(
            all.filter(({ created_at }) => until === undefined || created_at <= until)
          )
          return ofTrail.flatMap((record) => bound(asRecord(record)))
        })
      })
      return [...new Set(found.flat())].sort((left, right) => right.sequence - left.sequence)
    })

  /** The attestations with the current names of their flows and trails. */
  const named = (orgId: OrgId, found: ReadonlyArray<Attestation>) =>
    Effect.gen(function* () {
      if (found.length === 0) return []
      const flowsById = new Map(
        (yield* beside(flows.listByIds(orgId, [...new Set(found.map((one) => one.flow_id))]))).map(
          (flow) => [flow.id, flow.name] as const
        )
      )
      const trailsById = new Map(
        (yield* beside(
          trails.listByIds(orgId, [...new Set(found.map((one) => one.trail_id))])
        )).map((trail) => [trail.id, trail.name] as const)
      )
      return yield* show(found, (attestation): AttestationView | undefined => {
        const flow = flowsById.get(attestation.flow_id)
        const trail = trailsById.get(attestation.trail_id)
        return flow && trail && { attestation, flow, trail }
      })
    })

  return { findFlow: readable.find, findTrail, recordsOf, boundTo, named } as const
})
