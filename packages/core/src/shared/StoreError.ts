/** "The store could not answer": the only infrastructure failure that a use case can meet. */
import * as Schema from "effect/Schema"

/** The store could not answer. The write may be repeated; nothing was half done. */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect
}) {
  override get message(): string {
    return `the store could not answer \`${this.operation}\``
  }
}
