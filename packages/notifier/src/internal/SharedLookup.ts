/**
 * Looks values up by key and shares one lookup among concurrent callers.
 *
 * It amortises a read of the store, or a DNS query, over the deliveries that start together. INVARIANT: a lookup
 * begins after its last caller asked, so a caller never gets a value that is older than its call; nothing is cached.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Shares lookups of requests with the same key; lookups of different keys run concurrently. */
export const make = <R, A, E>(
  lookUp: (request: R) => Effect.Effect<A, E>,
  keyOf: (request: R) => string
): ((request: R) => Effect.Effect<A, E>) => {
  const pending = new Map<string, Deferred.Deferred<A, E>>()

  // WHY a daemon after a yield: callers of the same turn join, and an interrupted caller fails no other.
  const fork = (request: R, key: string, result: Deferred.Deferred<A, E>) =>
    Effect.yieldNow().pipe(
      Effect.zipRight(Effect.sync(() => pending.delete(key))),
      Effect.zipRight(Effect.suspend(() => Effect.intoDeferred(lookUp(request), result))),
      Effect.interruptible,
      Effect.forkDaemon
    )

  const start = (request: R, key: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<A, E>()
        pending.set(key, result)
        yield* fork(request, key, result)
        return yield* restore(Deferred.await(result))
      })
    )

  return (request) =>
    Effect.suspend(() => {
      const key = keyOf(request)
      const result = pending.get(key)
      return result === undefined ? start(request, key) : Deferred.await(result)
    })
}
