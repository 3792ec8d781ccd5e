/** The columns of a cadence: null where the value of the domain has no such member. */
import * as Cadence from "@attestry/core/Cadence"
import * as Schema from "effect/Schema"

/** The columns of a cadence. */
export const fields = {
  report_every: Schema.NullOr(Cadence.ReportEvery),
  when_silent: Schema.NullOr(Schema.Literal("non_compliant"))
}

/** The columns of a value without a cadence. */
export const NONE = { report_every: null, when_silent: null }

/** A row with the members of its cadence in place of the columns. */
export const withCadence = <
  A extends { readonly report_every: number | null; readonly when_silent: "non_compliant" | null }
>({
  report_every,
  when_silent,
  ...row
}: A): Omit<A, "report_every" | "when_silent"> & Cadence.StoredCadence => ({
  ...row,
  ...(report_every === null ? {} : { report_every }),
  ...(when_silent === null ? {} : { when_silent })
})
