/**
 * `ReportReader` for environments that send nearly the same report again and again.
 *
 * It scans a text without building its value, and reads only the units that differ from the last report of the
 * environment. INVARIANT: what it answers is what the plain reader answers; texts that it cannot scan, malformed
 * ones included, go to the plain reader. Gain: benchmarks 1, 2 and 5 in docs/PERFORMANCE.md.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Slices from "../shared/Slices.js"
import * as LastReportCache from "./internal/LastReportCache.js"
import * as PlainReportReader from "./internal/PlainReportReader.js"
import * as ScannedReport from "./internal/ScannedReport.js"
import { ReportReader } from "./ReportReader.js"

/** Longer texts go to the plain reader, which reads in slices. No step on a text of this length takes over 30 ms. */
const SCANNED_MAX = 2_097_152

/** About as many characters as a unit has at least. */
const UNIT_CHARACTERS = 128

/** `ReportReader` that scans, and remembers the last report of each environment. */
export const layer: Layer.Layer<ReportReader> = Layer.sync(ReportReader, () => {
  const cache = LastReportCache.make()
  return {
    read: (report) =>
      Effect.suspend(() => {
        if (report.text.length > SCANNED_MAX) return PlainReportReader.read(report)
        const scanned = ScannedReport.read(report, cache.find(report))
        if (scanned === undefined) return PlainReportReader.read(report)
        const step = <A>(compute: () => A) =>
          Effect.zipRight(
            Slices.between(report.text.length / UNIT_CHARACTERS),
            Effect.sync(compute)
          )
        return Effect.succeed({
          runningSetText: (options) => step(() => scanned.runningSetText(options)),
          rows: step(() => {
            const baseline = scanned.baseline()
            cache.keep(report, baseline)
            return baseline.rows
          })
        })
      })
  }
})
