/**
 * The verdicts of an environment over time as runs, each of which lasts until the next one begins.
 *
 * Where there are more runs than a reader can show, they are merged, and the worst verdict of a merged time wins, so
 * that no failure disappears.
 */
import * as Schema from "effect/Schema"
import { EpochSeconds, fromMicros, type Timestamp } from "../shared/Timestamp.js"
import { min, Verdict } from "../shared/Verdict.js"

/** A verdict, and the instant at which it begins. */
export const VerdictRun = Schema.Struct({ from: EpochSeconds, verdict: Verdict }).annotations({
  identifier: "VerdictRun"
})
/** A verdict, and the instant at which it begins. */
export type VerdictRun = typeof VerdictRun.Type

/** A time: its first instant, and the first one after it. */
export interface Period {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** Runs without those that repeat the verdict before them. */
const joined = (runs: ReadonlyArray<VerdictRun>): ReadonlyArray<VerdictRun> =>
  runs.filter(({ verdict }, at) => runs[at - 1]?.verdict !== verdict)

/** The runs of a period; one that begins earlier and reaches into it begins with it. */
const within = (runs: ReadonlyArray<VerdictRun>, { from, to }: Period): ReadonlyArray<VerdictRun> =>
  runs.flatMap((run, at) => {
    const end = runs[at + 1]?.from ?? to
    if (end <= from || run.from >= to) return []
    return [run.from < from ? { ...run, from } : run]
  })

/** The runs in equal parts of a period, each with the worst verdict of its time. */
const inParts = (
  runs: ReadonlyArray<VerdictRun>,
  { from, to }: Period,
  parts: number
): ReadonlyArray<VerdictRun> => {
  const width = Math.ceil((to - from) / parts)
  const partOf = (instant: number) => Math.floor((instant - from) / width)
  const worst = new Map<number, VerdictRun>()
  for (const [at, run] of runs.entries()) {
    const last = partOf((runs[at + 1]?.from ?? to) - 1)
    for (let part = partOf(run.from); part <= last; part++) {
      const known = worst.get(part)
      worst.set(
        part,
        known === undefined
          ? { from: fromMicros(Math.max(run.from, from + part * width)), verdict: run.verdict }
          : { ...known, verdict: min(known.verdict, run.verdict) }
      )
    }
  }
  return [...worst.values()]
}

/** The runs of a period, at most `max` of them. Runs are given oldest first. */
export const summarize = (
  runs: ReadonlyArray<VerdictRun>,
  period: Period,
  max: number
): ReadonlyArray<VerdictRun> => {
  const exact = joined(within(runs, period))
  return exact.length <= max ? exact : joined(inParts(exact, period, max))
}
