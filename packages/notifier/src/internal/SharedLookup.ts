/**
 * Looks values up by key and shares one lookup among concurrent callers.
 *
 * It amortises a read of the store, or a DNS query, over the deliveries that start together. INVARIANT: a lookup
 * begins after its last caller asked, so a caller never gets a value that is older than its call; nothing is cached.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Shares the lookups of a function; lookups of different keys run concurrently. */
export const make = <K, A, E>(
  lookUp: (key: K) => Effect.Effect<A, E>
): ((key: K) => Effect.Effect<A, E>) => {
  const pending = new Map<K, Deferred.Deferred<A, E>>()

  // WHY a daemon after a yield: callers of the same turn join, and an interrupted caller fails no other.
  const fork = (key: K, result: Deferred.Deferred<A, E>) =>
    Effect.yieldNow().pipe(
      Effect.zipRight(Effect.sync(() => pending.delete(key))),
      Effect.zipRight(Effect.intoDeferred(lookUp(key), result)),
      Effect.interruptible,
      Effect.forkDaemon
    )

  const start = (key: K) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<A, E>()
        pending.set(key, result)
        yield* fork(key, result)
        return yield* restore(Deferred.await(result))
      })
    )

  return (key) =>
    Effect.suspend(() => {
      const result = pending.get(key)
      return result === undefined ? start(key) : Deferred.await(result)
    })
}
