/**
 * Work that one of all the servers on a store does at a time, every so often.
 *
 * A server that dies at it leaves its turn to another; whatever is done in turns may be done twice.
 */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Work that takes longer than this may meet another server's. */
const TURN_MILLIS = 600_000

/** Whose turn it is, and how long nobody's after it. */
export interface Turn {
  readonly name: string
  readonly intervalMillis: number
}

/** Does the work if it is this server's turn; none when it is not. */
export const take = <A, R>(
  { name, intervalMillis }: Turn,
  work: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R | BackgroundLeaseStore> =>
  Effect.gen(function* () {
    const turns = yield* BackgroundLeaseStore
    const turn = yield* turns.acquire(name, TURN_MILLIS)
    if (Option.isNone(turn)) return Option.none()
    const done = yield* work
    yield* turns.release(turn.value, intervalMillis)
    return Option.some(done)
  })
