/** Parsing in slices is parsing. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as JsonSlices from "../../src/shared/internal/JsonSlices.js"
import * as Slices from "../../src/shared/Slices.js"

/** What a parser makes of a text: the value, or that it is none. */
const outcomeOf = (parse: () => unknown): unknown => {
  try {
    return { value: parse() }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSlices.NotJson) return "not JSON"
    throw error
  }
}

const inSlices = (text: string, slice: number): unknown =>
  outcomeOf(() => Slices.runSync(JsonSlices.parse(text, slice)))

const whole = (text: string): unknown => outcomeOf(() => JSON.parse(text))

const json = FastCheck.json({ maxDepth: 5, stringUnit: "binary" })
const slice = FastCheck.integer({ min: 1, max: 40 })

describe("JsonSlices", () => {
  it.prop(
    "gives the value of a text",
    { text: json, slice, space: FastCheck.constantFrom("", " ", "\n  ") },
    ({ text, slice: length, space }) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space)
      assert.deepStrictEqual(inSlices(spaced, length), whole(spaced))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "refuses exactly what the platform refuses",
    {
      text: json,
      slice,
      at: FastCheck.double({ min: 0, max: 1, noNaN: true }),
      put: FastCheck.constantFrom(",", ":", "[", "]", "{", "}", '"', "\\", " ", "1", "t", "")
    },
    ({ text, slice: length, at, put }) => {
      const place = Math.floor(at * text.length)
      for (const spoiled of [
        text.slice(0, place) + put + text.slice(place),
        text.slice(0, place) + put + text.slice(place + 1),
        text.slice(0, place)
      ]) {
        assert.deepStrictEqual(inSlices(spoiled, length), whole(spoiled), spoiled)
      }
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.each(["[,1]", "[1,]", "[1,,2]", "[]x", "{,}", '{"a":1,}', '{"a"}', "[1}", "", " ", "nul"])(
    "refuses %s",
    (text) => assert.strictEqual(inSlices(text, 2), "not JSON")
  )

  it("keeps a member called __proto__", () => {
    const text = `{"a":[${"1,".repeat(20)}1],"__proto__":{"b":[${"2,".repeat(20)}2]}}`
    const { value } = inSlices(text, 8) as { readonly value: object }
    assert.strictEqual(JSON.stringify(value), text)
  })
})
