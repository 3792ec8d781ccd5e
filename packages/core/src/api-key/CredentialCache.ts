/**
 * Credentials that were found a moment ago, so that most requests cost no query.
 *
 * WHY not `effect/Cache`: this is asked once per request, and a map with one instant per entry answers it
 * in a fraction of the work. What was not found is never remembered: a key may be issued the next moment.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ApiKeyId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** Finds something by the id of a key. */
export type Find<A> = (id: ApiKeyId) => Effect.Effect<Option.Option<A>, StoreError>

interface Believed<A> {
  readonly found: Option.Option<A>
  readonly untilMillis: number
}

/** How many credentials are remembered; over it the oldest is forgotten. */
const CAPACITY = 10_000

/** For how long what was found is believed, and what else must hold. */
export interface BelievedOptions<A> {
  readonly believedFor: Duration.Duration
  readonly isCurrent: (found: A) => boolean
}

/**
 * What was found a moment ago, or else what `look` finds now; once more where what it found is no longer current
 * when it is found.
 */
export const make = <A>(look: Find<A>, { believedFor, isCurrent }: BelievedOptions<A>): Find<A> => {
  const believed = new Map<ApiKeyId, Believed<A>>()
  const lifeMillis = Duration.toMillis(believedFor)

  const remember = (id: ApiKeyId, found: Option.Option<A>, now: number): void => {
    believed.delete(id)
    if (Option.isNone(found)) return
    believed.set(id, { found, untilMillis: now + lifeMillis })
    const [oldest] = believed.keys()
    if (believed.size > CAPACITY && oldest !== undefined) believed.delete(oldest)
  }

  // INVARIANT: counted from before the look, so that nothing is believed longer than it says.
  const lookAt = (id: ApiKeyId, now: number) =>
    Effect.tap(look(id), (found) => Effect.sync(() => remember(id, found, now)))

  const lookNow: Find<A> = (id) =>
    Effect.clockWith((clock) => lookAt(id, clock.unsafeCurrentTimeMillis()))

  const isOutdated = (found: Option.Option<A>): boolean =>
    Option.isSome(found) && !isCurrent(found.value)

  return (id) =>
    Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      const known = believed.get(id)
      return known !== undefined && now < known.untilMillis && !isOutdated(known.found)
        ? Effect.succeed(known.found)
        : Effect.flatMap(lookAt(id, now), (found) =>
            isOutdated(found) ? lookNow(id) : Effect.succeed(found)
          )
    })
}
