/**
 * The mark of answers to callers who read a part of the org: what it stands at names something that the caller may not
 * read, and leaves the names out. SPEC §4.33
 */
import * as Schema from "effect/Schema"

/** The optional field; absent for everyone who reads the whole org. */
export const hiddenField = {
  hidden: Schema.optionalWith(
    Schema.Literal(true).annotations({
      description: "A flow that you do not read knows this; what it says is left out"
    }),
    { exact: true }
  )
}

/** The optional field of answers about policies: how many rows are not judged, because such a flow knows them. */
export const hiddenRowsField = {
  hidden_rows: Schema.optionalWith(
    Schema.Int.annotations({
      description: "How many rows are not judged, because a flow knows them that you do not read"
    }),
    { exact: true }
  )
}

/** A value that may say that something of it is left out. */
export interface MaybeHidden {
  readonly hidden?: true
}

/** The value of the optional field. */
export const toHidden = (isHidden: boolean): MaybeHidden => (isHidden ? { hidden: true } : {})

/** The value of the optional field of answers about policies. */
export const toHiddenRows = (count: number): { readonly hidden_rows?: number } =>
  count === 0 ? {} : { hidden_rows: count }
