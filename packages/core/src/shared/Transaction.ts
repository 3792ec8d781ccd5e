/**
 * All-or-nothing across ports, within one org, at one instant.
 *
 * Ports may be called outside of a transaction; each call is then one of its own. Nothing here says how
 * writers are kept apart: the ports' contracts promise that (unique keys, locked reads).
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"
import type { Timestamp } from "./Timestamp.js"

/** What a transaction gives to the work inside it. */
export interface TransactionScope {
  /** The instant of the transaction by the store's clock: the same, however often it is asked for. */
  readonly now: Effect.Effect<Timestamp, StoreError>
}

/** How a record is found: with `lock` it stays locked until the transaction ends, and others that lock it wait. */
export interface Locking {
  readonly lock?: boolean
}

/** Port: runs work all-or-nothing. */
export class Transaction extends Context.Tag("@attestry/core/Transaction")<
  Transaction,
  {
    /**
     * Runs the work and commits; any failure, defect or interruption undoes every write of it. Nests: an
     * inner transaction of the same org joins the outer one's fate and instant, and its own failure
     * undoes its own writes only. Transient conflicts are retried inside, so the work may run more than
     * once and must have no effect beyond the ports.
     *
     * The numbers of entries that the work records are those of what is committed: a store runs the work by
     * `JournalSequences.within`.
     */
    readonly run: <A, E, R>(
      org: OrgId,
      work: (scope: TransactionScope) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
    /**
     * Runs reads that all see the org as of one moment, whatever is written meanwhile; a write fails the work. Inside
     * of a transaction it sees what the transaction sees. The work may run more than once.
     */
    readonly snapshot: <A, E, R>(
      org: OrgId,
      reads: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
  }
>() {}
