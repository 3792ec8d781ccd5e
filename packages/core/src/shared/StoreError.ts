/** The failure of a store: the only infrastructure error of use cases. */
import * as Schema from "effect/Schema"

/** The store failed. The write can be repeated; it is complete or absent. */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect
}) {
  override get message(): string {
    return `the store could not answer \`${this.operation}\``
  }
}
