/** Port: the snapshots of environments; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint, ReportedFingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentId, FlowId, SlotName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Predecessor } from "./FlowView.js"
import type {
  RowChanges,
  RowEvent,
  Snapshot,
  SnapshotHead,
  SnapshotMember,
  SnapshotRow
} from "./Snapshot.js"
import type { SnapshotAnnotation } from "./SnapshotAnnotation.js"
import type { Locator } from "./SnapshotExpression.js"
import type { Span } from "./SnapshotRange.js"
import type { VerdictRun } from "./VerdictRuns.js"

/** A snapshot to append: its head, the changes of rows, and the events. */
export interface SnapshotDraft extends SnapshotHead, RowChanges {
  /** One for each row that is not `unchanged`, exited rows included, in the order of the log. */
  readonly events: ReadonlyArray<RowEvent>
  /** Whether all rows were evaluated, and not only those that started. */
  readonly evaluated_all: boolean
  /** The meaning of rules under which rows were evaluated. */
  readonly semantics: number
  /** Present if time alone is the cause, so that only evidence accepted by its instant counts. */
  readonly is_decay?: true
}

/** A snapshot of a logical environment to append. */
export interface LogicalDraft extends SnapshotHead {
  readonly members: ReadonlyArray<SnapshotMember>
  /** The meaning of rules under which the environment's own policies evaluated. */
  readonly semantics: number
  /** Present if time alone is the cause, so that only evidence accepted by its instant counts. */
  readonly is_decay?: true
}

/** An evaluation of all rows that changed nothing: its instant, and the index of the latest snapshot. */
export interface UnchangedEvaluation {
  readonly at: Timestamp
  readonly index: number
  /** Present if time alone is the cause, so that only evidence accepted by its instant counts. */
  readonly is_decay?: true
}

/** A head, and the instant of the next snapshot. */
export interface ListedHead extends SnapshotHead {
  readonly next_timestamp: Timestamp | null
}

/** The newest snapshot of an environment, and its verdicts of late. */
export interface RecentVerdicts {
  readonly latest: Omit<SnapshotHead, "policies">
  /** The instant since which every snapshot has the verdict of the newest. */
  readonly verdictSince: Timestamp
  /** The verdicts since an instant, oldest first; the first is the one in force at it, if there was one. */
  readonly runs: ReadonlyArray<VerdictRun>
}

/** The position of an event in the log: its snapshot, and its position there. */
export interface EventPosition {
  readonly index: number
  readonly position: number
}

/** One event of the log with its row. */
export interface StoredEvent extends EventPosition {
  readonly timestamp: Timestamp
  readonly snapshotVerdict: SnapshotHead["verdict"]
  readonly annotation: SnapshotAnnotation
  readonly arrived: boolean
  readonly row: SnapshotRow
}

/** A part of the log. */
export interface EventQuery {
  readonly span: Span
  /** The number of events of the span to skip at the beginning. */
  readonly skip: number
  /** Only events after this position, in the direction of reading. */
  readonly after: Option.Option<EventPosition>
  readonly limit: number
  readonly newestFirst: boolean
}

/** A flow and slot of an environment before a snapshot. */
export interface StartKey {
  readonly flow: FlowId
  readonly slot: SlotName
  readonly fingerprint: Fingerprint
  readonly before: number
}

/** Running rows of one environment with the same verdict and the same decisions. */
export interface EvaluatedRows extends Pick<SnapshotRow, "verdict" | "decisions"> {
  readonly environment: EnvironmentId
  readonly rows: number
}

/** Port: the snapshots of environments. */
export class SnapshotStore extends Context.Tag("@attestry/core/SnapshotStore")<
  SnapshotStore,
  {
    /** The newest snapshot without its rows; none before the first. */
    readonly latest: (ref: EnvironmentRef) => Effect.Effect<Option.Option<SnapshotHead>, StoreError>
    /** The running rows of the newest snapshot, in any order; empty before the first. */
    readonly running: (ref: EnvironmentRef) => Effect.Effect<ReadonlyArray<SnapshotRow>, StoreError>
    /**
     * The snapshot with that index, or the newest whose instant is not after the given one; none when there is none.
     * With `only`, its rows are those of these fingerprints; everything else is as without.
     */
    readonly find: (
      ref: EnvironmentRef,
      locator: Locator,
      only?: ReadonlyArray<ReportedFingerprint>
    ) => Effect.Effect<Option.Option<Snapshot>, StoreError>
    /** The heads of a span of snapshots, newest first; absent indexes are left out. */
    readonly heads: (
      ref: EnvironmentRef,
      span: Span
    ) => Effect.Effect<ReadonlyArray<ListedHead>, StoreError>
    /** The highest index whose instant is not after this one; 0 when there is none. */
    readonly indexAt: (ref: EnvironmentRef, instant: Timestamp) => Effect.Effect<number, StoreError>
    /**
     * Records that all rows of an environment were evaluated and nothing changed. The caller holds the environment's
     * lock. Part of the caller's transaction.
     */
    readonly recordUnchangedEvaluation: (
      ref: EnvironmentRef,
      evaluation: UnchangedEvaluation
    ) => Effect.Effect<void, StoreError>
    /**
     * Appends a snapshot with a commit position, which is drawn after the last lock. The caller holds the
     * environment's lock and gives the index after the latest; fails when the index exists.
     */
    readonly append: (ref: EnvironmentRef, draft: SnapshotDraft) => Effect.Effect<void, StoreError>
    /**
     * Appends a snapshot of a logical environment, which has no rows of its own. Its events are
     * `LogicalRows.events` of the members before and now. It is an evaluation of all rows. The caller holds the
     * environment's lock and gives the index after the latest; fails when the index exists.
     */
    readonly appendLogical: (
      ref: EnvironmentRef,
      draft: LogicalDraft
    ) => Effect.Effect<void, StoreError>
    /**
     * A part of the event log, at most `limit` events, in the direction of the query. The events of a logical
     * environment have the rows of its members.
     */
    readonly events: (
      ref: EnvironmentRef,
      query: EventQuery
    ) => Effect.Effect<ReadonlyArray<StoredEvent>, StoreError>
    /** The number of events of a span of snapshots that exist. */
    readonly countEvents: (ref: EnvironmentRef, span: Span) => Effect.Effect<number, StoreError>
    /**
     * For each key, in order: the row of another fingerprint that last started in that flow and slot before
     * that snapshot, with its flow view of that time; of several in one snapshot the first by name. None when
     * there is none.
     */
    readonly predecessors: (
      ref: EnvironmentRef,
      keys: ReadonlyArray<StartKey>
    ) => Effect.Effect<ReadonlyArray<Option.Option<Predecessor>>, StoreError>
  }
>() {}
