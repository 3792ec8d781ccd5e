/**
 * Computations that pause by themselves, so that `Slices.run` can serve other requests in between.
 *
 * WHY apart from `Slices`: modules that a browser loads compute this way too, and do not load Effect for it.
 */

/** A computation that pauses now and then, and its result. */
export type Paused<A> = Generator<void, A>

/** Runs a computation that pauses by itself to its end, in one go: for work that is short, or that delays no other. */
export const runSync = <A>(steps: Paused<A>): A => {
  while (true) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
