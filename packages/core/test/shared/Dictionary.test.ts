import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, JSONSchema, Schema } from "effect"
import * as Dictionary from "../../src/shared/Dictionary.js"
import * as FieldErrors from "../../src/shared/FieldErrors.js"

const Ages = Dictionary.make({
  key: Schema.String.pipe(Schema.maxLength(20)),
  value: Schema.NumberFromString,
  members: { type: "string" }
})

const errorsOf = (input: unknown): FieldErrors.FieldErrors =>
  Either.match(Schema.decodeUnknownEither(Ages, { errors: "all" })(input), {
    onLeft: ({ issue }) => FieldErrors.fromParseIssue(issue),
    onRight: () => ({})
  })

describe("Dictionary", () => {
  it.prop(
    "keeps every member, for any key",
    {
      members: FastCheck.uniqueArray(
        FastCheck.tuple(
          FastCheck.oneof(
            FastCheck.constantFrom("__proto__", "constructor", "toString", "", "0"),
            FastCheck.string({ maxLength: 10 })
          ),
          FastCheck.integer()
        ),
        { selector: ([key]) => key }
      )
    },
    ({ members }) => {
      const sent = Object.fromEntries(members.map(([key, age]) => [key, String(age)]))
      const read = Schema.decodeUnknownSync(Ages)(sent)
      assert.deepStrictEqual(new Map(Object.entries(read)), new Map(members))
      assert.strictEqual(Object.getPrototypeOf(read), Object.prototype)
      assert.deepStrictEqual(Schema.encodeSync(Ages)(read), sent)
    }
  )

  it("names each member that it refuses", () =>
    assert.deepStrictEqual(Object.keys(errorsOf({ a: 1, b: "2", c: null })), ["a", "c"]))

  it("does not use a refused key as a field", () =>
    assert.deepStrictEqual(errorsOf({ "a key that is too long": "1" }), {
      body: "String should have at most 20 characters [input: a key that is too long]"
    }))

  it.each([[[]], [null], ["text"], [7]])("refuses %j", (input) =>
    assert.strictEqual(errorsOf(input).body?.startsWith("Input should be a valid dictionary"), true)
  )

  it("stops at the first problem unless all are requested", () => {
    const result = Schema.decodeUnknownEither(Ages)({ a: 1, b: 2 })
    const issue = Either.getOrThrow(Either.flip(result)).issue
    assert.deepStrictEqual(Object.keys(FieldErrors.fromParseIssue(issue)), ["a"])
  })

  it("publishes its members in its JSON Schema", () => {
    const { additionalProperties, type } = JSON.parse(JSON.stringify(JSONSchema.make(Ages)))
    assert.deepStrictEqual([type, additionalProperties], ["object", { type: "string" }])
  })
})
