/** One text per JSON value, for any order of keys. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import { json, jsonObject } from "../../testing/arbitrary/Text.js"

const { print } = CanonicalJson

/** The same value with the members of every object reversed. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, turned(member)])
      .reverse()
  )
}

/** The keys of every object, outermost first. */
const keysOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> => {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== "object" || value === null) return []
  return [Object.keys(value), ...Object.values(value).flatMap(keysOf)]
}

const isInteger = (key: string) => /^(0|[1-9][0-9]*)$/.test(key)

describe("CanonicalJson", () => {
  it.prop("is read back as the same value", { value: json }, ({ value }) =>
    assert.deepStrictEqual(JSON.parse(print(value)), value)
  )

  it.prop("does not depend on the order of keys", { value: json }, ({ value }) => {
    assert.strictEqual(print(turned(value)), print(value))
    assert.strictEqual(CanonicalJson.equals(turned(value), value), true)
  })

  it.prop("prints a printed part as its text", { part: json, other: json }, ({ part, other }) => {
    const printed = CanonicalJson.Printed.of(part)
    assert.strictEqual(print(printed), print(part))
    assert.strictEqual(print({ part: printed, other }), print({ other, part }))
    assert.strictEqual(print([other, printed]), print([other, part]))
  })

  it.prop("is a fixed point of parsing and printing", { value: json }, ({ value }) =>
    assert.strictEqual(print(JSON.parse(print(value))), print(value))
  )

  it.prop("sorts keys by code unit", { value: jsonObject }, ({ value }) => {
    // WHY: objects list keys that are integers first, whatever the text says.
    const written = keysOf(JSON.parse(print(value))).map((keys) =>
      keys.filter((key) => !isInteger(key))
    )
    assert.deepStrictEqual(
      written,
      written.map((keys) => [...keys].sort())
    )
  })

  it.prop(
    "distinguishes values that differ in one place",
    { value: jsonObject, key: FastCheck.string(), one: json, other: json },
    ({ value, key, one, other }) =>
      assert.strictEqual(
        CanonicalJson.equals({ ...value, [key]: one }, { ...value, [key]: other }),
        print(one) === print(other)
      )
  )

  it.prop(
    "is equal exactly for values with equal texts",
    {
      one: FastCheck.anything({ withNullPrototype: true, withObjectString: true }),
      other: FastCheck.anything({
        maxDepth: 1,
        values: [FastCheck.constantFrom(0, -0, null, undefined)]
      })
    },
    ({ one, other }) => {
      const pairs = [
        [one, other],
        [turned(one), one],
        [[{ a: one, b: other }], [{ b: other, a: other }]]
      ] as const
      for (const [left, right] of pairs) {
        assert.strictEqual(CanonicalJson.equals(left, right), print(left) === print(right))
      }
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop("is valid UTF-8, for any text", { text: FastCheck.string16bits() }, (given) => {
    const text = print({ [given.text]: given.text })
    assert.strictEqual(new TextDecoder().decode(new TextEncoder().encode(text)), text)
    assert.strictEqual(text.includes("\0"), false)
    assert.deepStrictEqual(JSON.parse(text), { [given.text]: given.text })
  })

  it.each([
    [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
    [{ é: 1, z: 2, Z: 3, "10": 4, "9": 5 }, '{"10":4,"9":5,"Z":3,"z":2,"é":1}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[undefined, 1], "[null,1]"],
    [[-0, 1e21, 1e-7, 0.1], "[0,1e+21,1e-7,0.1]"],
    [[Number.NaN, Number.POSITIVE_INFINITY], "[null,null]"],
    ['\u0000\ud800\u2028"', '"\\u0000\\ud800\u2028\\""'],
    [{}, "{}"],
    [undefined, "null"]
  ])("writes %j as %s", (value, text) => assert.strictEqual(print(value), text))
})
