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
import type { Credential } from "./ApiKeyStore.js"

/** Finds a credential. */
export type FindCredential = (id: ApiKeyId) => Effect.Effect<Option.Option<Credential>, StoreError>

interface Believed {
  readonly credential: Option.Option<Credential>
  readonly untilMillis: number
}

/** How many credentials are remembered; over it the oldest is forgotten. */
const CAPACITY = 10_000

/** Remembers what `find` finds, each for as long as the duration says. */
export const make = (find: FindCredential, believedFor: Duration.Duration): FindCredential => {
  const believed = new Map<ApiKeyId, Believed>()
  const lifeMillis = Duration.toMillis(believedFor)

  const remember = (id: ApiKeyId, credential: Option.Option<Credential>, now: number): void => {
    believed.delete(id)
    if (Option.isNone(credential)) return
    believed.set(id, { credential, untilMillis: now + lifeMillis })
    const [oldest] = believed.keys()
    if (believed.size > CAPACITY && oldest !== undefined) believed.delete(oldest)
  }

  return (id) =>
    Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      const known = believed.get(id)
      if (known !== undefined && now < known.untilMillis) return Effect.succeed(known.credential)
      // INVARIANT: counted from before the look, so that nothing is believed longer than it says.
      return Effect.tap(find(id), (credential) => Effect.sync(() => remember(id, credential, now)))
    })
}
