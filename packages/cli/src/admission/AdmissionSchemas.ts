/** The schemas of the results of admission. */
import * as Schema from "effect/Schema"
import { NullableText, result } from "../shared/ResultSchema.js"

const { Literal, String: Text } = Schema

/** Every schema. */
export const ALL = [
  result("admission", "A review that did not simply pass: attestry admit", {
    at: Text,
    uid: Text,
    outcome: Literal("warned", "failed-open", "break-glass", "denied"),
    namespace: Text,
    kind: Text,
    name: Text,
    operation: Text,
    user: Text,
    dry_run: Schema.Boolean,
    break_glass: NullableText,
    images: Schema.Array(
      Schema.Struct({
        image: Text,
        place: Text,
        found: Literal("compliant", "refused", "unanswered"),
        digest: NullableText,
        why: NullableText
      })
    )
  })
]
