/**
 * The cadence of an environment: how often it must report, and whether its silence makes it non-compliant.
 *
 * Both members are absent from stored values that do not need them, so that environments without a cadence are stored
 * as they were before there were cadences. `Silence` decides when an environment is silent. SPEC §3.23
 */
import * as Schema from "effect/Schema"
import * as MaxAge from "../policy/MaxAge.js"

/** The shortest cadence, in seconds. */
export const SECONDS_MIN = 60

/** The longest cadence, in seconds: 30 days. */
export const SECONDS_MAX = 2_592_000

/** At most this many seconds pass between two reports of an environment that is not silent. */
export const ReportEvery = Schema.Int.pipe(Schema.between(SECONDS_MIN, SECONDS_MAX))

/** The effect of silence: a warning, or the verdict NonCompliant. */
export const WhenSilent = Schema.Literal("warn", "non_compliant").annotations({
  identifier: "WhenSilent"
})
/** The effect of silence. */
export type WhenSilent = typeof WhenSilent.Type

/** The stored members of a cadence; a warning is the default and is absent. */
export const fields = {
  report_every: Schema.optionalWith(ReportEvery, { exact: true }),
  when_silent: Schema.optionalWith(Schema.Literal("non_compliant"), { exact: true })
}

/** A cadence as it is stored. */
export interface StoredCadence {
  readonly report_every?: number
  readonly when_silent?: "non_compliant"
}

/** A cadence as requests give it and responses show it; null is none. */
export interface Cadence {
  readonly report_every: number | null
  readonly when_silent: WhenSilent
}

/** The cadence of a stored value. */
export const of = ({ report_every, when_silent }: StoredCadence): Cadence => ({
  report_every: report_every ?? null,
  when_silent: when_silent ?? "warn"
})

/** The stored members of a cadence after some of them are given. */
export const revise = (
  current: StoredCadence,
  { report_every, when_silent }: Partial<Cadence>
): StoredCadence => {
  const known = of(current)
  const seconds = report_every === undefined ? known.report_every : report_every
  const effect = when_silent ?? known.when_silent
  return {
    ...(seconds === null ? {} : { report_every: seconds }),
    ...(effect === "warn" ? {} : { when_silent: effect })
  }
}

/** Whether two stored values have the same cadence. */
export const equals = (left: StoredCadence, right: StoredCadence): boolean =>
  left.report_every === right.report_every && left.when_silent === right.when_silent

/** A cadence for people: `15 minutes`. */
export const describe = (seconds: number): string =>
  seconds % 60 === 0 ? MaxAge.describe(seconds) : `${seconds} seconds`
