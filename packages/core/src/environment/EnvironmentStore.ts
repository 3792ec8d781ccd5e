/** Port: the environments of an org, and what each remembers of its last report. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Environment, EnvironmentKey, EnvironmentRef } from "./Environment.js"

/** What an environment remembers of the last report that it accepted. */
export interface ReportMark {
  /** Digest of the body as it came; equal bodies need not be read again. */
  readonly bodyDigest: string
  /** Digest of what the body meant; equal sets of running rows change nothing. */
  readonly rowsDigest: string
}

/** An environment with what it remembers; no mark means that the next report must be evaluated. */
export interface MarkedEnvironment {
  readonly environment: Environment
  readonly mark: Option.Option<ReportMark>
  /** The store's clock when this was read. */
  readonly now: Timestamp
}

/** Port: the environments of an org. */
export class EnvironmentStore extends Context.Tag("@attestry/core/EnvironmentStore")<
  EnvironmentStore,
  {
    /** The environment of that name; one round trip, because every report begins with it. */
    readonly findByName: (
      key: EnvironmentKey
    ) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lockByName: (
      key: EnvironmentKey
    ) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>
    /**
     * Adds an environment; `false`, and nothing done, when the name is taken. Waits for a concurrent
     * writer of the same name, so that after `false` a look finds what took it.
     */
    readonly insert: (environment: Environment) => Effect.Effect<boolean, StoreError>
    /** Replaces the settings of the environment of that id. */
    readonly update: (environment: Environment) => Effect.Effect<void, StoreError>
    /** Remembers a report, and that it changed the environment at that instant if one is given. */
    readonly mark: (
      ref: EnvironmentRef,
      mark: ReportMark,
      changedAt: Option.Option<Timestamp>
    ) => Effect.Effect<void, StoreError>
    /**
     * Moves `last_reported_at`, never back. Seen at once by this process's reads and kept within 5
     * seconds: the one value that a crash may lose, so that an unchanged report costs no write.
     */
    readonly heartbeat: (ref: EnvironmentRef, at: Timestamp) => Effect.Effect<void, StoreError>
  }
>() {}
