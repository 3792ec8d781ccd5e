/** Records denied attempts; a repeated attempt causes at most one write a minute (P-AUD). */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as BoundedCache from "../shared/BoundedCache.js"
import type { Actor } from "./Actor.js"
import { toJournal } from "./Actor.js"
import { type DeniedAttemptDraft, ORG_LENGTH_MAX } from "./DeniedAttempt.js"
import { DeniedAttemptStore } from "./DeniedAttemptStore.js"

/** The number of pairs of actor and operation in the cache; for others the store alone decides. */
const CACHED_MAX = 10_000

/** What was denied, in which org, and why where the permission was not the reason. */
export interface Attempt {
  readonly operation: string
  readonly org: string
  readonly reason?: DeniedAttemptDraft["reason"] | undefined
}

/** Use case: recording denied attempts. */
export class DeniedAttempts extends Effect.Service<DeniedAttempts>()(
  "@attestry/core/DeniedAttempts",
  {
    effect: Effect.gen(function* () {
      const store = yield* DeniedAttemptStore
      const minutes = BoundedCache.make<number>(CACHED_MAX)

      /** Whether this process has recorded such an attempt in this minute; notes the minute if not. */
      const isRepeated = (actor: Actor, operation: string, minute: number): boolean => {
        const pair = `${actor.id} ${operation}`
        if (minutes.get(pair) === minute) return true
        minutes.set(pair, minute)
        return false
      }

      /** Records an attempt, at most once a minute. A failure of the store is logged; the denial stands. */
      const note = (actor: Actor, { operation, org, reason }: Attempt): Effect.Effect<void> =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          isRepeated(actor, operation, Math.floor(millis / 60_000))
            ? Effect.void
            : store
                .insert({
                  actor: toJournal(actor),
                  key_id: actor.key_id,
                  operation,
                  org: org.slice(0, ORG_LENGTH_MAX),
                  ...(reason === undefined ? {} : { reason })
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
