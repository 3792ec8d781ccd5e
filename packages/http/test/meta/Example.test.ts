/** Examples made from schemas alone, and texts made from patterns. */
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as Example from "../../src/meta/internal/Example.js"
import { tidy } from "../../src/meta/internal/JsonSchema.js"
import * as PatternSample from "../../src/meta/internal/PatternSample.js"

const patterns = [
  "^[a-zA-Z0-9][a-zA-Z0-9-]{0,63}$",
  "^[a-f0-9]{5,64}$",
  "^[a-zA-Z0-9\\-_,]+$",
  "^custom:[\\s\\S]*?$",
  "^$|^[a-f0-9]{64}$",
  "^https://",
  "^(?:asc|desc)$",
  "^v(\\d+)(?:\\.\\d{2,3})?$",
  "^[^/]+/[^/]+$",
  "^[)(]+x$"
]

describe("a text for a pattern", () => {
  it.each(patterns)("matches %s", (pattern) => {
    const text = PatternSample.sample(pattern)
    assert.match(text, new RegExp(pattern))
    assert.isNotEmpty(text)
  })

  it("terminates for every text", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ maxLength: 40 }), (source) => {
        assert.isString(PatternSample.sample(source))
      })
    )
  })
})

describe("an example", () => {
  const make = (schema: object, name = "") =>
    Example.make({ Loop: loop }, schema, { extent: "response", name })
  const loop = {
    type: "object",
    required: ["next"],
    properties: { next: { type: "array", items: { $ref: "#/components/schemas/Loop" } } }
  }

  it("is the annotated example of the schema, before anything else", () => {
    assert.strictEqual(make({ type: "string", examples: ["mine"] }, "org"), "mine")
  })

  it("is the example word where the schema allows it, and a simple value otherwise", () => {
    assert.strictEqual(make({ type: "string" }, "org"), "acme")
    assert.strictEqual(make({ type: "integer", minimum: 5 }, "org"), 5)
    assert.strictEqual(make({ type: "string", pattern: "^[0-9]{3}$" }, "org"), "000")
    assert.strictEqual(make({ anyOf: [{ type: "null" }, { type: "boolean" }] }), true)
  })

  it("terminates for a recursive schema", () => {
    assert.include(JSON.stringify(make({ $ref: "#/components/schemas/Loop" })), '{"next":[]}')
  })
})

describe("a tidy schema", () => {
  it("drops the additions of the framework and keeps the annotations of the contract", () => {
    const given = {
      title: "maxLength(4)",
      description: "a string at most 4 character(s) long",
      properties: { title: { type: "string", description: "What it is called" } },
      required: [],
      items: { $ref: "#/components/schemas/Int" }
    }
    assert.deepStrictEqual(tidy(given), {
      properties: { title: { type: "string", description: "What it is called" } },
      items: { type: "integer" }
    })
  })
})
