/** The field `as_of` of responses to reads as of an instant. */
import type { Timestamp } from "@attestry/core/Timestamp"

/** The field of a view; none for a view of now. */
export const asOfIn = ({ asOf }: { readonly asOf?: Timestamp }) =>
  asOf === undefined ? {} : { as_of: asOf }
