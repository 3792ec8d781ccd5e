/**
 * When an environment is silent: it has a cadence, has reported, and has missed the next report. Pure. SPEC §3.23
 *
 * Silence begins with the missed report and is declared `GRACE_SECONDS` later, because stores write the times of
 * unchanged reports with a delay. Time alone declares it; a clock that steps back declares nothing.
 */
import * as Schema from "effect/Schema"
import { fromMicros, plusSeconds, Timestamp } from "../shared/Timestamp.js"
import * as Cadence from "./Cadence.js"

/** The seconds from the missed report to the declaration. */
export const GRACE_SECONDS = 15

/** A period of silence: it ends with the next report, and `to_at` is null until then. */
export const Silence = Schema.Struct({ from_at: Timestamp, to_at: Schema.NullOr(Timestamp) })
/** A period of silence. */
export type Silence = typeof Silence.Type

/** A reason for the verdict of a snapshot that is not about a row. */
export const SnapshotReason = Schema.Struct({
  type: Schema.Literal("environment_silent"),
  /** The instant by which a report was due. */
  silent_since: Timestamp,
  description: Schema.String
})
/** A reason for the verdict of a snapshot that is not about a row. */
export type SnapshotReason = typeof SnapshotReason.Type

/** The fields of an environment that silence depends on. */
export interface ReportTimes extends Cadence.StoredCadence {
  readonly last_reported_at: Timestamp | null
  readonly silent_since?: Timestamp
}

/** The step that the silence of an environment needs. */
export type Decision =
  /** Nothing; look again at this instant, or not before the next report where it is null. */
  | { readonly _tag: "Wait"; readonly until: Timestamp | null }
  /** The environment is silent since `since`, and that became certain at `due`. */
  | { readonly _tag: "Begin"; readonly since: Timestamp; readonly due: Timestamp }
  /** A report has ended the silence. */
  | { readonly _tag: "End"; readonly at: Timestamp }

/** The instant by which the next report is due; null without a cadence and before the first report. */
export const expectedAt = ({ report_every, last_reported_at }: ReportTimes): Timestamp | null =>
  report_every === undefined || last_reported_at === null
    ? null
    : plusSeconds(last_reported_at, report_every)

/** The instant at which a silence that began is declared. */
export const dueOf = (since: Timestamp): Timestamp => plusSeconds(since, GRACE_SECONDS)

/** The instant of the next look at an environment; null where no silence can begin. */
export const nextLook = (times: ReportTimes): Timestamp | null => {
  const since = times.silent_since === undefined ? expectedAt(times) : null
  return since === null ? null : dueOf(since)
}

/** The end of a silence by a report of that instant; not before its beginning. */
export const endOf = (since: Timestamp, reported: Timestamp): Timestamp =>
  fromMicros(Math.max(since, reported))

/** Decides the step at an instant. */
export const decide = (times: ReportTimes, now: Timestamp): Decision => {
  const { silent_since: silent, last_reported_at: reported } = times
  if (silent !== undefined) {
    return reported !== null && reported > silent
      ? { _tag: "End", at: reported }
      : { _tag: "Wait", until: null }
  }
  const since = expectedAt(times)
  if (since === null) return { _tag: "Wait", until: null }
  const due = dueOf(since)
  return now < due ? { _tag: "Wait", until: due } : { _tag: "Begin", since, due }
}

/** Whether a silence was declared by an instant and had not ended then. */
export const isDeclaredAt = ({ from_at, to_at }: Silence, instant: Timestamp): boolean =>
  dueOf(from_at) <= instant && (to_at === null || to_at > instant)

/** The reasons of snapshots of a silent environment; empty if its silence only warns. */
export const reasonsOf = ({
  report_every,
  silent_since,
  when_silent
}: Omit<ReportTimes, "last_reported_at">): ReadonlyArray<SnapshotReason> =>
  silent_since === undefined || report_every === undefined || when_silent === undefined
    ? []
    : [
        {
          type: "environment_silent",
          silent_since,
          description:
            `the environment has not reported for more than ${Cadence.describe(report_every)}: ` +
            "start its reporter again, or change its cadence"
        }
      ]
