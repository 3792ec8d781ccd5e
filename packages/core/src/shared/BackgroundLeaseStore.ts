/**
 * Port: turns at background work that one process at a time should do, whatever their number.
 *
 * For economy, not for correctness: a process that stops for longer than its lease lasts can find another
 * at the same work, so the work itself must bear being done twice.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.js"

/** A turn at some work. */
export interface BackgroundLease {
  readonly name: string
  /** Grows with every turn; only the latest can be given back. */
  readonly token: number
}

/** Port: turns at background work. */
export class BackgroundLeaseStore extends Context.Tag("@attestry/core/BackgroundLeaseStore")<
  BackgroundLeaseStore,
  {
    /** A turn that lasts at most so long; none while another's lasts, or before the next one is due. */
    readonly acquire: (
      name: string,
      forMillis: number
    ) => Effect.Effect<Option.Option<BackgroundLease>, StoreError>
    /** Gives a turn back; the next one is due so much later. Nothing is done for one that is not the latest. */
    readonly release: (
      lease: BackgroundLease,
      nextAfterMillis: number
    ) => Effect.Effect<void, StoreError>
  }
>() {}
