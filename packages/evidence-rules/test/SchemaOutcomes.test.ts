/** What a schema makes of data depends on both alone, takes linear time on honest data, and ends on any. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { evaluate, passes, problems } from "./shared.js"

const range = (length: number) => Array.from({ length }, (_, index) => index)
const TOO_MUCH = "Data takes more steps than the schema of its type may use"

/** Each definition refers to the next one twice. */
const doubling = {
  definitions: Object.fromEntries(
    range(60).map((index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/definitions/d${index + 1}` }, { $ref: `#/definitions/d${index + 1}` }] }
    ])
  ),
  $ref: "#/definitions/d0"
}
const exponential = {
  ...doubling,
  definitions: { ...doubling.definitions, d60: { type: "object" } }
}

layer(PayloadRulesWorker.layer({ threads: 2 }), { excludeTestServices: true, timeout: 60_000 })(
  "the outcome of a schema",
  (it) => {
    const problemOf = (schema: unknown, data: unknown) =>
      Effect.map(evaluate([], data, schema), ({ problem }) => problem)

    it.effect("is right for honest data of a mebibyte", () =>
      Effect.gen(function* () {
        const numbers = {
          definitions: { n: { type: "number" } },
          items: { $ref: "#/definitions/n" }
        }
        assert.isNull(yield* problemOf(numbers, range(150_000)))
        assert.isNull(yield* problemOf({ uniqueItems: true }, range(150_000)))
        const objects = range(80_000).map((id) => ({ id }))
        assert.isNull(yield* problemOf({ uniqueItems: true }, objects))
        const contained = {
          definitions: { s: { type: "string" } },
          contains: { $ref: "#/definitions/s" }
        }
        assert.isNull(yield* problemOf(contained, [...range(150_000), "last"]))
        assert.include(yield* problemOf(contained, range(150_000)), "must contain at least 1")
      })
    )

    it.effect("compares whole values whatever the order of their keys", () =>
      Effect.gen(function* () {
        assert.include(
          yield* problemOf({ uniqueItems: true }, [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }]),
          "must NOT have duplicate items (items ## 0 and 2 are identical)"
        )
        const listed = { properties: { a: { enum: [{ b: 1, c: 2 }] }, d: { const: [1] } } }
        assert.isNull(yield* problemOf(listed, { a: { c: 2, b: 1 }, d: [1] }))
        assert.include(yield* problemOf(listed, { a: 1 }), "/a must be equal to one of the allowed")
        assert.include(yield* problemOf(listed, { d: 1 }), "/d must be equal to constant")
      })
    )

    it.effect("is a problem, always the same, for what takes more than its budget", () =>
      Effect.gen(function* () {
        const hostile: ReadonlyArray<readonly [unknown, unknown]> = [
          [exponential, {}],
          [{ $ref: "#" }, {}],
          [{ allOf: [{ $ref: "#" }] }, {}],
          [{ format: "url" }, `http://${":".repeat(1_000_000)}`],
          [{ pattern: "(.{500}){1,2}x{900}y" }, "a".repeat(1_000_000)]
        ]
        for (const [schema, data] of hostile) {
          assert.strictEqual(yield* problemOf(schema, data), TOO_MUCH)
          assert.strictEqual(yield* problemOf(schema, data), TOO_MUCH)
        }
        assert.isTrue(yield* passes("true"))
      })
    )

    it.effect("takes nothing in a schema for code", () =>
      Effect.gen(function* () {
        const schema = {
          $id: "*/;throw(1);/*",
          properties: { '"){throw 1}for(': { const: "return false;}" } }
        }
        assert.isNull(yield* problemOf(schema, { '"){throw 1}for(': "return false;}" }))
        assert.include(yield* problemOf(schema, { '"){throw 1}for(': 1 }), "must be equal")
      })
    )

    it.effect("is a refusal for a schema above the limits, and none at them", () =>
      Effect.gen(function* () {
        const wide = (count: number) => ({ enum: range(count).map((id) => ({ id })) })
        const addressed = (count: number) => ({
          definitions: Object.fromEntries(
            range(count).map((id) => [`d${id}`, { $id: `https://example.org/${id}` }])
          )
        })
        const patterned = (length: number) => ({ pattern: "a".repeat(length) })
        for (const schema of [wide(4_999), addressed(20), patterned(4_096)])
          assert.deepStrictEqual(yield* problems([], schema), [])
        const refused = [
          wide(5_000),
          addressed(21),
          patterned(4_097),
          { pattern: ".{1000}".repeat(580) }
        ]
        for (const schema of refused)
          assert.deepStrictEqual(
            (yield* problems([], schema)).map(({ field }) => field),
            ["type_schema"]
          )
      })
    )
  }
)
