/**
 * Port inside core: called for every new snapshot, every new entry of an allow-list, every beginning and end of a
 * silence and every change of a waiver, in the transaction of the write.
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
import type { Timestamp } from "../../shared/Timestamp.js"
import type { WaiverChange } from "../../waiver/WaiverChange.js"
import type { WaiverState } from "../../waiver/WaiverState.js"
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

/** The beginning of a silence: the environment missed its cadence. */
export interface SilentEnvironment {
  readonly writer: WriteContext
  readonly environment: Environment
  /** The last report plus the cadence. */
  readonly since: Timestamp
  /** The number of the entry of the journal that records it; undefined where none does. */
  readonly sequence: number | undefined
}

/** The end of a silence: the environment reported again. */
export interface ReportingEnvironment {
  readonly writer: WriteContext
  readonly environment: Environment
  /** The beginning of the silence that ended. */
  readonly silentSince: Timestamp
  /** The number of the entry of the journal that records it; undefined where none does. */
  readonly sequence: number | undefined
}

/** A waiver after a change. */
export interface ListenedWaiver {
  readonly number: number
  readonly policy_name: string
  readonly expires_at: Timestamp
  readonly state: WaiverState
}

/** A waiver that was just changed, and an environment that it reaches. */
export interface ChangedWaiver {
  readonly writer: WriteContext
  readonly environment: Environment
  readonly waiver: ListenedWaiver
  readonly change: WaiverChange
  /** The number of the entry of the journal that records it; undefined where none does. */
  readonly sequence: number | undefined
}

/**
 * Port: listens to snapshots, allow-lists, silences and waivers. The transaction holds the environment's lock, except
 * for `waiverChanged`, which needs none.
 */
export class SnapshotListener extends Context.Tag("@attestry/core/SnapshotListener")<
  SnapshotListener,
  {
    /** Called once for each snapshot. */
    readonly appended: (snapshot: AppendedSnapshot) => Effect.Effect<void, StoreError>
    /** Called once for each new entry. */
    readonly allowed: (artifact: AllowedArtifact) => Effect.Effect<void, StoreError>
    /** Called once for each silence, when it begins. */
    readonly silent: (silence: SilentEnvironment) => Effect.Effect<void, StoreError>
    /** Called once for each silence, when it ends. */
    readonly reporting: (silence: ReportingEnvironment) => Effect.Effect<void, StoreError>
    /** Called once for each change of a waiver and each environment that the waiver reaches. */
    readonly waiverChanged: (changed: ChangedWaiver) => Effect.Effect<void, StoreError>
  }
>() {}
