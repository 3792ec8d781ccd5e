/**
 * Port inside core: called for every new snapshot and every new entry of an allow-list, in the transaction of
 * the write.
 *
 * WHY a port: notifications listen to environments, which know nothing about them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { AllowListEntry } from "../../allow-list/AllowListEntry.js"
import type { Environment } from "../../environment/Environment.js"
import type { JournalSequence } from "../../journal/JournalSequences.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { SnapshotHead } from "../Snapshot.js"

/** A snapshot that was just appended. */
export interface AppendedSnapshot {
  readonly writer: WriteContext
  readonly environment: Environment
  readonly head: Pick<SnapshotHead, "index" | "timestamp" | "verdict">
  /** How many rows policies on trial warn about, and did not before; of a logical environment, of its member. */
  readonly warned: number
  /** The entry of the journal that records it; its number is there after the next read of the transaction. */
  readonly recorded: JournalSequence | undefined
}

/** An entry that was just added to an allow-list. */
export interface AllowedArtifact {
  readonly writer: WriteContext
  readonly environment: Environment
  readonly entry: AllowListEntry
  /** The number of the entry of the journal that records it. */
  readonly sequence: number
}

/** Port: listens to snapshots and allow-lists. The transaction holds the environment's lock. */
export class SnapshotListener extends Context.Tag("@attestry/core/SnapshotListener")<
  SnapshotListener,
  {
    /** Called once for each snapshot. */
    readonly appended: (snapshot: AppendedSnapshot) => Effect.Effect<void, StoreError>
    /** Called once for each new entry. */
    readonly allowed: (artifact: AllowedArtifact) => Effect.Effect<void, StoreError>
  }
>() {}
