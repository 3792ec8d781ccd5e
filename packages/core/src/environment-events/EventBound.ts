/**
 * One end of a range of the event log: an index, `NOW`, or a duration such as `2days` before now.
 *
 * Epoch seconds are separate parameters and take precedence; the caller decides that. `SnapshotRange` has
 * ranges of snapshots (`A..B`). Both bounds are inclusive, as in the audit log.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { clamp } from "../shared/internal/UtcCalendar.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type * as SnapshotExpression from "../snapshot/SnapshotExpression.js"
import * as SnapshotRange from "../snapshot/SnapshotRange.js"

/** One end of a range: a snapshot, or a number of seconds before the request. */
export type EventBound =
  | SnapshotRange.Bound
  | { readonly _tag: "SecondsAgo"; readonly seconds: number }

/** Text that is no end of a range. */
export class InvalidEventBound extends Schema.TaggedError<InvalidEventBound>()(
  "InvalidEventBound",
  { bound: Schema.String }
) {
  override get message(): string {
    return `\`${this.bound}\` is not an interval value`
  }
}

const UNITS: ReadonlyArray<readonly [words: RegExp, seconds: number]> = [
  [/^(s|sec|secs|second|seconds)$/, 1],
  [/^(m|min|mins|minute|minutes)$/, 60],
  [/^(h|hr|hrs|hour|hours)$/, 3600],
  [/^(d|day|days)$/, 86_400],
  [/^(w|week|weeks)$/, 604_800]
]

const DURATION = /^([0-9]{1,9})([a-z]+)$/

const parseDuration = (text: string): Option.Option<EventBound> => {
  const [, count, word = ""] = DURATION.exec(text) ?? []
  const unit = UNITS.find(([words]) => words.test(word))
  return unit === undefined
    ? Option.none()
    : Option.some({ _tag: "SecondsAgo", seconds: Number(count) * unit[1] })
}

/** Parses one end; the empty text is none. */
export const parse = (text: string): Either.Either<EventBound, InvalidEventBound> =>
  Either.fromOption(
    Option.orElse(text === "" ? Option.none() : SnapshotRange.parseBound(text), () =>
      parseDuration(text)
    ),
    () => new InvalidEventBound({ bound: text })
  )

/** The end as an index or an instant; an index is clamped to the existing ones, 0 without any. */
export const locate = (
  bound: EventBound,
  { now, latestIndex }: { readonly now: Timestamp; readonly latestIndex: number }
): SnapshotExpression.Locator =>
  bound._tag === "SecondsAgo"
    ? { _tag: "AtInstant", instant: clamp(now - bound.seconds * 1_000_000) }
    : { _tag: "AtIndex", index: SnapshotRange.clampedIndex(bound, latestIndex) }
