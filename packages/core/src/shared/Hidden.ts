/**
 * The mark of answers to callers who read a part of the org: what it stands at names something that the caller may not
 * read, and leaves the names out. SPEC §4.33
 */
import * as Schema from "effect/Schema"

/** The optional field; absent for everyone who reads the whole org. */
export const hiddenField = { hidden: Schema.optionalWith(Schema.Literal(true), { exact: true }) }

/** A value that may say that something of it is left out. */
export interface MaybeHidden {
  readonly hidden?: true
}

/** The value of the optional field. */
export const toHidden = (isHidden: boolean): MaybeHidden => (isHidden ? { hidden: true } : {})
