import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option, Schema } from "effect"
import * as Dictionary from "../../src/shared/Dictionary.js"
import * as JsonScanner from "../../src/shared/internal/JsonScanner.js"
import * as Texts from "../../testing/arbitrary/Text.js"

const Sample = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1)),
  size: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true }),
  kind: Schema.Literal("one", 2, true, null),
  tags: Schema.Array(Schema.Boolean),
  ages: Dictionary.make({ key: Schema.String, value: Schema.Number, members: {} })
}).annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

const scan = JsonScanner.make(Sample)
const decode = Schema.decodeUnknownEither(Sample)
const sample = '{"name":"x","kind":"one","tags":[true],"ages":{"a":1,"b":-20}}'

/** What the parser and the schema make of a text. */
const readSlowly = (text: string) =>
  Either.flatMap(
    Either.try(() => JSON.parse(text)),
    decode
  )

/** What passes is what the slow way would take, and leave as it is. */
const isSound = (text: string): boolean => {
  const passed = scan(text)
  if (Option.isNone(passed)) return false
  const value: unknown = JSON.parse(text)
  const decoded = Either.getOrThrow(decode(value))
  assert.deepStrictEqual(decoded, value)
  const { members } = passed.value
  deepStrictEqual(
    Object.fromEntries(
      members.flatMap((name, at) =>
        at % 2 === 0 ? [[JSON.parse(name), JSON.parse(members[at + 1] ?? "")] as const] : []
      )
    ),
    decoded.ages
  )
  assert.deepStrictEqual(JSON.parse(JsonScanner.withoutMembers(text, passed.value)), {
    ...decoded,
    ages: Object.keys(decoded.ages).length
  })
  return true
}

const word = FastCheck.string({
  unit: FastCheck.constantFrom("a", "Z", "ß", "→", " ", "'", "/", "\u007f", "\u2028"),
  maxLength: 6
})

const sound = FastCheck.record(
  {
    name: word.filter((text) => text !== ""),
    size: FastCheck.option(FastCheck.integer(), { nil: null }),
    kind: FastCheck.constantFrom("one", 2, true, null),
    tags: FastCheck.array(FastCheck.boolean()),
    ages: FastCheck.dictionary(
      FastCheck.oneof(word, FastCheck.constant("__proto__")),
      FastCheck.integer()
    )
  },
  { requiredKeys: ["name", "kind", "tags", "ages"] }
)

const indent = FastCheck.constantFrom<Array<string | number>>("", 2, "\t", "\r\n ")

