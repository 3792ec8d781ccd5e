/**
 * Port: leases of background work that one process at a time should do.
 *
 * An optimisation, not mutual exclusion: a process that pauses for longer than its lease can run beside
 * another, so the work must be idempotent.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.js"
import type { Timestamp } from "./Timestamp.js"

/** A lease of some work. */
export interface BackgroundLease {
  readonly name: string
  /** Increases with every lease; only the latest can be released. */
  readonly token: number
}

/** The end of a lease, and the instant at which it was read, both by the store's clock. */
export interface LeaseEnd {
  readonly until: Timestamp
  readonly now: Timestamp
}

/** Port: leases of background work. */
export class BackgroundLeaseStore extends Context.Tag("@attestry/core/BackgroundLeaseStore")<
  BackgroundLeaseStore,
  {
    /** A new lease that ends after at most so long; none while another is held, or before the next one is due. */
    readonly acquire: (
      name: string,
      forMillis: number
    ) => Effect.Effect<Option.Option<BackgroundLease>, StoreError>
    /** Until when a lease is held, with the store's clock; none for a name of which there never was one. */
    readonly heldUntil: (name: string) => Effect.Effect<Option.Option<LeaseEnd>, StoreError>
    /** Ends a lease; the next one is due so much later. Does nothing for a lease that is not the latest. */
    readonly release: (
      lease: BackgroundLease,
      nextAfterMillis: number
    ) => Effect.Effect<void, StoreError>
  }
>() {}
