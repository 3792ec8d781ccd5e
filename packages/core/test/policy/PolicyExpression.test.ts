// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option } from "effect"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as Generated from "../../testing/arbitrary/PolicyExpression.js"
import { TAG_KEYS } from "../../testing/arbitrary/PolicyExpression.js"
import { expressionProblems as problems } from "./PolicyTexts.js"

const parse = (text: string) => Either.getOrThrow(PolicyExpression.parse(text))

/** Pieces that make texts which are almost expressions. */
const pieces = FastCheck.constantFrom(
  "flow.name",
  "flow.tags.a",
  "artifact.name",
  "flow",
  "and",
  "or",
  "not",
  "in",
  "exists",
  "matches",
  "(",
  ")",
  "[",
  "]",
  ",",
  "==",
  "<",
  '"x"',
  '"',
  "'y'",
  "3",
  "-1.5",
  "true",
  "null",
  "\\",
  "!",
  "$",
  "é",
  "\u{1f600}"
)
const nearMiss = FastCheck.array(pieces, { maxLength: 14 }).map((drawn) => drawn.join(" "))

describe("PolicyExpression.parse: properties", () => {
  it.prop("reads back what it printed", { expression: Generated.expression }, ({ expression }) =>
    assert.deepStrictEqual(
      PolicyExpression.parse(PolicyExpression.print(expression)),
      Either.right(expression)
    )
  )

  it.prop(
    "never throws, and points at a position in the text or just after it",
    { text: FastCheck.oneof(nearMiss, FastCheck.string(), FastCheck.fullUnicodeString()) },
    ({ text }) =>
      Either.match(PolicyExpression.parse(text), {
        onLeft: ({ problems: found }) =>
          assert.isTrue(
            found.every(({ position }) => position >= 1 && position <= text.length + 1)
          ),
        onRight: (expression) =>
          assert.deepStrictEqual(parse(PolicyExpression.print(expression)), expression)
      }),
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "reads the same with extra parentheses and white space (COND-10)",
    { expression: Generated.expression, space: FastCheck.constantFrom(" ", "\n", "\t\r\n ") },
    ({ expression, space }) => {
      const text = PolicyExpression.print(expression)
      assert.deepStrictEqual(parse(`(${space}(${text})${space})`), expression)
      assert.deepStrictEqual(parse(`${space}${text}${space}`), expression)
    }
  )

  it.prop(
    "reads everything after `flow.tags.` as one key (COND-9)",
    { key: FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_~-]*(\.[a-zA-Z0-9_~-]+)*$/) },
    ({ key }) =>
      assert.deepStrictEqual(parse(`exists(flow.tags.${key})`), {
        _tag: "Exists",
        operand: { _tag: "Tag", key }
      })
  )

  it.prop("unwraps what it wrapped", { text: FastCheck.string() }, ({ text }) =>
    deepStrictEqual(PolicyExpression.unwrap(PolicyExpression.wrap(text)), Option.some(text.trim()))
  )
})

const flowName = { _tag: "Field", field: "flow.name" } as const
const text = (value: string) => ({ _tag: "Text", value }) as const
const equal = (value: string) =>
  ({ _tag: "Compare", operator: "==", left: flowName, right: text(value) }) as const

