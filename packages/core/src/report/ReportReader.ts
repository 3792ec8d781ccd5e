/**
 * Port: reads the texts of reports.
 *
 * The default parses the JSON and decodes it by the schema of its kind. `FastReportReader.layer` gives the same
 * answers in a fraction of the time for texts that resemble the last one of their environment; a host chooses.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as PlainReportReader from "./internal/PlainReportReader.js"
import type { InvalidReport, ReportContent, ReportText } from "./ReportContent.js"

/** Port: reads the texts of reports. */
export class ReportReader extends Context.Reference<ReportReader>()("@attestry/core/ReportReader", {
  defaultValue: (): {
    readonly read: (report: ReportText) => Effect.Effect<ReportContent, InvalidReport>
  } => ({ read: PlainReportReader.read })
}) {}
