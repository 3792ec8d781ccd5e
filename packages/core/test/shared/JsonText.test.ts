/** The check of a text agrees with its parsed value. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as JsonPrecheck from "../../src/shared/JsonPrecheck.js"
import * as JsonText from "../../src/shared/JsonText.js"
import * as StorableText from "../../src/shared/StorableText.js"

/** Texts with many escapes, quotes and brackets. */
const awkward = FastCheck.array(
  FastCheck.constantFrom("\\", '"', "[", "]", "{", "}", "1e999", "\u0000", "\ud800", "\ud83d\ude00")
).map((parts) => parts.join(""))

const value = FastCheck.letrec<{ readonly value: unknown }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 4 },
    awkward,
    FastCheck.double(),
    FastCheck.boolean(),
    FastCheck.constant(null),
    FastCheck.array(tie("value"), { maxLength: 3 }),
    FastCheck.dictionary(awkward, tie("value"), { maxKeys: 3 })
  )
})).value

const textsOf = (given: unknown): ReadonlyArray<string> => {
  if (typeof given === "string") return [given]
  if (Array.isArray(given)) return given.flatMap(textsOf)
  return typeof given === "object" && given !== null
    ? Object.entries(given).flatMap(([key, member]) => [key, ...textsOf(member)])
    : []
}

const wrapped = (text: string, depth: number) => `${"[".repeat(depth)}${text}${"]".repeat(depth)}`

describe("JsonText", () => {
  it.prop(
    "returns values that every store can hold, and no others",
    { given: value, space: FastCheck.constantFrom(undefined, 2) },
    ({ given, space }) => {
      const parsed = JsonText.parse(JSON.stringify(given, null, space))
      assert.strictEqual(Either.isRight(parsed), !textsOf(given).some(StorableText.isUnstorable))
      if (Either.isRight(parsed))
        assert.deepStrictEqual(parsed.right, JSON.parse(JSON.stringify(given)))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop("counts brackets outside of strings only", { text: awkward }, ({ text }) => {
    const inside = JSON.stringify(text.replaceAll(/[\0\ud800-\udfff]/g, ""))
    assert.isTrue(Either.isRight(JsonText.parse(wrapped(inside, JsonPrecheck.DEPTH_MAX))))
    assert.isTrue(Either.isLeft(JsonText.parse(wrapped(inside, JsonPrecheck.DEPTH_MAX + 1))))
    assert.isTrue(Either.isRight(JsonText.parse(JSON.stringify("[".repeat(100) + inside))))
  })

  it.each(["1e999", "-1E+400", '{"a":[1,2e308]}'])("refuses the number in %s", (text) =>
    assert.isTrue(Either.isLeft(JsonText.parse(text)))
  )

  it.each(["1e3", "[1.5E-400]", '"1e999"', '{"e999":true,"f":false}'])("accepts %s", (text) =>
    assert.deepStrictEqual(JsonText.parse(text), Either.right(JSON.parse(text)))
  )

  it.each(['"', '"\\', '"\\"', "\\", "[", '{"a":"\\"}', ""])(
    "refuses %j, which is no JSON",
    (text) => assert.isTrue(Either.isLeft(JsonText.parse(text)))
  )
})
