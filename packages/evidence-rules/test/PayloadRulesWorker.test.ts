import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { evaluate, passes, problems } from "./shared.js"

const draft07 = "http://json-schema.org/draft-07/schema#"
const draft2020 = "https://json-schema.org/draft/2020-12/schema"

layer(PayloadRulesWorker.layer(), { excludeTestServices: true })("PayloadRulesWorker", (it) => {
  it.effect("evaluates the worked example of the specification", () =>
    Effect.gen(function* () {
      const rule = ".missed / .total * 100 <= 5"
      assert.isTrue(yield* passes(rule, { missed: 32, total: 1209 }))
      assert.isFalse(yield* passes(rule, { missed: 0, total: 0 }))
      assert.isFalse(yield* passes(rule, []))
    })
  )

  it.effect("takes nothing but `true` for a pass, at least once and without an error", () =>
    Effect.gen(function* () {
      for (const rule of ["true", "true, true", ".[] == 1", "def f: true; f", "true # yes"]) {
        assert.isTrue(yield* passes(rule, [1, 1]), rule)
      }
      const failing = [
        "empty",
        "null",
        "1",
        '"yes"',
        '"true"',
        "true, false",
        "[true]",
        'true, error("x")',
        "true, halt",
        'true, "attestry-end"',
        "input"
      ]
      for (const rule of failing) assert.isFalse(yield* passes(rule, [1, 1]), rule)
    })
  )

  it.effect("shows programs nothing of the process", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* passes("env == {}"))
      assert.isTrue(yield* passes("$ENV == {}"))
    })
  )

  it.effect("names every program that does not compile, and no other", () =>
    Effect.gen(function* () {
      const rules = [".a", "{", "true), (true", 'import "m" as m; true', 'error("at run time")']
      assert.deepStrictEqual(
        (yield* problems(rules)).map(({ field }) => field),
        ["evaluator.rules[1]", "evaluator.rules[2]", "evaluator.rules[3]"]
      )
    })
  )

  it.effect("refuses programs that read the clock, and no others that name it", () =>
    Effect.gen(function* () {
      const rules = ["now > 0", ".now == 1", "def now: 1; now == 1", '"CALL_BUILTIN now" == .']
      assert.deepStrictEqual(yield* problems(rules), [
        {
          field: "evaluator.rules[0]",
          message: "Expression should not read the clock: its outcome would depend on the time"
        }
      ])
      assert.isTrue(yield* passes("now > 1700000000"), "one that was saved before still reads it")
    })
  )

  it.effect("knows no time zone but UTC", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* passes("1425599621 | localtime == gmtime"))
      assert.isTrue(
        yield* passes('"2015 064" | strptime("%Y %j") | todate == "2015-03-05T00:00:00Z"')
      )
      assert.isTrue(
        yield* passes(
          '"Thu, 05 Mar 2015 23:51:47 +0100" | strptime("%a, %d %b %Y %T %z") | mktime == 1425599507'
        )
      )
    })
  )

  it.effect("validates by draft-07 and by 2020-12, and refuses other schemas", () =>
    Effect.gen(function* () {
      const schema = { type: "object", required: ["a"], properties: { a: { type: "integer" } } }
      for (const $schema of [undefined, draft07, draft2020]) {
        const own = $schema === undefined ? schema : { $schema, ...schema }
        assert.deepStrictEqual(yield* evaluate([], { a: 1 }, own), {
          problem: null,
          isCompliant: true
        })
        const { problem } = yield* evaluate([], { a: "x" }, own)
        assert.include(problem, "/a must be integer")
      }
      const tuple = { $schema: draft2020, prefixItems: [{ type: "string" }] }
      assert.isNotNull((yield* evaluate([], [1], tuple)).problem)
      const refused = [
        { $schema: "http://json-schema.org/draft-04/schema#" },
        { type: "nonsense" },
        { $ref: "https://example.org/elsewhere" },
        { pattern: "(?=x)" },
        [],
        "text"
      ]
      for (const bad of refused) {
        const found = yield* problems([], bad)
        assert.deepStrictEqual(
          found.map(({ field }) => field),
          ["type_schema"]
        )
      }
    })
  )

  it.effect("keeps patterns apart and matches them in linear time", () =>
    Effect.gen(function* () {
      const schema = {
        properties: { a: { pattern: "^x$" }, b: { pattern: "^y$" }, c: { pattern: "^(a+)+$" } }
      }
      assert.isNull((yield* evaluate([], { a: "x", b: "y" }, schema)).problem)
      assert.isNotNull((yield* evaluate([], { a: "x", b: "x" }, schema)).problem)
      const began = Date.now()
      assert.include(
        (yield* evaluate([], { c: `${"a".repeat(5_000)}!` }, schema)).problem,
        "pattern"
      )
      assert.isBelow(Date.now() - began, 2_500)
    })
  )
})
