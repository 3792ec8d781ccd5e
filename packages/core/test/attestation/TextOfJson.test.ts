/** Data of attestations as a value, and as the text of one. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { orText } from "../../src/attestation/internal/TextOfJson.js"
import { DEPTH_MAX } from "../../src/shared/JsonPrecheck.js"
import * as SchemaFastPath from "../../src/shared/SchemaFastPath.js"

const Any = orText(Schema.Unknown)
const decode = Schema.decodeUnknownSync(Any)
const container = FastCheck.oneof(
  FastCheck.array(FastCheck.jsonValue()),
  FastCheck.dictionary(FastCheck.stringMatching(/^[a-z]{1,4}$/), FastCheck.jsonValue())
).map((value): unknown => JSON.parse(JSON.stringify(value)))

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

describe("TextOfJson", () => {
  it.prop(
    "reads the text of an object or a list as that",
    { container },
    ({ container: value }) => {
      assert.deepStrictEqual(decode(value), value)
      for (const space of [undefined, 2]) {
        assert.deepStrictEqual(decode(` ${JSON.stringify(value, null, space)}\n`), value)
      }
    }
  )

  it.prop("leaves any other text and value as it is", { value: FastCheck.jsonValue() }, (given) => {
    const value: unknown = JSON.parse(JSON.stringify(given.value))
    const text = `x${JSON.stringify(value)}`
    assert.strictEqual(decode(text), text)
    if (typeof value !== "string") assert.deepStrictEqual(decode(value), value)
  })

  it.each(["", "text", "12", "true", "null", '"{}"', "{", "[1,]", "{a: 1}"])("leaves %j", (text) =>
    assert.strictEqual(decode(text), text)
  )

  it("refuses a text that is JSON beyond the limits, and reads one at the limit", () => {
    assert.isArray(decode(nested(DEPTH_MAX)))
    const refused = Schema.decodeUnknownEither(Any)
    assert.isTrue(Either.isLeft(refused(nested(DEPTH_MAX + 1))))
    assert.isTrue(Either.isLeft(refused('{"a":1,"a":2}')))
  })

  it("has the value checked by the schema, and takes the short way for values only", () => {
    const Data = Schema.Struct({ is_compliant: Schema.Boolean })
    const refused = Schema.decodeUnknownEither(orText(Data))
    assert.deepStrictEqual(refused('{"is_compliant":true}'), Either.right({ is_compliant: true }))
    for (const text of ["text", "[]", "{}", '{"is_compliant":1}']) {
      assert.isTrue(Either.isLeft(refused(text)), text)
    }
    const fits = SchemaFastPath.make(orText(Data))
    assert.deepStrictEqual(
      [fits({ is_compliant: true }), fits('{"is_compliant":true}')],
      [true, false]
    )
  })
})
