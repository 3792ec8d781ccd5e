/**
 * Instants: integer microseconds inside, epoch seconds with a fraction on the wire.
 *
 * Only this module converts between the two. Order comes from sequence numbers and snapshot indexes, not from
 * instants (DECISIONS.md, "Order comes from sequence numbers").
 */
import * as Schema from "effect/Schema"

/** The largest instant: beyond it a number of microseconds is not exact. */
export const MICROSECONDS_MAX = Number.MAX_SAFE_INTEGER

/** An instant as whole microseconds since the epoch. */
export const Timestamp = Schema.Int.pipe(
  Schema.between(-MICROSECONDS_MAX, MICROSECONDS_MAX),
  Schema.brand("Timestamp")
)
/** An instant as whole microseconds since the epoch. */
export type Timestamp = typeof Timestamp.Type

/** The instant that is this many microseconds after the epoch; fractions are dropped. */
export const fromMicros = (micros: number): Timestamp => {
  const whole = Math.trunc(micros)
  // WHY: every request does this more than once, and the schema accepts exactly the safe integers.
  return Number.isSafeInteger(whole) ? (whole as Timestamp) : Timestamp.make(whole)
}

/** The instant that is this many milliseconds after the epoch. */
export const fromMillis = (millis: number): Timestamp => fromMicros(millis * 1000)

/** Epoch seconds, with the microseconds as a fraction. */
export const toSeconds = (instant: Timestamp): number => instant / 1_000_000

/** The instant nearest to a number of epoch seconds. */
export const fromSeconds = (seconds: number): Timestamp => {
  const micros = Math.round(seconds * 1_000_000)
  // WHY: at the limits a double of seconds rounds one microsecond too far.
  return Timestamp.make(within(micros))
}

const within = (micros: number): number =>
  Math.max(-MICROSECONDS_MAX, Math.min(MICROSECONDS_MAX, micros))

/** The instant this many seconds later; the first or last instant where there is none. */
export const plusSeconds = (instant: Timestamp, seconds: number): Timestamp =>
  fromMicros(within(instant + seconds * 1_000_000))

/** Epoch seconds on the wire, a `Timestamp` inside. */
export const EpochSeconds = Schema.transform(
  Schema.Finite.pipe(Schema.between(-MICROSECONDS_MAX / 1_000_000, MICROSECONDS_MAX / 1_000_000)),
  Schema.typeSchema(Timestamp),
  { strict: true, decode: fromSeconds, encode: toSeconds }
).annotations({
  identifier: "EpochSeconds",
  description: "Seconds since the epoch, with a fraction"
})
