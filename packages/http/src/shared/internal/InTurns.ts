/** Long work of one request, done in short stretches so that every other request has its turn. DECISION B-151 */
import * as Effect from "effect/Effect"

/** Work goes on for at most about so many milliseconds in a row. */
const STRETCH_MS = 5

/** Node, and whatever is like it, has this; others do not. */
declare const setImmediate: ((next: () => void) => void) | undefined

const later: (next: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (next) => void setTimeout(next, 0)

/** Runs work that pauses of its own accord; between two stretches the event loop turns. */
export const inTurns = <A>(work: () => Generator<void, A>): Effect.Effect<A> =>
  Effect.async((resume) => {
    const steps = work()
    let isWanted = true
    const go = (): void => {
      if (!isWanted) return
      const until = performance.now() + STRETCH_MS
      try {
        do {
          const { done, value } = steps.next()
          if (done === true) {
            resume(Effect.succeed(value))
            return
          }
        } while (performance.now() < until)
      } catch (defect) {
        resume(Effect.die(defect))
        return
      }
      later(go)
    }
    // WHY not at once: what led here may have been long already.
    later(go)
    return Effect.sync(() => {
      isWanted = false
    })
  })

/** Runs such work in one go: for work that is known to be short. */
export const atOnce = <A>(steps: Generator<void, A>): A => {
  while (true) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
