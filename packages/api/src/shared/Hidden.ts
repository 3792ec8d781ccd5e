/** The field of rows that are about a flow which the caller does not read. SPEC §5 */
import * as Schema from "effect/Schema"

/** Present in a row that a flow knows which the caller does not read: what that flow says is null or empty there. */
export const Hidden = Schema.optionalWith(
  Schema.Literal(true).annotations({
    description: "A flow that you do not read knows this. What the flow says is null or empty here."
  }),
  { exact: true }
)

/** How many rows an answer about policies leaves out; absent where it leaves out none. */
export const hiddenRows = Schema.optionalWith(
  Schema.Int.annotations({
    description: "How many rows are not judged, because a flow knows them that you do not read."
  }),
  { exact: true }
)
