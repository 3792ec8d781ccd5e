/** The schemas of the results of commands about the evidence log. */
import * as Schema from "effect/Schema"
import { NullableText, optional, result, Texts } from "../shared/ResultSchema.js"

const { Literal, Number: Count, String: Text } = Schema

/** Every schema. */
export const ALL = [
  result("log-pull", "A copy of the log: attestry log pull", {
    folder: Text,
    origin: Text,
    from: Count,
    size: Count,
    root: Text,
    keys: Texts
  }),
  result("log-verify", "Whether a copy, a receipt or a checkpoint holds: attestry log verify", {
    what: Literal("copy", "receipt", "checkpoint"),
    verified: Schema.Boolean,
    problem: NullableText,
    origin: Text,
    size: Count,
    from: optional(Count),
    root: optional(Text),
    index: optional(Count),
    at: optional(Text),
    kind: optional(NullableText),
    withheld: optional(Count),
    signed_by: optional(Texts)
  }),
  result("log-chain", "The entries about an artifact: attestry log chain", {
    fingerprint: Text,
    complete: Schema.Boolean,
    problem: NullableText,
    log: Schema.Struct({ origin: Text, size: Count, root: NullableText }),
    chains: Schema.Array(
      Schema.Struct({
        subject: Schema.Struct({ type: Text, id: Text }),
        links: Schema.Array(
          Schema.Struct({
            entry: Text,
            index: Count,
            kind: Text,
            at: Count,
            prev: Schema.NullOr(Count)
          })
        ),
        problem: NullableText
      })
    )
  }),
  result("log-receipt", "A receipt as tlog-proof: attestry log receipt --format tlog-proof", {
    entry: Text,
    tlog_proof: Text
  })
]
