/** Keeps attempts that were denied, without letting whoever repeats them make us write (P-AUD). */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Actor } from "./Actor.js"
import { toJournal } from "./Actor.js"
import { ORG_LENGTH_MAX } from "./DeniedAttempt.js"
import { DeniedAttemptStore } from "./DeniedAttemptStore.js"

/** BoundedCache pairs of actor and operation; beyond it all are forgotten and the store decides alone. */
const REMEMBERED_MAX = 10_000

/** Use case: keeping attempts that were denied. */
export class DeniedAttempts extends Effect.Service<DeniedAttempts>()(
  "@attestry/core/DeniedAttempts",
  {
    effect: Effect.gen(function* () {
      const store = yield* DeniedAttemptStore
      const remembered = new Map<string, number>()

      /** Whether this process has kept such an attempt in this minute; remembers it if not. */
      const isRepeated = (actor: Actor, operation: string, minute: number): boolean => {
        const pair = `${actor.id} ${operation}`
        if (remembered.get(pair) === minute) return true
        if (remembered.size >= REMEMBERED_MAX) remembered.clear()
        remembered.set(pair, minute)
        return false
      }

      /** Keeps an attempt, at most once a minute; never fails, since the denial stands anyway. */
      const note = (actor: Actor, operation: string, org: string): Effect.Effect<void> =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          isRepeated(actor, operation, Math.floor(millis / 60_000))
            ? Effect.void
            : store
                .insert({
                  actor: toJournal(actor),
                  key_id: actor.key_id,
                  operation,
                  org: org.slice(0, ORG_LENGTH_MAX)
                })
                .pipe(
                  Effect.catchTag("StoreError", (error) =>
                    Effect.logWarning("a denied attempt was not kept", error)
                  )
                )
        )

      return { note } as const
    })
  }
) {}
