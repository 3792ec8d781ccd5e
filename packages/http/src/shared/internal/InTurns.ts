/** Runs long synchronous work in short slices, so that the event loop serves other requests between. DECISION B-151 */
import * as Effect from "effect/Effect"

/** The length of one slice. */
const SLICE_MS = 5

/** WHY: Node has this function, and browsers and other edge runtimes do not. */
declare const setImmediate: ((next: () => void) => void) | undefined

const later: (next: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (next) => void setTimeout(next, 0)

/** Runs a generator that yields between steps; the event loop turns between two slices. */
export const inTurns = <A>(work: () => Generator<void, A>): Effect.Effect<A> =>
  Effect.async((resume) => {
    const steps = work()
    let isWanted = true
    const go = (): void => {
      if (!isWanted) return
      const until = performance.now() + SLICE_MS
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
    // WHY deferred: the work before this call may already have taken a whole slice.
    later(go)
    return Effect.sync(() => {
      isWanted = false
    })
  })

/** Runs such a generator to its end at once: for work that is short. */
export const atOnce = <A>(steps: Generator<void, A>): A => {
  while (true) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
