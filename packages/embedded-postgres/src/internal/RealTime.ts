/**
 * How does the launcher wait for things that happen outside this process?
 *
 * In real time, because a database server does not follow a test clock, and by asking a bounded
 * number of times, because finalizers cannot be interrupted.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Runs an effect on the real clock, whichever clock its caller has. */
export const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withClock(effect, Clock.make())

/** How often to ask, and for how long. */
export interface Patience {
  readonly everyMs: number
  readonly forMs: number
}

/** Asks until the answer is yes; `false` when the time is over. */
export const waitUntil = <E, R>(
  question: Effect.Effect<boolean, E, R>,
  { everyMs, forMs }: Patience
): Effect.Effect<boolean, E, R> => {
  const ask = (times: number): Effect.Effect<boolean, E, R> =>
    Effect.flatMap(question, (answer) =>
      answer || times <= 0 ? Effect.succeed(answer) : Effect.delay(ask(times - 1), everyMs)
    )
  return ask(Math.ceil(forMs / everyMs))
}
