/** Port: what flows know about fingerprints, and which fingerprints somebody must hear news about. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Artifact } from "../artifact/Artifact.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { RecordStatus } from "../compliance/ComplianceStatus.js"
import type { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import type { FlowId, FlowName, OrgId, TrailName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** The newest record of a fingerprint in a flow, with what surrounds it. */
export interface FlowRecord {
  readonly artifact: Artifact
  readonly flowName: FlowName
  /** How the record stood when its trail was last judged. */
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
    /** For each fingerprint the newest record in each flow that has any, in no particular order. */
    readonly records: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<ReadonlyArray<FlowRecord>, StoreError>
    /**
     * Waits for writers of evidence about these fingerprints, and keeps others waiting until the
     * transaction ends: what is read afterwards is complete, or its writer will see what this
     * transaction wrote.
     */
    readonly settle: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<void, StoreError>
    /** The names that flows have now; ids of no flow are left out. */
    readonly flowNames: (
      org: OrgId,
      flows: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyMap<FlowId, FlowName>, StoreError>
  }
>() {}
