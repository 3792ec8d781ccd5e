/**
 * Counts the changes of roles, accounts and keys that this process has committed.
 *
 * A cached credential holds the count at which it was read and is invalid when the count has moved. A
 * change therefore acts at once in the process that made it, and in others when their entries expire.
 */
import * as Effect from "effect/Effect"

/** The count of changes. */
export class AccessEpoch extends Effect.Service<AccessEpoch>()("@attestry/core/AccessEpoch", {
  sync: () => {
    let count = 0
    const current = (): number => count
    /** Adds one. INVARIANT: called after the commit of the change. */
    const advance: Effect.Effect<void> = Effect.sync(() => {
      count += 1
    })
    return { current, advance } as const
  }
}) {}
