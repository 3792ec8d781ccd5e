/** Reads a report by parsing its JSON and decoding it by the schema of its kind. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { PhysicalKind } from "../../environment/EnvironmentKind.js"
import * as RunningRow from "../../environment/RunningRow.js"
import * as FieldErrors from "../../shared/FieldErrors.js"
import * as JsonText from "../../shared/JsonText.js"
import * as EnvironmentReport from "../EnvironmentReport.js"
import { InvalidReport, type ReportContent, type ReportText } from "../ReportContent.js"

/** The content of a report that amounts to these rows. */
export const contentOf = (rows: ReadonlyArray<RunningRow.RunningRow>): ReportContent => ({
  runningSetText: (options) => RunningRow.runningSetText(rows, options),
  rows: () => rows
})

const invalid = (errors: FieldErrors.FieldErrors) => new InvalidReport({ errors })

const decode = <K extends PhysicalKind>(kind: K, value: unknown) =>
  Either.mapBoth(EnvironmentReport.decode(kind, value), {
    onLeft: ({ issue }) => invalid(FieldErrors.fromParseIssue(issue)),
    onRight: (report) => contentOf(EnvironmentReport.rows(kind, report))
  })

/** Reads a report. */
export const read = ({ kind, text }: ReportText): Effect.Effect<ReportContent, InvalidReport> =>
  JsonText.check(text, EnvironmentReport.problemsOf(kind)).pipe(
    Effect.zipRight(JsonText.read(text)),
    Effect.mapError(invalid),
    Effect.flatMap((value) => decode(kind, value))
  )