describe("PolicyExpression.parse: examples", () => {
  it("binds `and` tighter than `or` (COND-3)", () =>
    assert.deepStrictEqual(parse('flow.name == "a" or flow.name == "b" and flow.name == "c"'), {
      _tag: "Or",
      terms: [equal("a"), { _tag: "And", terms: [equal("b"), equal("c")] }]
    }))

  it("binds `not` looser than comparison (COND-3)", () =>
    assert.deepStrictEqual(parse('not flow.name == "a"'), { _tag: "Not", term: equal("a") }))

  it("keeps chains flat, and groups apart", () => {
    assert.deepStrictEqual(parse('flow.name == "a" and flow.name == "b" and flow.name == "c"'), {
      _tag: "And",
      terms: [equal("a"), equal("b"), equal("c")]
    })
    assert.deepStrictEqual(parse('(flow.name == "a" and flow.name == "b") and flow.name == "c"'), {
      _tag: "And",
      terms: [{ _tag: "And", terms: [equal("a"), equal("b")] }, equal("c")]
    })
  })

  it("takes keywords after a dot as ordinary key text", () => {
    for (const key of ["in", "and", "or", "not", "true", "null", "exists", "flow.tags"])
      assert.deepStrictEqual(parse(`exists(flow.tags.${key})`), {
        _tag: "Exists",
        operand: { _tag: "Tag", key }
      })
  })

  it("reads both quotes and their escapes, and keeps other backslashes for patterns", () => {
    const read = (quoted: string) => {
      const expression = parse(`flow.name == ${quoted}`)
      return expression._tag === "Compare" && expression.right._tag === "Text"
        ? expression.right.value
        : undefined
    }
    assert.strictEqual(read(`"a'b"`), "a'b")
    assert.strictEqual(read(`'a"b'`), 'a"b')
    assert.strictEqual(read(String.raw`"a\"\\\n\t\r\'"`), "a\"\\\n\t\r'")
    assert.strictEqual(read(String.raw`"\.\d"`), String.raw`\.\d`)
    assert.deepStrictEqual(
      parse(String.raw`matches(flow.name, "^v\d+\.")`),
      parse(String.raw`matches(flow.name, "^v\\d+\\.")`)
    )
  })

  it("reads numbers with sign and fraction, and empty lists", () =>
    assert.deepStrictEqual(parse("flow.tags.a in [3, -1.50, +007, true, null, 'x'] or 1 in []"), {
      _tag: "Or",
      terms: [
        {
          _tag: "In",
          operand: { _tag: "Tag", key: "a" },
          list: [
            { _tag: "Number", digits: "3" },
            { _tag: "Number", digits: "-1.50" },
            { _tag: "Number", digits: "+007" },
            { _tag: "Boolean", value: true },
            { _tag: "Null" },
            text("x")
          ]
        },
        { _tag: "In", operand: { _tag: "Number", digits: "1" }, list: [] }
      ]
    }))

  it("takes the wrapper off from the outside only", () => {
    deepStrictEqual(PolicyExpression.unwrap("${{ true }}"), Option.some("true"))
    deepStrictEqual(PolicyExpression.unwrap("\n${{true}}\n"), Option.some("true"))
    deepStrictEqual(
      PolicyExpression.unwrap('${{ flow.name == "}}" }}'),
      Option.some('flow.name == "}}"')
    )
    deepStrictEqual(PolicyExpression.unwrap("${{}}"), Option.some(""))
    for (const bare of ["", "true", "${{ true", "true }}", "${ true }", "${{}"])
      deepStrictEqual(PolicyExpression.unwrap(bare), Option.none())
  })

  it("lists the fields and tags that an expression reads", () => {
    assert.isTrue(PolicyExpression.usesFlowName(parse("not (exists(flow.name) and true)")))
    assert.isFalse(
      PolicyExpression.usesFlowName(parse('exists(flow) or flow.tags.name == "flow.name"'))
    )
    assert.deepStrictEqual(
      PolicyExpression.patterns(
        parse(
          'matches(flow.name, "b") or not matches(artifact.name, "a") or matches(flow.name, "b")'
        )
      ),
      ["b", "a"]
    )
  })

  it("accepts exactly as many characters and levels as the limits", () => {
    const padded = (length: number) => `true${" ".repeat(length - 4)}`
    assert.deepStrictEqual(problems(padded(PolicyExpression.LENGTH_MAX)), [])
    assert.deepStrictEqual(problems(padded(PolicyExpression.LENGTH_MAX + 1)), [
      "4097: longer than 4096 characters: split it into several rules"
    ])
    const astral = `flow.name == "${"\u{1f600}".repeat(PolicyExpression.LENGTH_MAX - 15)}"`
    assert.strictEqual(Array.from(astral).length, PolicyExpression.LENGTH_MAX)
    assert.deepStrictEqual(problems(astral), [])
    const nested = (depth: number) => `${"(".repeat(depth)}true${")".repeat(depth)}`
    assert.deepStrictEqual(problems(nested(PolicyExpression.NESTING_MAX)), [])
    assert.deepStrictEqual(problems(nested(PolicyExpression.NESTING_MAX + 1)), [
      "34: nested more than 32 levels deep: split the expression"
    ])
    const negated = (depth: number) => `${"not ".repeat(depth)}true`
    assert.deepStrictEqual(problems(negated(32)), [])
    assert.strictEqual(problems(negated(33)).length, 1)
    const called = (depth: number) => `${"exists(".repeat(depth)}flow${")".repeat(depth)}`
    assert.deepStrictEqual(problems(called(32)), [])
    assert.strictEqual(problems(called(33)).length, 1)
  })

  it("reads the longest chains without nesting", () => {
    const chain = Array.from({ length: 400 }, () => "true").join(" or ")
    assert.deepStrictEqual(problems(chain), [])
  })
})

