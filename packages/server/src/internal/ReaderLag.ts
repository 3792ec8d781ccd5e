/**
 * How old the data of a standby is: writers renew the lease `clock`, and a reader compares it with the clock of its own
 * database. The age of the lease bounds the age of everything that is read, because replay keeps the order of commits.
 *
 * WHY five times a second: the age of a lease that is renewed each second reaches a second without any lag. It is
 * renewed while a reader lives, so that a deployment without one writes nothing.
 */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { ServerProcesses } from "./ServerProcesses.js"

/** The lease that tells the time. */
const CLOCK = "clock"

/** How long the lease is held: shorter than it takes to be renewed, so that every renewal succeeds. */
const HELD_MILLIS = 100

/** How often writers renew the lease, and readers read it. */
export const EVERY_MILLIS = 200

const MICROS = 1_000

/** Renews the lease while a reader lives, until the scope closes. */
export const renew: Effect.Effect<
  void,
  never,
  BackgroundLeaseStore | ServerProcesses | Scope.Scope
> = Effect.gen(function* () {
  const { acquire } = yield* BackgroundLeaseStore
  const { hasReader } = yield* ServerProcesses
  const turn = Effect.suspend(() => (hasReader() ? acquire(CLOCK, HELD_MILLIS) : Effect.void))
  // WHY ignored: readers see that the lease grows old, and the next turn is soon.
  const forever = Effect.forever(Effect.delay(Effect.ignore(turn), EVERY_MILLIS))
  yield* Effect.forkScoped(forever)
})

const seconds = Metric.gauge("attestry_reader_lag_seconds", {
  description: "How old the data that this reader reads may be"
})

/** The age of the lease when it was read, and when that was by the clock of this process. */
interface Sample {
  readonly ageMillis: number
  readonly atMillis: number
}

/** The lag of the standby of this reader. */
export class ReaderLag extends Effect.Service<ReaderLag>()("@attestry/server/ReaderLag", {
  effect: Effect.gen(function* () {
    const { heldUntil } = yield* BackgroundLeaseStore
    let last: Sample | undefined

    /** How old the data may be, in milliseconds; undefined before anything is known. */
    const millis = (): number | undefined =>
      last === undefined ? undefined : last.ageMillis + performance.now() - last.atMillis

    const sample = Effect.gen(function* () {
      // WHY before: the time of the query counts as lag.
      const atMillis = performance.now()
      const lease = yield* heldUntil(CLOCK)
      last = Option.getOrUndefined(
        Option.map(lease, ({ until, now }) => ({
          ageMillis: Math.max(0, (now - until) / MICROS + HELD_MILLIS),
          atMillis
        }))
      )
    }).pipe(
      Effect.catchTag("StoreError", (error) =>
        Effect.logDebug("the lag of the standby could not be read", error)
      )
    )

    /** Reads the lag again and again, until the scope closes. */
    const watch: Effect.Effect<void, never, Scope.Scope> = Effect.asVoid(
      Effect.forkScoped(Effect.forever(Effect.zipRight(sample, Effect.sleep(EVERY_MILLIS))))
    )

    /** Updates the metric. */
    const measure: Effect.Effect<void> = Effect.suspend(() => {
      const lag = millis()
      return lag === undefined ? Effect.void : Metric.set(seconds, lag / 1_000)
    })

    /** Whether the data may be older than so many milliseconds. */
    const isOver = (max: number): boolean => {
      const lag = millis()
      return lag === undefined || lag > max
    }

    return { millis, isOver, watch, measure } as const
  })
}) {}
