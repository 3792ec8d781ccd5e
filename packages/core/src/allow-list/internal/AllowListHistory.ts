/**
 * Port inside core: what a change of an allow-list does to the history of its environment.
 *
 * WHY a port: the history belongs to snapshots, which read allow-lists and stand to their right.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Environment } from "../../environment/Environment.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { AllowListEntry } from "../AllowListEntry.js"

/** An entry that was just added to an allow-list. */
export interface AllowedArtifact {
  readonly writer: WriteContext
  readonly environment: Environment
  readonly entry: AllowListEntry
  /** The number of the entry of the journal that records it. */
  readonly sequence: number
}

/** Port: the histories of environments whose allow-lists change. The caller holds the environment's lock. */
export class AllowListHistory extends Context.Tag("@attestry/core/AllowListHistory")<
  AllowListHistory,
  {
    /** Notifies listeners of an entry that is new. */
    readonly allowed: (artifact: AllowedArtifact) => Effect.Effect<void, StoreError>
    /**
     * Evaluates the running artifacts again. Appends a snapshot where a verdict changes; otherwise evaluates
     * the logical environments that contain this one.
     */
    readonly entriesChanged: (
      writer: WriteContext,
      environment: Environment
    ) => Effect.Effect<void, StoreError>
  }
>() {}
