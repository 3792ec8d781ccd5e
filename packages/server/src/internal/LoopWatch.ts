/**
 * Whether the event loop has been late for a second: the process has more to do than it can.
 *
 * A timer comes every few milliseconds; how much later it comes is how long a request waits for its turn.
 */
import * as Effect from "effect/Effect"

/** How often the timer comes. */
export const EVERY_MILLIS = 20

/** A loop that is later than this is late. */
const LATE_MILLIS = 200

/** A loop that has been late for this long is overloaded. */
const OVERLOADED_AFTER_MILLIS = 1_000

/** Tells from the times at which a timer comes whether the loop is overloaded. */
export const makeTracker = (now: () => number) => {
  let last = now()
  let lateSince: number | undefined
  return {
    /** The timer has come. */
    tick: (): void => {
      const at = now()
      const due = last + EVERY_MILLIS
      last = at
      if (at - due <= LATE_MILLIS) lateSince = undefined
      else lateSince ??= due
    },
    isOverloaded: (): boolean =>
      lateSince !== undefined && now() - lateSince >= OVERLOADED_AFTER_MILLIS
  } as const
}

/** Watches the event loop of this process until the scope closes. */
export class LoopWatch extends Effect.Service<LoopWatch>()("@attestry/server/LoopWatch", {
  scoped: Effect.gen(function* () {
    const { tick, isOverloaded } = makeTracker(() => performance.now())
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(tick, EVERY_MILLIS).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    return { isOverloaded } as const
  })
}) {}
