/**
 * Credentials by the id of their key, and people by their id, so that most requests need no query.
 *
 * WHY not `effect/Cache`: each request reads this once, and one map with an instant per entry costs less.
 * Absent credentials are not cached: the key can be issued at any moment.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Finds something by an id. */
export type Find<A, Id> = (id: Id) => Effect.Effect<Option.Option<A>, StoreError>

interface Entry<A> {
  readonly found: Option.Option<A>
  readonly expiresAtMillis: number
}

/** The number of credentials in the cache. */
const CACHED_MAX = 10_000

/** When an entry of the cache may be used. */
export interface CacheOptions<A> {
  readonly timeToLive: Duration.Duration
  readonly isCurrent: (found: A) => boolean
}

/** Reads through a cache. A credential that is no longer current when `find` returns is read once more. */
export const make = <A, Id extends string>(
  find: Find<A, Id>,
  options: CacheOptions<A>
): Find<A, Id> => makeKeyed(find, (id) => id, options)

/** As `make`, for ids of several parts: `keyOf` gives each its own text. */
export const makeKeyed = <A, Id>(
  find: Find<A, Id>,
  keyOf: (id: Id) => string,
  { timeToLive, isCurrent }: CacheOptions<A>
): Find<A, Id> => {
  const entries = BoundedCache.make<Entry<A>>(CACHED_MAX)
  const lifeMillis = Duration.toMillis(timeToLive)

  const store = (key: string, found: Option.Option<A>, now: number): void => {
    if (Option.isNone(found)) entries.delete(key)
    else entries.set(key, { found, expiresAtMillis: now + lifeMillis })
  }

  // INVARIANT: the time to live begins before the query, so no entry is older than it.
  const findAt = (id: Id, now: number) =>
    Effect.tap(find(id), (found) => Effect.sync(() => store(keyOf(id), found, now)))

  const findNow: Find<A, Id> = (id) =>
    Effect.clockWith((clock) => findAt(id, clock.unsafeCurrentTimeMillis()))

  const isOutdated = (found: Option.Option<A>): boolean =>
    Option.isSome(found) && !isCurrent(found.value)

  return (id) =>
    Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      const entry = entries.get(keyOf(id))
      return entry !== undefined && now < entry.expiresAtMillis && !isOutdated(entry.found)
        ? Effect.succeed(entry.found)
        : Effect.flatMap(findAt(id, now), (found) =>
            isOutdated(found) ? findNow(id) : Effect.succeed(found)
          )
    })
}
