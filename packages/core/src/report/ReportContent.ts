/** The content of a report, and the reasons why a text is not a report. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { EnvironmentKey } from "../environment/Environment.js"
import type { PhysicalKind } from "../environment/EnvironmentKind.js"
import type { RunningRow, RunningSetOptions } from "../environment/RunningRow.js"

/** The text of a report, and the environment that it is about. */
export interface ReportText extends EnvironmentKey {
  readonly kind: PhysicalKind
  readonly text: string
}

/** What a report says. */
export interface ReportContent {
  /** The set of things that run as one text; see `RunningRow.runningSetText`. */
  readonly runningSetText: (options: RunningSetOptions) => Effect.Effect<string>
  /** The rows that the report amounts to, in the order of snapshots. */
  readonly rows: Effect.Effect<ReadonlyArray<RunningRow>>
}

/** The text is no report of its kind; `errors` says by field what is wrong. */
export class InvalidReport extends Schema.TaggedError<InvalidReport>()("InvalidReport", {
  errors: Schema.Record({ key: Schema.String, value: Schema.String })
}) {
  override get message(): string {
    return "the report is not valid"
  }
}
