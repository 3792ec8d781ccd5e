/**
 * The place of a snapshot among those of its environment: its instant, its neighbours, its duration.
 *
 * A snapshot never changes; these values are derived at the read. Indexes count from 1 without gaps, and
 * instants increase with them. SPEC §4.5
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Sorted from "../shared/internal/Sorted.js"
import { EpochSeconds, fromMicros, type Timestamp, toSeconds } from "../shared/Timestamp.js"
import { toBoolean, type Verdict } from "../shared/Verdict.js"

/** The instant of a new snapshot: now, or just after the latest one. Lookups by time stay unambiguous. */
export const nextTimestamp = (now: Timestamp, latest: Option.Option<Timestamp>): Timestamp =>
  Option.match(latest, {
    onNone: () => now,
    onSome: (instant) => (now > instant ? now : fromMicros(instant + 1))
  })

/** The highest index whose instant is not after this one; 0 when there is none. */
export const indexAt = (instants: ReadonlyArray<Timestamp>, instant: Timestamp): number =>
  Sorted.placeAfter(instants, instant, Sorted.byValue)

/** The neighbours of a snapshot; `next` is the instant of the one after it. */
export const neighbours = (
  next: Option.Option<Timestamp>
): { readonly is_latest: boolean; readonly next_snapshot_timestamp: Timestamp | null } => ({
  is_latest: Option.isNone(next),
  next_snapshot_timestamp: Option.getOrNull(next)
})

/** One line of the list of snapshots; `to` is 0 for the latest, whose duration reaches to now. */
export const SnapshotSummary = Schema.Struct({
  index: Schema.Int,
  from: EpochSeconds,
  to: EpochSeconds,
  compliant: Schema.Boolean,
  duration: Schema.Finite
}).annotations({ identifier: "SnapshotSummary" })
/** One line of the list of snapshots. */
export type SnapshotSummary = typeof SnapshotSummary.Type

/** The line of one snapshot in the list. */
export const summarize = (
  snapshot: { readonly index: number; readonly timestamp: Timestamp; readonly verdict: Verdict },
  { next, now }: { readonly next: Option.Option<Timestamp>; readonly now: Timestamp }
): SnapshotSummary => ({
  index: snapshot.index,
  from: snapshot.timestamp,
  to: Option.getOrElse(next, () => fromMicros(0)),
  compliant: toBoolean(snapshot.verdict),
  duration: toSeconds(
    fromMicros(Math.max(0, Option.getOrElse(next, () => now) - snapshot.timestamp))
  )
})
