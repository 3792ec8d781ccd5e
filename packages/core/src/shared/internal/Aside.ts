/** Work that is done while others wait for something else, such as a database that has been asked. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Node, and whatever is like it, has this; others do not. */
declare const setImmediate: ((next: () => void) => void) | undefined

/**
 * Lets one turn of the event loop pass, where there is a way to: whatever was about to be sent is sent in it.
 *
 * WHY not `Effect.yieldNow` everywhere: that lets other fibers run, and not the loop; and a timer comes late.
 */
const turn: Effect.Effect<void> =
  typeof setImmediate === "function"
    ? Effect.async((resume) => setImmediate(() => resume(Effect.void)))
    : Effect.yieldNow()

/** Begins work once the caller waits for something, and gives the way to wait for its end. */
export const aside = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.fork(Effect.zipRight(turn, work)), (fiber) =>
    Effect.flatten(Fiber.await(fiber))
  )
