/** The problems that are found in a text are those of the schema. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, ParseResult, Schema } from "effect"
import * as Dictionary from "../../src/shared/Dictionary.js"
import { fromParseIssue, sensitive } from "../../src/shared/FieldErrors.js"
import { MORE_FIELD, MORE_MESSAGE, PROBLEMS_MAX } from "../../src/shared/Problems.js"
import * as Slices from "../../src/shared/Slices.js"
import * as TextProblems from "../../src/shared/TextProblems.js"

const Item = Schema.Struct({
  a: Schema.String,
  b: Schema.optionalWith(Schema.NullOr(Schema.Array(Schema.Int)), { exact: true })
})

const Body = Schema.Struct({
  items: Schema.Array(Item),
  few: Schema.optionalWith(Schema.Array(Schema.Number).pipe(Schema.maxItems(3)), { exact: true }),
  labels: Schema.optionalWith(
    Dictionary.make({ key: Schema.String, value: Schema.String, members: { type: "string" } }),
    { exact: true }
  ),
  either: Schema.optionalWith(Schema.Union(Schema.String, Item), { exact: true }),
  anything: Schema.optionalWith(Schema.Unknown, { exact: true }),
  secret: Schema.optionalWith(Schema.String.annotations(sensitive), { exact: true })
})

const strict = { onExcessProperty: "error" } as const
const decode = ParseResult.decodeUnknownEither(Body, { ...strict, errors: "all" })

const find = (text: string, small: number) =>
  Slices.runSync(TextProblems.make(Body, strict, small)(text)).toFieldErrors()

const expected = (value: unknown) =>
  Either.match(decode(value), { onLeft: (issue) => fromParseIssue(issue), onRight: () => ({}) })

const name = FastCheck.constantFrom(
  "items",
  "few",
  "labels",
  "either",
  "anything",
  "secret",
  "a",
  "b",
  "x"
)

const value = FastCheck.letrec<{ readonly value: unknown }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 4 },
    FastCheck.constantFrom<unknown>(null, true, 1, 1.5, "", "text"),
    FastCheck.array(tie("value"), { maxLength: 5 }),
    FastCheck.dictionary(name, tie("value"), { maxKeys: 5 })
  )
})).value

const body = FastCheck.oneof(
  value,
  FastCheck.record(
    {
      items: FastCheck.array(
        FastCheck.oneof(
          FastCheck.record({ a: FastCheck.string(), b: value }, { requiredKeys: ["a"] }),
          value
        ),
        { maxLength: 4 }
      ),
      few: FastCheck.array(FastCheck.oneof(FastCheck.integer(), value), { maxLength: 6 }),
      labels: FastCheck.dictionary(name, FastCheck.oneof(FastCheck.string(), value)),
      either: FastCheck.oneof(FastCheck.string(), value),
      anything: value,
      secret: value
    },
    { requiredKeys: [] }
  )
)

describe("TextProblems", () => {
  it.prop(
    "finds what the schema finds in a small text",
    { given: body },
    ({ given }) => assert.deepStrictEqual(find(JSON.stringify(given), 1_000_000), expected(given)),
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "finds no problem that the schema does not have, for any size of small parts",
    { given: body, small: FastCheck.integer({ min: 0, max: 30 }), space: FastCheck.boolean() },
    ({ given, small, space }) => {
      const found = find(JSON.stringify(given, null, space ? 2 : 0), small)
      if (Object.keys(found).length > 0) assert.isTrue(Either.isLeft(decode(given)))
      assert.notInclude(JSON.stringify(found.secret ?? ""), "text")
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it("reports the same for a large value as for a small one", () => {
    const wide = { items: [...Array.from({ length: 5 }, () => 0), { a: 1, x: 2 }], y: [1, 2, 3] }
    assert.deepStrictEqual(find(JSON.stringify(wide), 10), expected(wide))
    const long = { items: [], few: [1, 2, 3, 4], labels: { a: 1, b: [], c: "" }, either: [1, 2, 3] }
    assert.deepStrictEqual(find(JSON.stringify(long), 4), expected(long))
    const list = [1, 2, 3, 4, 5, 6]
    assert.deepStrictEqual(find(JSON.stringify(list), 4), expected(list))
  })

  it("ends at the limit of problems, and reports that there are more", () => {
    const text = `{"items":[${"0,".repeat(PROBLEMS_MAX)}0,not even JSON`
    const found = Object.entries(find(text, 10))
    assert.strictEqual(found.length, PROBLEMS_MAX + 1)
    assert.deepStrictEqual(found.at(-1), [MORE_FIELD, MORE_MESSAGE])
    assert.strictEqual(found[0]?.[0], "items[0]")
  })

  it.prop("ends on any text", { text: FastCheck.string({ unit: "binary" }) }, ({ text }) => {
    for (const small of [0, 5]) find(`{"items":[{"a":${text}`, small)
    find(text, 0)
  })
})
