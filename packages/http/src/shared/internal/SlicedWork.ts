/** Runs long synchronous work in short slices, so that the event loop serves other requests between. DECISION B-151 */
import * as Effect from "effect/Effect"

/** The length of one slice. */
const SLICE_MS = 5

/** WHY: Node has this function, and browsers and other edge runtimes do not. */
declare const setImmediate: ((next: () => void) => void) | undefined

const defer: (next: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (next) => void setTimeout(next, 0)

/** Waits for one turn of the event loop. WHY not `Effect.yieldNow`: it runs other fibers, and not the event loop. */
const turn: Effect.Effect<void> = Effect.async((resume) => defer(() => resume(Effect.void)))

/** Runs a generator that yields between steps; the event loop turns between two slices. */
export const inSlices = <A>(work: () => Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const steps = work()
    const slice: Effect.Effect<A> = Effect.suspend(() => {
      const until = performance.now() + SLICE_MS
      do {
        const { done, value } = steps.next()
        if (done === true) return Effect.succeed(value)
      } while (performance.now() < until)
      return Effect.zipRight(turn, slice)
    })
    // WHY deferred: the work before this call may already have taken a whole slice.
    return Effect.zipRight(turn, slice)
  })

/** Runs such a generator to its end at once: for work that is short. */
export const atOnce = <A>(steps: Generator<void, A>): A => {
  while (true) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
