/** The clock of the machine, later by the time that tests let pass. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** A clock, and the effect that lets minutes pass on it. */
export const movedClock = () => {
  let passed = 0n
  const clock: Clock.Clock = {
    ...Clock.make(),
    unsafeCurrentTimeMillis: () => Date.now() + Number(passed / 1_000_000n),
    unsafeCurrentTimeNanos: () => BigInt(Date.now()) * 1_000_000n + passed,
    currentTimeMillis: Effect.sync(() => Date.now() + Number(passed / 1_000_000n)),
    currentTimeNanos: Effect.sync(() => BigInt(Date.now()) * 1_000_000n + passed)
  }
  const wait = (minutes: number): Effect.Effect<void> =>
    Effect.sync(() => {
      passed += BigInt(minutes) * 60_000_000_000n
    })
  return { clock, wait }
}
