/** Port: the history of evidence and settings, the times of evaluations, and recorded rows of snapshots. SPEC §3.21 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fingerprint, ReportedFingerprint } from "../artifact/Fingerprint.js"
import type { Environment, EnvironmentRef } from "../environment/Environment.js"
import type { PolicyMode } from "../policy/PolicyMode.js"
import type { CommitPosition } from "../shared/CommitPosition.js"
import type {
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  OrgId,
  PolicyId,
  TrailId
} from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import type { RowDecision } from "../snapshot/RowDecision.js"
import type { Span } from "../snapshot/SnapshotRange.js"
import type { Evaluation } from "./EvaluationTimeline.js"
import type { EvidenceHistory, FlowVersion } from "./FingerprintHistory.js"
import type { ValidityPeriod } from "./ValidityPeriod.js"

/** A period in which a fingerprint was on the allow-list of an environment with one reason and one end. */
export interface AllowedPeriod extends ValidityPeriod {
  /** The end that the entry had; null for an entry without one. */
  readonly expires_at: Timestamp | null
  readonly fingerprint: Fingerprint
  readonly name: string
  readonly reason: string
  readonly created_by: string
}

/** A period in which a policy was attached to an environment in one mode. */
export interface PolicyAttachment extends ValidityPeriod {
  readonly policy_id: PolicyId
  readonly mode: PolicyMode
}

/** The settings of an environment that verdicts and reports depend on, from one change until the next. */
export interface EnvironmentVersion
  extends CommitPosition,
    Pick<
      Environment,
      | "name"
      | "include_scaling"
      | "require_provenance"
      | "included"
      | "tags"
      | "archived_at"
      | "report_every"
      | "when_silent"
    > {}

/** A snapshot as an evaluation of the rows that started in it, and the semantics of rules that it used. */
export interface SnapshotEvaluation extends Evaluation {
  readonly semantics: number
}

/** Trails, or the trails that have a record of one of the fingerprints. */
export type EvidenceSubject =
  | { readonly trails: ReadonlyArray<TrailId> }
  | { readonly fingerprints: ReadonlyArray<Fingerprint> }

/** A row in consecutive snapshots with one verdict and the same decisions. */
export interface RecordedRow {
  readonly name: string
  readonly fingerprint: ReportedFingerprint
  readonly firstIndex: number
  readonly lastIndex: number
  /** The snapshot in which the row started, or in which its provenance became known. */
  readonly startedIndex: number
  readonly verdict: Verdict
  readonly decisions: ReadonlyArray<RowDecision>
}

/** The members of a logical environment in one of its snapshots: the index of the snapshot of each. */
export interface MemberIndexes {
  readonly index: number
  readonly members: ReadonlyMap<EnvironmentId, number>
}

/** Port: the history of evidence and settings, the times of evaluations, and recorded rows of snapshots. */
export class HistoryStore extends Context.Tag("@attestry/core/HistoryStore")<
  HistoryStore,
  {
    /** The highest commit position so far, and the clock; later writes have higher positions. */
    readonly horizon: (org: OrgId) => Effect.Effect<CommitPosition, StoreError>
    /** The evaluations of all rows of an environment, oldest first, with and without a snapshot. */
    readonly evaluations: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<Evaluation>, StoreError>
    /** The snapshots of these indexes as evaluations, in any order; absent ones are left out. */
    readonly snapshots: (
      ref: EnvironmentRef,
      indexes: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SnapshotEvaluation>, StoreError>
    /** All evidence of trails, and the versions of their flows; unknown trails are left out. */
    readonly evidence: (
      org: OrgId,
      of: EvidenceSubject
    ) => Effect.Effect<EvidenceHistory, StoreError>
    /** The versions of flows, each flow's oldest first; an unknown flow has none. */
    readonly flowVersions: (
      org: OrgId,
      flows: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyMap<FlowId, ReadonlyArray<FlowVersion>>, StoreError>
    /** The flows that have or had a name, in any order. */
    readonly flowsNamed: (
      org: OrgId,
      name: FlowName
    ) => Effect.Effect<ReadonlyArray<FlowId>, StoreError>
    /** The environments that have or had a name, archived or not, in any order. */
    readonly environmentsNamed: (
      org: OrgId,
      name: EnvironmentName
    ) => Effect.Effect<ReadonlyArray<EnvironmentId>, StoreError>
    /** The versions of the settings of an environment, oldest first; an unknown one has none. */
    readonly environmentVersions: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<EnvironmentVersion>, StoreError>
    /** The periods of an environment's allow-list, in the order in which they began. */
    readonly allowedPeriods: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<AllowedPeriod>, StoreError>
    /** The periods of an environment's policies, in the order in which they began. */
    readonly attachments: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<PolicyAttachment>, StoreError>
    /**
     * Cuts a span of snapshots of a physical environment into parts that are read at once, oldest first and without
     * gaps; none for a span without snapshots. A part stays the same while snapshots are appended, but for the last.
     */
    readonly rowParts: (
      ref: EnvironmentRef,
      span: Span
    ) => Effect.Effect<ReadonlyArray<Span>, StoreError>
    /**
     * The rows of the snapshots of a span, by name, fingerprint and first index, cut at its ends. A row that goes on
     * unchanged may be several consecutive rows.
     */
    readonly recordedRows: (
      ref: EnvironmentRef,
      span: Span
    ) => Effect.Effect<ReadonlyArray<RecordedRow>, StoreError>
    /**
     * The members of a logical environment in the snapshots of a span, oldest first; absent indexes are left out, and
     * the snapshots of a physical environment have no members.
     */
    readonly memberIndexes: (
      ref: EnvironmentRef,
      span: Span
    ) => Effect.Effect<ReadonlyArray<MemberIndexes>, StoreError>
  }
>() {}
