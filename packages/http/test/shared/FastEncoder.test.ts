/** The fast encoder has the result of the schema's own encoder. */
import { EpochSeconds, fromMicros } from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as FastEncoder from "../../src/shared/internal/FastEncoder.js"

const Answer = Schema.Struct({
  at: EpochSeconds,
  name: Schema.String,
  size: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true }),
  next: Schema.NullOr(EpochSeconds),
  items: Schema.Array(
    Schema.Struct({
      id: Schema.Union(Schema.String, Schema.Int),
      seen: Schema.optionalWith(EpochSeconds, { exact: true }),
      anything: Schema.Unknown
    })
  )
})

const time = FastCheck.integer({ min: 0, max: 2_000_000_000_000_000 }).map(fromMicros)
const item = FastCheck.record(
  {
    id: FastCheck.oneof(FastCheck.string(), FastCheck.integer(), FastCheck.constant(true)),
    seen: FastCheck.oneof(time, FastCheck.constant("never")),
    anything: FastCheck.jsonValue(),
    secret: FastCheck.constant("not part of the answer")
  },
  { requiredKeys: ["id", "anything"] }
)
/** Values of the schema, some with a wrong or missing part. */
const answer = FastCheck.record(
  {
    at: time,
    name: FastCheck.oneof({ weight: 9, arbitrary: FastCheck.string() }, FastCheck.constant(1)),
    size: FastCheck.constantFrom(1, null, 1.5),
    next: FastCheck.oneof(time, FastCheck.constant(null)),
    items: FastCheck.array(item, { maxLength: 3 }),
    secret: FastCheck.constant("not part of the answer")
  },
  { requiredKeys: ["at", "name", "items"] }
)

const attempt = (encode: (value: unknown) => unknown, value: unknown) => {
  try {
    return { encoded: encode(value) }
  } catch {
    return "refused"
  }
}

describe("FastEncoder", () => {
  it.prop(
    "encodes and refuses as the schema does",
    { value: FastCheck.oneof({ weight: 9, arbitrary: answer }, FastCheck.jsonValue()) },
    ({ value }) => {
      const schema = Schema.make<unknown, unknown, never>(Answer.ast)
      assert.deepStrictEqual(
        attempt(FastEncoder.make(Answer.ast), value),
        attempt(Schema.encodeSync(schema), value)
      )
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it("returns an encoded value as it is, and leaves out unknown fields", () => {
    const Plain = Schema.Struct({ a: Schema.Number, b: Schema.Array(Schema.String) })
    const value = { a: 1, b: ["x"] }
    assert.strictEqual(FastEncoder.make(Plain.ast)(value), value)
    assert.deepStrictEqual(FastEncoder.make(Plain.ast)({ ...value, c: 1 }), value)
  })
})
