/** The schemas of the results of commands about receipts of decisions. */
import * as Schema from "effect/Schema"
import { NullableText, optional, result, Texts } from "../shared/ResultSchema.js"

const { Number: Count, String: Text } = Schema

/** The places in a log, of a decision or of an entry. */
const Chain = Schema.Array(
  Schema.Struct({
    subject: Schema.Struct({ type: Text, id: Text }),
    entry: Text,
    index: Count
  })
)

/** Every schema. */
export const ALL = [
  result("receipt-verify", "Whether a receipt is accepted: attestry receipt verify", {
    verified: Schema.Boolean,
    refusal: NullableText,
    problem: NullableText,
    verdict: optional(Text),
    org: optional(Text),
    resource: optional(Text),
    subjects: optional(Schema.Array(Schema.Struct({ name: Text, sha256: Text }))),
    at: optional(Text),
    earlier: optional(Schema.Boolean),
    expires_at: optional(NullableText),
    snapshot: optional(Schema.NullOr(Count)),
    policies: optional(
      Schema.Array(
        Schema.Struct({
          name: Text,
          version: Count,
          sha256: NullableText,
          mode: optional(Text)
        })
      )
    ),
    policies_sha256: optional(Text),
    log: optional(Schema.Struct({ origin: Text, size: Count, root: NullableText })),
    chain: optional(Chain),
    keys: optional(Texts)
  })
]
