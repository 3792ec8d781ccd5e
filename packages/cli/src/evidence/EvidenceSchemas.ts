/** The schemas of the results of commands about evidence files. */
import * as Schema from "effect/Schema"
import { Fields, result } from "../shared/ResultSchema.js"

const { Boolean: Truth, NullOr, Number: Count, String: Text } = Schema

/** Every schema. */
export const ALL = [
  result("evidence-verify", "Whether evidence files are verified: attestry evidence verify", {
    verified: Truth,
    trust_policy: Text,
    documents: Schema.Array(
      Schema.Struct({
        file: Text,
        line: NullOr(Count),
        kind: Text,
        verification: Fields,
        build_level: NullOr(Count),
        about: NullOr(Truth),
        subjects: Schema.Array(Fields),
        facts: Fields
      })
    ),
    ignored: Schema.Array(Schema.Struct({ file: Text, line: Count, reason: Text }))
  }),
  result("evidence-judge", "An evidence file that was judged again: attestry evidence judge", {
    digest: Text,
    changed: Count,
    links: Schema.Array(Fields)
  })
]