describe("JsonScanner", () => {
  it.prop(
    "passes sound texts without escapes, however they are laid out",
    { value: sound, indent, turned: FastCheck.boolean() },
    ({ value, indent: space, turned }) => {
      const entries = Object.entries(value)
      const text = JSON.stringify(
        Object.fromEntries(turned ? entries.reverse() : entries),
        null,
        space
      )
      assert.strictEqual(isSound(` ${text}\n`), true)
    }
  )

  it.prop(
    "never passes what the parser or the schema would refuse or change",
    { value: FastCheck.oneof(sound, FastCheck.jsonValue()), indent, edit: Texts.edit },
    ({ value, indent: space, edit }) => {
      const text = JSON.stringify(value, null, space)
      isSound(text)
      isSound(edit(text))
    },
    { fastCheck: { numRuns: 5_000 } }
  )

  it("passes, or does not pass, these", () => {
    const verdicts = (...texts: ReadonlyArray<string>) => texts.map(isSound)
    deepStrictEqual(
      verdicts(
        sample,
        sample.replace('"one"', "2"),
        sample.replace('"one"', "true"),
        sample.replace('"one"', " null "),
        sample.replace("[true]", "[ ]"),
        sample.replace('{"a":1,"b":-20}', "{ }"),
        sample.replace("-20", "0"),
        sample.replace("-20", "999999999999999"),
        sample.replace('"name"', '"size":null,"name"'),
        sample.replace('"a"', '"\u007f\ud7ff"')
      ),
      Array.from({ length: 10 }, () => true)
    )
    const refused = [
      "",
      "{}",
      "[]",
      "null",
      `${sample}x`,
      sample.slice(0, -1),
      sample.replace('"x"', '""'),
      sample.replace('"x"', '"\n"'),
      sample.replace('"x"', '"\0"'),
      sample.replace('"x"', '"x'),
      sample.replace("[true]", "[true,]"),
      sample.replace("[true]", "[,true]"),
      sample.replace("[true]", "[true false]"),
      sample.replace("[true]", "[tru]"),
      sample.replace("[true]", "[truetrue]"),
      sample.replace("-20", "-"),
      sample.replace("-20", "01"),
      sample.replace("-20", "+1"),
      sample.replace("-20", "1."),
      sample.replace("-20", "1_0"),
      sample.replace('"a":1', '"a" 1'),
      sample.replace('"a":1', "a:1"),
      sample.replace('"a":1', '"a":'),
      sample.replace('"kind":"one",', ""),
      sample.replace('"kind"', '"other":1,"kind"'),
      sample.replace('"kind"', '"__proto__":1,"kind"'),
      sample.replace("{", "{,"),
      sample.replace('"one"', '"three"')
    ]
    for (const text of refused) assert.strictEqual(Either.isLeft(readSlowly(text)), true, text)
    deepStrictEqual(
      verdicts(...refused),
      refused.map(() => false)
    )
  })

  it("leaves to the parser what would need it, though it is sound", () => {
    const left = [
      sample.replace('"x"', '"\\n"'),
      sample.replace('"name"', '"n\\u0061me"'),
      sample.replace('"x"', '"\u{1f600}"'),
      sample.replace('"x"', '"\ud800"'),
      sample.replace("-20", "1.5"),
      sample.replace("-20", "1e3"),
      sample.replace("-20", "1000000000000000"),
      sample.replace('"b"', '"a"'),
      sample.replace('"kind"', '"name":"y","kind"')
    ]
    for (const text of left) assert.strictEqual(Either.isRight(readSlowly(text)), true, text)
    deepStrictEqual(
      left.map(isSound),
      left.map(() => false)
    )
  })

  it("passes nothing of a schema that it cannot check", () => {
    const passes = <A, I>(schema: Schema.Schema<A, I>, text: string) =>
      Option.isSome(JsonScanner.make(schema)(text))
    assert.strictEqual(passes(Schema.NumberFromString, '"1"'), false)
    assert.strictEqual(passes(Schema.Struct({ a: Schema.NumberFromString }), '{"a":"1"}'), false)
    assert.strictEqual(
      passes(Schema.Record({ key: Schema.String, value: Schema.Int }), "{}"),
      false
    )
    assert.strictEqual(passes(Schema.Tuple(Schema.Int), "[1]"), false)
    assert.strictEqual(passes(Schema.Tuple([Schema.Int], Schema.Int), "[1]"), false)
    assert.strictEqual(passes(Schema.Unknown, "1"), false)
    const wide = (count: number) =>
      Schema.Struct(
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, Schema.Int] as const)
        )
      )
    const full = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])))
    assert.deepStrictEqual(
      [31, 32].map((count) => passes(wide(count), full(count))),
      [true, false]
    )
  })

  it("asks filters that nobody has spelled out for it", () => {
    const even = JsonScanner.make(
      Schema.Array(Schema.Int.pipe(Schema.filter((n) => n % 2 === 0))).pipe(Schema.maxItems(2))
    )
    assert.deepStrictEqual(
      ["[2,4]", "[2,3]", "[2,4,6]", "[]"].map((text) => Option.isSome(even(text))),
      [true, false, false, true]
    )
  })

  it("forgets the members of a choice that it had to give up", () => {
    const members = (valueMax: number) =>
      Dictionary.make({
        key: Schema.String,
        value: Schema.Number.pipe(Schema.lessThanOrEqualTo(valueMax)),
        members: {}
      })
    const choice = JsonScanner.make(Schema.Union(members(1), members(2)))
    deepStrictEqual(
      choice('{"a":1,"b":2}'),
      Option.some({ members: ['"a"', "1", '"b"', "2"], dictionaries: [0, 13, 2], items: [] })
    )
  })

  it("keeps where values are whose schema asks for it, but for those that it had to give up", () => {
    const one = Schema.Struct({ a: Schema.Int }).annotations(JsonScanner.placed)
    const other = Schema.Struct({ a: Schema.Int, b: Schema.Int }).annotations(JsonScanner.placed)
    const list = JsonScanner.make(Schema.Union(Schema.Array(one), Schema.Array(other)))
    const itemsOf = (text: string) => Option.getOrThrow(list(text)).items
    assert.deepStrictEqual(itemsOf('[ {"a":1},{"a":22} ]'), [2, 9, 10, 18])
    assert.deepStrictEqual(itemsOf('[{"a":1,"b":2}]'), [1, 14])
    assert.deepStrictEqual(itemsOf("[]"), [])
  })
})
