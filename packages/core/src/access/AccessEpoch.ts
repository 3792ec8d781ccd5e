/**
 * Counts the changes of roles, accounts and keys that this process has made.
 *
 * Whoever remembers a credential remembers the count with it, and asks again when it has moved on: so a
 * change acts at once where it was made, and elsewhere as soon as nothing is remembered any more.
 */
import * as Effect from "effect/Effect"

/** The count of changes. */
export class AccessEpoch extends Effect.Service<AccessEpoch>()("@attestry/core/AccessEpoch", {
  sync: () => {
    let count = 0
    /** How many changes there have been. */
    const current = (): number => count
    /** Says that something has changed. INVARIANT: called after the change was committed. */
    const announce: Effect.Effect<void> = Effect.sync(() => {
      count += 1
    })
    return { current, announce } as const
  }
}) {}
