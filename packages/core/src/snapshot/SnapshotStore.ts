/** Port: the snapshots of environments; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { StoreError } from "../shared/StoreError.js"
import type { RowChanges, RowEvent, Snapshot, SnapshotHead, SnapshotRow } from "./Snapshot.js"
import type { Locator } from "./SnapshotExpression.js"

/** A snapshot to append: its head, what changed since the one before, and the words for it. */
export interface SnapshotDraft extends SnapshotHead, RowChanges {
  /** One for each row that is not `unchanged`, rows that exited included. */
  readonly events: ReadonlyArray<RowEvent>
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
    /**
     * Appends. The caller holds the environment's lock and gives the index after the latest; an index
     * that exists is a failure, never a replacement. Costs what changed, not what runs.
     */
    readonly append: (ref: EnvironmentRef, draft: SnapshotDraft) => Effect.Effect<void, StoreError>
  }
>() {}
