/** Port: what is kept beside the logs of orgs: what waits, how far they were verified, and which are public. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { LogTree } from "./Log.js"

/** The last verification of a log in the background. */
export interface LogScrub {
  /** The size up to which it was verified. */
  readonly through: number
  readonly finished_at: Timestamp
  readonly findings: number
}

/** The instants from which on checkpoints are kept: all of them, and one for each minute; before that one an hour. */
export interface Thinning {
  readonly wholeAfter: Timestamp
  readonly minutesAfter: Timestamp
}

/** Port: what is kept beside logs. */
export class LogStatusStore extends Context.Tag("@attestry/core/LogStatusStore")<
  LogStatusStore,
  {
    /** How many visible entries have no leaf, counted up to a number. */
    readonly countPending: (tree: LogTree, most: number) => Effect.Effect<number, StoreError>
    /** The last verification; none before the first. */
    readonly findScrub: (org: OrgId) => Effect.Effect<Option.Option<LogScrub>, StoreError>
    /** Replaces the last verification. */
    readonly putScrub: (org: OrgId, scrub: LogScrub) => Effect.Effect<void, StoreError>
    /** Whether all callers may read the log of an org. */
    readonly isPublic: (org: OrgId) => Effect.Effect<boolean, StoreError>
    /** Says whether all callers may read the log of an org. */
    readonly putPublic: (org: OrgId, isPublic: boolean) => Effect.Effect<void, StoreError>
    /** The orgs whose log all callers may read, by id. */
    readonly listPublic: Effect.Effect<ReadonlyArray<OrgId>, StoreError>
    /**
     * Removes checkpoints of an org that a later one of their minute or hour stands for, with their cosignatures; the
     * newest that a witness has cosigned stays. Returns how many.
     */
    readonly thin: (org: OrgId, thinning: Thinning) => Effect.Effect<number, StoreError>
  }
>() {}
