/** A clock that can be set: it shows the times of the demo while its history is made, and the real time afterwards. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The clock, and how it is set. */
export interface DemoClock {
  readonly clock: Clock.Clock
  /** Stops the clock at an instant, in milliseconds since the epoch. */
  readonly stopAt: (millis: number) => void
  /** Lets the clock tell the real time again. */
  readonly release: () => void
}

/** A clock that shows the real time until it is stopped; sleeping always takes real time. */
export const make = (): DemoClock => {
  const real = Clock.make()
  let stopped: number | undefined
  const millis = () => stopped ?? real.unsafeCurrentTimeMillis()
  const nanos = () =>
    stopped === undefined ? real.unsafeCurrentTimeNanos() : BigInt(Math.floor(stopped)) * 1_000_000n
  return {
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: Effect.sync(nanos),
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: nanos,
      sleep: (duration) => real.sleep(duration)
    },
    stopAt: (at) => {
      stopped = Math.floor(at)
    },
    release: () => {
      stopped = undefined
    }
  }
}
