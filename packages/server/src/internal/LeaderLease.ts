/**
 * Runs periodic work on one of all servers of a store, under a lease.
 *
 * When a server dies, its lease expires and another one runs the work, so the work must be idempotent.
 */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The duration of a lease unless stated; after it another server may run the work concurrently. */
const LEASE_MILLIS = 600_000

/** The name of a lease, and the pause after its work during which no server acquires it. */
export interface PeriodicLease {
  readonly name: string
  /** The pause, or the pause after work that took a number of milliseconds. */
  readonly intervalMillis: number | ((tookMillis: number) => number)
  /** How long the lease lasts: what a server that dies delays the work. */
  readonly leaseMillis?: number
}

/** Runs the work when this server acquires the lease; none when it does not. */
export const take = <A, R>(
  { name, intervalMillis, leaseMillis = LEASE_MILLIS }: PeriodicLease,
  work: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R | BackgroundLeaseStore> =>
  Effect.gen(function* () {
    const leases = yield* BackgroundLeaseStore
    const lease = yield* leases.acquire(name, leaseMillis)
    if (Option.isNone(lease)) return Option.none()
    const [took, result] = yield* Effect.timed(work)
    const pause =
      typeof intervalMillis === "number" ? intervalMillis : intervalMillis(Duration.toMillis(took))
    yield* leases.release(lease.value, pause)
    return Option.some(result)
  })
