/** Port: the rows of snapshots as they were recorded, part by part. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Verdict } from "../shared/Verdict.js"
import type { RowDecision } from "../snapshot/RowDecision.js"
import type { Span } from "../snapshot/SnapshotRange.js"

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

/** Port: the rows of snapshots as they were recorded, part by part. */
export class SnapshotRowHistory extends Context.Tag("@attestry/core/SnapshotRowHistory")<
  SnapshotRowHistory,
  {
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