describe("PolicyExpression.parse: rejects", () => {
  const rejects: ReadonlyArray<readonly [text: string, problem: string]> = [
    ["", "1: the expression is empty: write a condition"],
    ["  ", "1: the expression is empty: write a condition"],
    ["true and", "9: the expression ends too early: a value is missing here"],
    ["(true", "6: expected `)`: close the parenthesis"],
    ["true)", "5: unexpected `)`: join conditions with `and` or `or`"],
    ["true true", "6: unexpected `true`: join conditions with `and` or `or`"],
    ["1 < 2 < 3", "7: comparisons do not chain: join two of them with `and`"],
    ["flow.name in ['a'] == true", "20: comparisons do not chain: join two of them with `and`"],
    ["flow.name = 'a'", "11: unexpected `=`: compare with `==`"],
    ["true && true", "6: unexpected `&`: join conditions with `and`"],
    ["true || true", "6: unexpected `|`: join conditions with `or`"],
    ["!true", "1: unexpected `!`: negate with `not`, or compare with `!=`"],
    [
      "${{ true }}",
      "1: unexpected `$`: leave out `${{`: only a text in the policy file is wrapped"
    ],
    ["true }}", "6: unexpected `}`: the wrapper `}}` stands once, at the very end"],
    ["flow.name == 'a", "14: unexpected `'`: this text has no end; close it with the same quote"],
    ["flow..name == 'a'", "5: unexpected `.`: a dot stands inside a word only, one at a time"],
    ["flow.tags. == 'a'", "10: unexpected `.`: a dot stands inside a word only, one at a time"],
    ["flow.name == é", "14: unexpected `é`: put texts in quotes"],
    ["== 'a'", "1: unexpected `==`: a value is missing before it"],
    ["flow.name == not true", "14: unexpected `not`: put the part with `not` in parentheses"],
    ["true AND true", "6: unexpected `AND`: join conditions with `and` or `or`"],
    ["TRUE", "1: unknown name `TRUE`: write `true` in lower case"],
    ["flow.nam == 'a'", "1: unknown name `flow.nam`: a flow has `flow.name` and `flow.tags.KEY`"],
    [
      "artifact.tags == 'a'",
      "1: unknown name `artifact.tags`: an artifact has `artifact.name` and `artifact.fingerprint`"
    ],
    [
      "trail.name == 'a'",
      "1: unknown name `trail.name`: put texts in quotes; names are `flow.name`, " +
        "`flow.tags.KEY`, `artifact.name`, `artifact.fingerprint`"
    ],
    [
      "lower(flow.name) == 'a'",
      '1: unknown function `lower`: there are `exists(x)` and `matches(x, "pattern")`'
    ],
    ["exists()", "8: `exists` needs one argument: `exists(x)`"],
    ["exists(flow, flow)", "12: `exists` takes one argument: `exists(x)`"],
    [
      "exists(flow.name == 'a')",
      "18: expected `)`: close the call, and put a condition in parentheses of its own"
    ],
    ["matches(flow.name)", '18: `matches` needs two arguments: `matches(x, "pattern")`'],
    ["matches(flow.name, 'a', 'b')", '23: `matches` takes two arguments: `matches(x, "pattern")`'],
    [
      "matches(flow.name, flow.name)",
      "20: the pattern of `matches` is a text in quotes, written out"
    ],
    [
      "flow.name in 'a'",
      '14: expected `[`: `in` is followed by a list, for example `in ["a", "b"]`'
    ],
    [
      "flow.name in [flow.name]",
      "15: expected a text, a number, `true`, `false` or `null` in the list"
    ],
    [
      "flow.name in ['a' 'b']",
      "19: expected `]`: close the list, and put commas between its items"
    ],
    [
      "flow.name",
      '1: `flow.name` is text, not a condition: compare it, for example `flow.name == "…"`'
    ],
    ["'a'", '1: `"a"` is text, not a condition: compare it, for example `"a" == "…"`'],
    ["3", '1: `3` is a number, not a condition: compare it, for example `flow.name == "…"`'],
    ["not flow", "5: `flow` is a whole object, not a condition: ask `exists(flow)`"],
    [
      "flow.tags == null",
      "1: `flow.tags` is a whole object, which only `exists(…)` can ask about: name one of its fields"
    ],
    [
      "artifact in []",
      "1: `artifact` is a whole object, which only `exists(…)` can ask about: name one of its fields"
    ],
    ["matches(3, 'a')", "9: `3` is a number: `matches` searches a name, a tag or a text"],
    [
      "matches(flow, 'a')",
      "9: `flow` is a whole object, which only `exists(…)` can ask about: name one of its fields"
    ],
    [
      "matches(flow.name, '(')",
      "1: pattern `(` is not an RE2 pattern (missing closing ): '('); lookaround and " +
        "backreferences do not exist in RE2"
    ]
  ]

  for (const [given, expected] of rejects)
    it(`refuses ${JSON.stringify(given)}`, () =>
      assert.deepStrictEqual(problems(given), [expected]))

  it("reports every type error, in the order of the text", () =>
    assert.deepStrictEqual(
      problems("flow.name and not 3 or flow < 2 or matches(true, '[')").map(
        (problem) => problem.split(":")[0]
      ),
      ["1", "19", "24", "36", "44"]
    ))

  it("reports everything in one line", () => {
    const error = Either.flip(PolicyExpression.parse("flow.name and 3")).pipe(Either.getOrThrow)
    assert.strictEqual(
      error.message,
      "character 1: `flow.name` is text, not a condition: compare it, for example `flow.name " +
        '== "…"`; character 15: `3` is a number, not a condition: compare it, for example ' +
        '`flow.name == "…"`'
    )
  })

  it("has a vocabulary of readable tag keys", () => {
    for (const key of TAG_KEYS) assert.deepStrictEqual(problems(`exists(flow.tags.${key})`), [])
  })
})
