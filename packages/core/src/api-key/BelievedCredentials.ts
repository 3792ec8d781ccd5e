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

/** Finds, remembering what was found. */
export interface BelievedCredentials<A> {
  /** What was found a moment ago, or else what is found now. */
  readonly find: Find<A>
  /** What is found now, whatever was found before. */
  readonly findAnew: Find<A>
}

interface Believed<A> {
  readonly found: Option.Option<A>
  readonly untilMillis: number
}

/** How many credentials are remembered; over it the oldest is forgotten. */
const CAPACITY = 10_000

/** Remembers what `look` finds, each for as long as the duration says. */
export const make = <A>(look: Find<A>, believedFor: Duration.Duration): BelievedCredentials<A> => {
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

  return {
    find: (id) =>
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        const known = believed.get(id)
        return known !== undefined && now < known.untilMillis
          ? Effect.succeed(known.found)
          : lookAt(id, now)
      }),
    findAnew: (id) => Effect.clockWith((clock) => lookAt(id, clock.unsafeCurrentTimeMillis()))
  }
}
