/**
 * When keys were last used, collected in memory and written in batches.
 *
 * WHY: a write for each request would cost more than most requests do. This process's own reads see the
 * collected values at once; a crash loses a few seconds of them.
 */
import type { ApiKeyId } from "@attestry/core/Identifier"
import type { Timestamp } from "@attestry/core/Timestamp"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Primary from "../shared/Primary.js"

/** Collected values are written at least this often. */
export const FLUSHED_EVERY = Duration.seconds(5)

/** The uses of keys that one process has seen. */
export interface KeyUses {
  /** Records that a key was used. */
  readonly mark: (id: ApiKeyId, at: Timestamp) => void
  /** The later of a stored value and this process's own. */
  readonly latest: (id: ApiKeyId, stored: Timestamp | null) => Timestamp | null
  /** Writes the uses now, for statements that compare them. */
  readonly flush: Effect.Effect<void>
}

/** Collects uses until the scope closes, and writes what is left then. */
export const make: Effect.Effect<KeyUses, never, SqlClient.SqlClient | Scope.Scope> = Effect.gen(
  function* () {
    const sql = yield* Primary.client
    const isReader = yield* Primary.IsReading
    let pending = new Map<ApiKeyId, Timestamp>()

    const flush = Effect.gen(function* () {
      if (pending.size === 0) return
      const uses = Array.from(pending, ([id, at]) => ({ id, at }))
      pending = new Map()
      yield* sql`select api_key_touch(${JSON.stringify(uses)}::jsonb)`.pipe(
        Effect.tapErrorCause(() =>
          isReader ? Primary.countDropped("key_use", uses.length) : Effect.void
        )
      )
    }).pipe(
      // WHY: the values may be lost; the next use of a key gives a later one.
      Effect.catchAllCause((cause) => Effect.logWarning("uses of keys were not written", cause))
    )

    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(FLUSHED_EVERY)))

    return {
      // WHY not on a reader: what it reads does not have what it has just written elsewhere.
      flush: isReader ? Effect.void : flush,
      mark: (id, at) => {
        pending.set(id, at)
      },
      latest: (id, stored) => {
        const own = pending.get(id)
        return own === undefined ? stored : stored === null || own > stored ? own : stored
      }
    }
  }
)
