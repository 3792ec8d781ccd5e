/** Port: the evidence of flows about fingerprints. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Artifact } from "../artifact/Artifact.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { RecordStatus } from "../compliance/ComplianceStatus.js"
import type { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import type { FlowId, FlowName, OrgId, TrailId, TrailName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Tags } from "../shared/Tags.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TrailAttestation } from "./RowFacts.js"

/** The newest record of a fingerprint in a flow, with its flow, trail and repository. */
export interface FlowRecord {
  readonly artifact: Artifact
  readonly flowName: FlowName
  readonly flowTags: Tags
  /** The status of the record at the last evaluation of its trail. */
  readonly standing: RecordStatus
  readonly trailName: TrailName
  readonly trailCommit: GitCommitInfo | null
  readonly trailRepo: RepoInfo | null
  /** Sequence number and instant of the first record of the fingerprint in the flow. */
  readonly firstSequence: number
  readonly firstReportedAt: Timestamp
}

/** Port: what flows know about fingerprints. */
export class ProvenanceStore extends Context.Tag("@attestry/core/ProvenanceStore")<
  ProvenanceStore,
  {
    /**
     * For each fingerprint the newest record in each flow that has one, in any order. For the fingerprints of
     * `arriving`, waits for concurrent writers of evidence about them and locks them until the transaction
     * ends: the result has the evidence of a concurrent writer, or `Invalidation.invalidateRunning` of that writer sees
     * what this transaction writes.
     */
    readonly records: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      arriving: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<ReadonlyArray<FlowRecord>, StoreError>
    /**
     * Every attestation of these trails, as far as policies depend on it, in any order; with what they ask about only
     * where that is wanted, and with the list of purls, which is long, only where that is wanted too.
     */
    readonly attestations: (
      org: OrgId,
      trails: ReadonlyArray<TrailId>,
      wanted: { readonly withFacts: boolean; readonly withPurls: boolean }
    ) => Effect.Effect<ReadonlyArray<TrailAttestation>, StoreError>
    /** The current names of flows; unknown ids are left out. */
    readonly flowNames: (
      org: OrgId,
      flows: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyMap<FlowId, FlowName>, StoreError>
  }
>() {}
