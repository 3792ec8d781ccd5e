/** Port: the environments of an org, and what each remembers of its last report. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentId, EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import type { Environment, EnvironmentKey, EnvironmentRef } from "./Environment.js"

/** What an environment remembers of the last report that it accepted. */
export interface ReportDigests {
  /** Digest of the body as it came; equal bodies need not be read again. */
  readonly bodyDigest: string
  /** Digest of what the body meant; equal sets of running rows change nothing. */
  readonly rowsDigest: string
}

/**
 * An environment with what it remembers; no mark means that the next report must be evaluated, which one
 * that is pending needs as well.
 */
export interface MarkedEnvironment {
  readonly environment: Environment
  readonly mark: Option.Option<ReportDigests>
  /** Whether it must be evaluated before anybody reads its verdict. DECISION S10 */
  readonly isPending: boolean
  /** The store's clock when this was read. */
  readonly now: Timestamp
}

/** A new snapshot, as the environment itself shows it. */
export interface StateChange {
  readonly at: Timestamp
  readonly verdict: Verdict
}

/** Port: the environments of an org. */
export class EnvironmentStore extends Context.Tag("@attestry/core/EnvironmentStore")<
  EnvironmentStore,
  {
    /**
     * The environment that has that name, or else the one that had it last, archived ones included; one
     * round trip, because every report begins with it.
     */
    readonly findByName: (
      key: EnvironmentKey
    ) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lockByName: (
      key: EnvironmentKey
    ) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>
    /** The environment of that id, archived or not, kept from other writers in the same way. */
    readonly lockById: (
      ref: EnvironmentRef
    ) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>
    /** The environments that are pending, archived ones left out, by id. */
    readonly listPending: (org: OrgId) => Effect.Effect<ReadonlyArray<EnvironmentRef>, StoreError>
    /** Says that an environment has been evaluated with what made it pending. */
    readonly settle: (ref: EnvironmentRef) => Effect.Effect<void, StoreError>
    /** Every environment that is not archived, in no particular order. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<Environment>, StoreError>
    /** The names that environments have now, archived ones included; ids that are not there have none. */
    readonly names: (
      org: OrgId,
      ids: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<ReadonlyMap<EnvironmentId, EnvironmentName>, StoreError>
    /**
     * The logical environments that a physical one is a member of, by id, without archived ones; kept
     * from other writers until the transaction ends.
     */
    readonly lockGroupsOf: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<Environment>, StoreError>
    /**
     * Adds an environment; `false`, and nothing done, when another has the name. A name that leads to a
     * renamed or archived environment is taken over. Waits for a concurrent writer of the same name, so
     * that after `false` a look finds what took it.
     */
    readonly insert: (environment: Environment) => Effect.Effect<boolean, StoreError>
    /** Replaces settings, members, policies, tags and time of change; forgets the last report. */
    readonly update: (environment: Environment) => Effect.Effect<void, StoreError>
    /**
     * Gives the environment another name, and archives it if the value says so; the old name leads to it
     * until another takes that name. `false`, and nothing done, when another has the new name.
     */
    readonly rename: (
      environment: Environment,
      from: Environment["name"]
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Remembers a report, and the snapshot that it made if it made one. The report was evaluated, so
     * what made the environment pending has been looked at.
     */
    readonly mark: (
      ref: EnvironmentRef,
      mark: ReportDigests,
      change: Option.Option<StateChange>
    ) => Effect.Effect<void, StoreError>
    /** Shows a snapshot that was made without a report. */
    readonly change: (ref: EnvironmentRef, change: StateChange) => Effect.Effect<void, StoreError>
    /**
     * Moves `last_reported_at`, never back. Seen at once by this process's reads and kept within 5
     * seconds: the one value that a crash may lose, so that an unchanged report costs no write.
     */
    readonly heartbeat: (ref: EnvironmentRef, at: Timestamp) => Effect.Effect<void, StoreError>
  }
>() {}
