/** The schemas of the results of commands about audit capsules. */
import * as Schema from "effect/Schema"
import { NullableText, optional, result, Texts } from "../shared/ResultSchema.js"

const { Number: Count, String: Text } = Schema

const release = { environment: Text, index: Count, artifact: Text, fingerprint: Text }

const Claim = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("releases"),
    from: Count,
    to: Count,
    releases: Count,
    complete: Count
  }),
  Schema.Struct({ type: Schema.Literal("release"), ...release, at: Count, verdict: Text }),
  Schema.Struct({
    type: Schema.Literal("requirement"),
    ...release,
    requirement: Text,
    state: Text,
    given: Schema.Array(Schema.Struct({ by: Text, at: Count, entry: Count }))
  }),
  Schema.Struct({
    type: Schema.Literal("snapshot"),
    environment: Text,
    index: Count,
    verdict: Text,
    at: Count,
    rows: Count
  }),
  Schema.Struct({ type: Schema.Literal("trail"), flow: Text, trail: Text, status: Text }),
  Schema.Struct({ type: Schema.Literal("artifact"), fingerprint: Text, flows: Count }),
  Schema.Struct({
    type: Schema.Literal("chain"),
    subject: Schema.Struct({ type: Text, id: Text }),
    entries: Count
  }),
  Schema.Struct({ type: Schema.Literal("file"), sha256: Text, size: Count }),
  Schema.Struct({
    type: Schema.Literal("document"),
    sha256: Text,
    position: Count,
    state: Text
  })
)

const Findings = Schema.Array(Schema.Struct({ claim: Claim, reasons: Texts }))

/** Every schema. */
export const ALL = [
  result("capsule-create", "A saved audit capsule: attestry capsule create", {
    file: Text,
    size: Count
  }),
  result("capsule-verify", "What a capsule proves: attestry capsule verify", {
    outcome: Schema.Literal("proved", "not-proved", "wrong", "refused"),
    refusal: NullableText,
    problem: NullableText,
    org: optional(Text),
    origin: optional(Text),
    size: optional(Count),
    made_at: optional(Text),
    entries: optional(Count),
    proved: optional(Schema.Array(Claim)),
    not_proved: optional(Findings),
    wrong: optional(Findings),
    withheld: optional(Schema.Struct({ entries: Count, members: Count, documents: Count })),
    keys: optional(Texts),
    own_keys: optional(Schema.Boolean),
    witnesses: optional(Texts),
    quorum: optional(Schema.NullOr(Schema.Boolean))
  })
]
