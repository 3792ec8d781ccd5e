/**
 * How does code that runs in callbacks tell a waiting fiber that it is time?
 *
 * A signal that is raised while nobody waits is remembered, once. One fiber waits at a time.
 */
import * as Effect from "effect/Effect"

/** Raised from anywhere, awaited by one fiber. */
export interface Signal {
  readonly raise: () => void
  /** Ends at the next raise, or at once when there was one since the last wait. */
  readonly wait: Effect.Effect<void>
}

/** A signal that was not raised yet. */
export const make = (): Signal => {
  let isRaised = false
  let wake: (() => void) | undefined
  return {
    raise: () => {
      if (wake === undefined) isRaised = true
      else wake()
    },
    wait: Effect.async((resume) => {
      const done = () => {
        wake = undefined
        isRaised = false
        resume(Effect.void)
      }
      if (isRaised) return done()
      wake = done
      return Effect.sync(() => {
        wake = undefined
      })
    })
  }
}

/** Waits for the signal, but no longer than this. */
export const waitAtMost = (signal: Signal, millis: number): Effect.Effect<void> =>
  Effect.asVoid(Effect.timeoutOption(signal.wait, millis))
