/**
 * Snapshot expressions, and histories to resolve them in.
 *
 * Numbers are small and instants cluster around whole seconds and month ends, so that expressions often resolve
 * just inside or just outside of the history.
 */
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

const SECOND = 1_000_000
const DAY = 86_400 * SECOND

/** Instants of the years 1990 to 2060, to the microsecond; days at the end of a month are common. */
export const instant: FastCheck.Arbitrary<Timestamp.Timestamp> = FastCheck.tuple(
  FastCheck.integer({ min: 1990, max: 2060 }),
  FastCheck.integer({ min: 0, max: 11 }),
  FastCheck.oneof(
    FastCheck.constantFrom(1, 28, 29, 30, 31),
    FastCheck.integer({ min: 1, max: 31 })
  ),
  FastCheck.oneof(
    FastCheck.constantFrom(0, 1, DAY - 1),
    FastCheck.integer({ min: 0, max: DAY - 1 })
  )
).map(([year, month, day, micros]) =>
  Timestamp.fromMicros(Date.UTC(year, month, day) * 1000 + micros)
)

/** Instants without a fraction. */
export const wholeSecond: FastCheck.Arbitrary<Timestamp.Timestamp> = instant.map((at) =>
  Timestamp.fromMicros(Math.floor(at / SECOND) * SECOND)
)

/** The units of relative expressions. */
export const unit: FastCheck.Arbitrary<SnapshotExpression.Unit> = FastCheck.constantFrom(
  "hours",
  "days",
  "weeks",
  "months"
)

const number = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 12 }),
  FastCheck.integer({ min: 0, max: SnapshotExpression.NUMBER_MAX })
)

/** Every form; `print` writes each of them without loss. */
export const snapshotExpression: FastCheck.Arbitrary<SnapshotExpression.SnapshotExpression> =
  FastCheck.oneof(
    number.map((n) => SnapshotExpression.index(Math.max(1, n))),
    number.map((n) => SnapshotExpression.index(Math.min(-1, -n))),
    number.map(SnapshotExpression.behind),
    wholeSecond.map(SnapshotExpression.at),
    FastCheck.tuple(number, unit).map(([n, of]) => SnapshotExpression.ago(Math.max(1, n), of)),
    FastCheck.constant(SnapshotExpression.now)
  )

/** Instants of the snapshots of one environment: increasing, with gaps from a microsecond to a season. */
export const timeline: FastCheck.Arbitrary<ReadonlyArray<Timestamp.Timestamp>> = FastCheck.tuple(
  instant,
  FastCheck.array(
    FastCheck.oneof(
      FastCheck.constantFrom(1, SECOND / 2, SECOND, 3600 * SECOND, DAY, 31 * DAY),
      FastCheck.integer({ min: 1, max: 100 * DAY })
    ),
    { maxLength: 12 }
  ),
  FastCheck.boolean()
).map(([first, gaps, empty]) => {
  if (empty && gaps.length === 0) return []
  const instants = [first]
  for (const gap of gaps) instants.push(Timestamp.fromMicros((instants.at(-1) ?? first) + gap))
  return instants
})

/** Texts near the grammar: most are one error away from an expression. */
export const nearMiss: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.tuple(
    FastCheck.constantFrom("", "#", "~", "-", "+", "#-", "~-", "##", "@", " "),
    FastCheck.constantFrom("", "0", "1", "007", "123456789", "1234567890", "1.5", "1 ", "x")
  ).map(([sign, digits]) => sign + digits),
  FastCheck.tuple(
    FastCheck.constantFrom("0", "1", "2", "12", "01", "-1", "1.5", "1234567890"),
    FastCheck.constantFrom("hours", "days", "weeks", "months", "month", "years", "Days"),
    FastCheck.constantFrom("ago", "AGO", "")
  ).map(([count, of, ago]) => `@{${count}.${of}.${ago}}`),
  FastCheck.tuple(
    FastCheck.constantFrom("2024", "2023", "1900", "2000", "0000", "0001", "9999", "24"),
    FastCheck.constantFrom("00", "01", "02", "04", "12", "13", "2"),
    FastCheck.constantFrom("00", "01", "28", "29", "30", "31", "32"),
    FastCheck.constantFrom("T00:00:00", "T23:59:59", "T24:00:00", "T12:60:00", "T12:00:60", "", "Z")
  ).map(([year, month, day, time]) => `@{${year}-${month}-${day}${time}}`),
  FastCheck.constantFrom("@{now}", "@{NOW}", "now", "latest", "@{now", "@{}", "@{now}\n", "٣"),
  FastCheck.string({ maxLength: 8 })
)

/** A history, the instant of a request, and the text to resolve. */
export interface Lookup {
  readonly instants: ReadonlyArray<Timestamp.Timestamp>
  readonly now: Timestamp.Timestamp
  readonly text: string
}

const momentNear = (at: number, seconds: number): string =>
  SnapshotExpression.print(
    SnapshotExpression.at(Timestamp.fromMicros((Math.floor(at / SECOND) + seconds) * SECOND))
  )

/** Texts that often name an instant next to a snapshot, or a time that ends near one. */
export const lookup: FastCheck.Arbitrary<Lookup> = timeline.chain((instants) => {
  const latest = instants.at(-1) ?? Timestamp.fromMicros(0)
  const near = FastCheck.tuple(
    FastCheck.constantFrom(latest, ...instants),
    FastCheck.integer({ min: -1, max: 2 })
  ).map(([at, seconds]) => momentNear(at, seconds))
  return FastCheck.record({
    instants: FastCheck.constant(instants),
    now: FastCheck.oneof(
      FastCheck.constant(latest),
      FastCheck.integer({ min: 0, max: 400 * DAY }).map((gap) => Timestamp.fromMicros(latest + gap))
    ),
    text: FastCheck.oneof(near, snapshotExpression.map(SnapshotExpression.print), nearMiss)
  })
})
