/** Field errors of refused inputs, in the words that clients know. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as FieldErrors from "../../src/shared/FieldErrors.js"
import { json } from "../../testing/arbitrary/Text.js"

const errorsOf = <A, I>(
  schema: Schema.Schema<A, I>,
  input: unknown,
  prefix?: string
): FieldErrors.FieldErrors =>
  Either.match(
    Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })(input),
    {
      onLeft: ({ issue }) => FieldErrors.fromParseIssue(issue, prefix),
      onRight: () => ({})
    }
  )

const Item = Schema.Struct({ name: Schema.String, count: Schema.Int })

const Body = Schema.Struct({
  title: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(3)),
  kind: Schema.Literal("one", "two"),
  items: Schema.Array(Item).pipe(Schema.maxItems(2)),
  note: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true })
})

const body = { title: "abc", kind: "one", items: [{ name: "a", count: 1 }] }

describe("FieldErrors.printInput", () => {
  it.prop(
    "shows at most 100 characters, and no half of a surrogate pair",
    { text: FastCheck.string({ unit: "binary", maxLength: 220, size: "max" }) },
    ({ text }) => {
      const characters = Array.from(text)
      assert.strictEqual(
        FieldErrors.printInput(text),
        characters.length <= 100 ? text : `${characters.slice(0, 100).join("")}…`
      )
    }
  )

  it.each([
    [undefined, "None"],
    [null, "None"],
    ["", ""],
    [7, "7"],
    [{ a: [1] }, '{"a":[1]}'],
    ["x".repeat(100), "x".repeat(100)],
    ["x".repeat(101), `${"x".repeat(100)}…`],
    ["🦉".repeat(100), "🦉".repeat(100)],
    ["🦉".repeat(101), `${"🦉".repeat(100)}…`]
  ])("shows %j as %s", (input, text) => assert.strictEqual(FieldErrors.printInput(input), text))
})

describe("FieldErrors.fromParseIssue", () => {
  it.prop("has a field for every refusal, for any input", { input: json }, ({ input }) => {
    const messages = Object.values(errorsOf(Body, input))
    assert.strictEqual(messages.length > 0, true)
    assert.deepStrictEqual(
      messages.filter((message) => !/^[A-Z].* \[input: .*\]$/s.test(message)),
      []
    )
  })

  it("finds every problem, each under its own path", () =>
    assert.deepStrictEqual(
      errorsOf(Body, { title: "", kind: "three", items: [{ name: 1 }, { count: 1.5 }], extra: 1 }),
      {
        title: "String should have at least 1 character [input: ]",
        kind: "Input should be 'one' or 'two' [input: three]",
        "items[0].name": "Input should be a valid string [input: 1]",
        "items[0].count": "Field required [input: None]",
        "items[1].name": "Field required [input: None]",
        "items[1].count": "Input should be a valid integer [input: 1.5]",
        extra: "Extra inputs are not permitted [input: 1]"
      }
    ))

  it("calls the whole input `body`, and puts the prefix before each name", () => {
    assert.deepStrictEqual(errorsOf(Body, []), {
      body: "Input should be a valid dictionary or object to extract fields from [input: []]"
    })
    assert.deepStrictEqual(errorsOf(Body, { ...body, title: "abcd" }, "query."), {
      "query.title": "String should have at most 3 characters [input: abcd]"
    })
  })

  it("reports the member of a union that the input comes closest to", () => {
    const Choice = Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Item }))
    assert.deepStrictEqual(errorsOf(Choice, { b: { name: "x", count: true } }), {
      "b.count": "Input should be a valid integer [input: true]"
    })
  })

  it("keeps the first problem of a field, and the message of a filter", () => {
    const Even = Schema.Number.pipe(
      Schema.filter((n) => n % 2 === 0 || "Input should be even"),
      Schema.filter((n) => n > 9 || "Input should be large")
    )
    assert.deepStrictEqual(errorsOf(Schema.Struct({ n: Even }), { n: 3 }), {
      n: "Input should be even [input: 3]"
    })
  })

  const sensitive = [
    Schema.String.pipe(Schema.maxLength(5)).annotations(FieldErrors.sensitive),
    Schema.String.annotations(FieldErrors.sensitive).pipe(Schema.maxLength(5), Schema.minLength(1)),
    Schema.String.pipe(Schema.maxLength(5), Schema.pattern(/^x/)).annotations(
      FieldErrors.sensitive
    ),
    Schema.String.pipe(Schema.filter(() => "Input should be a valid URL")).annotations(
      FieldErrors.sensitive
    ),
    Schema.NumberFromString.annotations(FieldErrors.sensitive),
    Schema.Literal("a", "b").annotations(FieldErrors.sensitive)
  ] as ReadonlyArray<Schema.Schema<unknown, string>>

  it.prop(
    "never shows the input of a sensitive field, for any problem",
    { secret: FastCheck.uuid(), schema: FastCheck.constantFrom(...sensitive) },
    ({ secret, schema }) => {
      for (const input of [secret, { [secret]: 1 }, [secret]]) {
        const errors = errorsOf(Schema.Struct({ key: schema }), { key: input })
        assert.deepStrictEqual(Object.keys(errors), ["key"])
        assert.strictEqual(errors.key?.endsWith(" [input: **REDACTED**]"), true)
        assert.strictEqual(errors.key?.includes(secret), false)
      }
    }
  )
})

describe("FieldErrors: messages", () => {
  const text = Schema.String
  const list = Schema.Array(text)

  it.each([
    [text, 1, "Input should be a valid string"],
    [Schema.Number, "1", "Input should be a valid number, unable to parse string as a number"],
    [Schema.Number, [], "Input should be a valid number"],
    [Schema.Boolean, 0, "Input should be a valid boolean, unable to interpret input"],
    [Schema.Boolean, "", "Input should be a valid boolean, unable to interpret input"],
    [Schema.Boolean, [], "Input should be a valid boolean"],
    [list, {}, "Input should be a valid list"],
    [Item, 1, "Input should be a valid dictionary or object to extract fields from"],
    [Schema.Literal("a"), "b", "Input should be 'a'"],
    [Schema.Literal("a", "b", "c"), "d", "Input should be 'a', 'b' or 'c'"],
    [Schema.NullOr(Schema.Literal("a")), "b", "Input should be 'a'"],
    [text.pipe(Schema.pattern(/^x$/)), "y", "String should match pattern '^x$'"],
    [text.pipe(Schema.minLength(2)), "y", "String should have at least 2 characters"],
    [text.pipe(Schema.maxLength(1)), "yy", "String should have at most 1 character"],
    [list.pipe(Schema.minItems(1)), [], "List should have at least 1 item after validation"],
    [
      list.pipe(Schema.maxItems(2)),
      ["", "", ""],
      "List should have at most 2 items after validation"
    ],
    [Schema.Number.pipe(Schema.between(1, 9)), 10, "Input should be between 1 and 9"],
    [
      Schema.Number.pipe(Schema.greaterThanOrEqualTo(1)),
      0,
      "Input should be greater than or equal to 1"
    ],
    [Schema.Number.pipe(Schema.lessThanOrEqualTo(1)), 2, "Input should be less than or equal to 1"]
  ] as ReadonlyArray<readonly [Schema.Schema<unknown, unknown>, unknown, string]>)(
    "says of %s what is wrong with %j",
    (schema, input, message) =>
      assert.deepStrictEqual(errorsOf(schema, input), {
        body: FieldErrors.withInput(message, input)
      })
  )
})
