/** Waits for a change of a log by polling. The number of waiting requests is limited. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { LogBusy } from "../LogProof.js"

/** The maximum number of waiting requests. SPEC §8 */
export const WAITING_MAX = 256

const PAUSE = "250 millis"

/** The condition to wait for, and the time limit. */
export interface Wait<A> {
  readonly seconds: number
  readonly isOver: (value: A) => boolean
}

/** Makes the waiting of one service. */
export const make = () => {
  let waiting = 0
  return <A, E, R>(
    read: Effect.Effect<A, E, R>,
    { seconds, isOver }: Wait<A>
  ): Effect.Effect<A, E | LogBusy, R> => {
    if (seconds === 0) return read
    const wait = Effect.gen(function* () {
      const end = (yield* Clock.currentTimeMillis) + seconds * 1000
      for (;;) {
        const value = yield* read
        if (isOver(value) || (yield* Clock.currentTimeMillis) >= end) return value
        yield* Effect.sleep(PAUSE)
      }
    })
    return Effect.suspend((): Effect.Effect<A, E | LogBusy, R> => {
      if (waiting >= WAITING_MAX) return new LogBusy({ waiting })
      waiting += 1
      return Effect.ensuring(
        wait,
        Effect.sync(() => {
          waiting -= 1
        })
      )
    })
  }
}
