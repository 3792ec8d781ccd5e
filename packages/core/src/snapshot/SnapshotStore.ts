/** Port: the snapshots of environments; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { FlowId, SlotName } from "../shared/Identifier.js"
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

/** A snapshot to append: its head, what changed since the one before, and the words for it. */
export interface SnapshotDraft extends SnapshotHead, RowChanges {
  /** One for each row that is not `unchanged`, rows that exited included, in the order of the log. */
  readonly events: ReadonlyArray<RowEvent>
}

/** A snapshot of a logical environment to append. */
export interface LogicalDraft extends SnapshotHead {
  readonly members: ReadonlyArray<SnapshotMember>
}

/** A head, and when the next snapshot was made. */
export interface ListedHead extends SnapshotHead {
  readonly next_timestamp: Timestamp | null
}

/** Where an event stands in the log: in which snapshot, and at which place in it. */
export interface EventPosition {
  readonly index: number
  readonly position: number
}

/** One event of the log, with the row that it is about. */
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
  /** How many events of the span to leave out at the beginning; costs the same for any number. */
  readonly skip: number
  /** Only what comes after this place, in the direction of reading. */
  readonly after: Option.Option<EventPosition>
  readonly limit: number
  readonly newestFirst: boolean
}

/** A place in an environment that a flow view names: who ran there before this snapshot? */
export interface StartKey {
  readonly flow: FlowId
  readonly slot: SlotName
  readonly fingerprint: Fingerprint
  readonly before: number
}

/** Port: the snapshots of environments. */
export class SnapshotStore extends Context.Tag("@attestry/core/SnapshotStore")<
  SnapshotStore,
  {
    /** The newest snapshot without its rows; none before the first. */
    readonly latest: (ref: EnvironmentRef) => Effect.Effect<Option.Option<SnapshotHead>, StoreError>
    /** The rows that run in the newest snapshot, in no particular order; empty before the first. */
    readonly running: (ref: EnvironmentRef) => Effect.Effect<ReadonlyArray<SnapshotRow>, StoreError>
    /** The snapshot with that index, or the newest whose instant is not after the given one. */
    readonly find: (
      ref: EnvironmentRef,
      locator: Locator
    ) => Effect.Effect<Option.Option<Snapshot>, StoreError>
    /** The heads of a run of snapshots, newest first. */
    readonly heads: (
      ref: EnvironmentRef,
      span: Span
    ) => Effect.Effect<ReadonlyArray<ListedHead>, StoreError>
    /** The highest index whose instant is not after this one; 0 when there is none. */
    readonly indexAt: (ref: EnvironmentRef, instant: Timestamp) => Effect.Effect<number, StoreError>
    /**
     * Appends. The caller holds the environment's lock and gives the index after the latest; an index
     * that exists is a failure, never a replacement. Costs what changed, not what runs.
     */
    readonly append: (ref: EnvironmentRef, draft: SnapshotDraft) => Effect.Effect<void, StoreError>
    /**
     * The same for a logical environment, which has no rows of its own. What happened follows from the members
     * that counted before and that count now: `LogicalRows.events` of them.
     */
    readonly appendLogical: (
      ref: EnvironmentRef,
      draft: LogicalDraft
    ) => Effect.Effect<void, StoreError>
    /** A part of the event log; at most `limit` events. Those of a logical environment have rows of its members. */
    readonly events: (
      ref: EnvironmentRef,
      query: EventQuery
    ) => Effect.Effect<ReadonlyArray<StoredEvent>, StoreError>
    /**
     * For each key, in order: the row of other content that last started in that place before that
     * snapshot, as its flow view said then; of several in one snapshot the first by name. DECISION D8.2
     */
    readonly predecessors: (
      ref: EnvironmentRef,
      keys: ReadonlyArray<StartKey>
    ) => Effect.Effect<ReadonlyArray<Option.Option<Predecessor>>, StoreError>
  }
>() {}
