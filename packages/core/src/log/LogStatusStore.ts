/**
 * Port: facts beside the logs of orgs: how many entries wait, how far a log was verified, and which logs are public.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { LogTree } from "./Log.js"

/** The last background verification of a log. */
export interface LogScrub {
  /** The size up to which it was verified. */
  readonly through: number
  readonly finished_at: Timestamp
  readonly findings: number
}

/**
 * Checkpoints are kept completely from the first instant on, one a minute from the second on, and one an hour before
 * that.
 */
export interface Thinning {
  readonly wholeAfter: Timestamp
  readonly minutesAfter: Timestamp
}

/** Port: what is kept beside logs. */
export class LogStatusStore extends Context.Tag("@attestry/core/LogStatusStore")<
  LogStatusStore,
  {
    /** The number of visible entries without a leaf, counted up to a limit. */
    readonly countPending: (tree: LogTree, most: number) => Effect.Effect<number, StoreError>
    /** The last verification; none before the first one. */
    readonly findScrub: (org: OrgId) => Effect.Effect<Option.Option<LogScrub>, StoreError>
    /** Replaces the last verification. */
    readonly putScrub: (org: OrgId, scrub: LogScrub) => Effect.Effect<void, StoreError>
    /** Whether all callers may read the log of an org. */
    readonly isPublic: (org: OrgId) => Effect.Effect<boolean, StoreError>
    /** Sets whether all callers may read the log of an org. */
    readonly putPublic: (org: OrgId, isPublic: boolean) => Effect.Effect<void, StoreError>
    /** The orgs whose log all callers may read, by id. */
    readonly listPublic: Effect.Effect<ReadonlyArray<OrgId>, StoreError>
    /**
     * Removes checkpoints of an org that have a later one in the same minute or hour, with their cosignatures. The
     * newest cosigned checkpoint stays. Returns the number of removed checkpoints.
     */
    readonly thinCheckpoints: (org: OrgId, thinning: Thinning) => Effect.Effect<number, StoreError>
  }
>() {}
