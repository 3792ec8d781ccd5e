// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { read } from "../../src/policy/internal/PolicyExpressionLexer.js"
import { parse } from "../../src/policy/internal/PolicyExpressionParser.js"
import { print } from "../../src/policy/PolicyExpressionTree.js"

/** The tokens of a text, each with its kind, value and position. */
const tokens = (text: string) =>
  Either.getOrThrow(read(text)).map(({ kind, position, value }) => `${kind} ${value} ${position}`)

const problem = (text: string) =>
  Either.match(parse(text), {
    onLeft: ({ message, position }) => `${position}: ${message}`,
    onRight: () => undefined
  })

describe("PolicyExpressionLexer.read", () => {
  it("reads every symbol, with or without space around it", () =>
    assert.deepStrictEqual(tokens("==!=<=>=<>()[], <"), [
      "symbol == 1",
      "symbol != 3",
      "symbol <= 5",
      "symbol >= 7",
      "symbol < 9",
      "symbol > 10",
      "symbol ( 11",
      "symbol ) 12",
      "symbol [ 13",
      "symbol ] 14",
      "symbol , 15",
      "symbol < 17"
    ]))

  it("reads words", () =>
    assert.deepStrictEqual(tokens("risk-level a.b.c ~x _y -z 1.2.3 a1 - 1e3 A-Z.0~9_-"), [
      "word risk-level 1",
      "word a.b.c 12",
      "word ~x 18",
      "word _y 21",
      "word -z 24",
      "word 1.2.3 27",
      "word a1 33",
      "word - 36",
      "word 1e3 38",
      "word A-Z.0~9_- 42"
    ]))

  it("reads numbers, and what is almost one as a word", () =>
    assert.deepStrictEqual(tokens("0 007 -1 +1 -1.50 +0.5 1-2 1.a -1.2.3 10,20"), [
      "number 0 1",
      "number 007 3",
      "number -1 7",
      "number +1 10",
      "number -1.50 13",
      "number +0.5 19",
      "word 1-2 24",
      "word 1.a 28",
      "word -1.2.3 32",
      "number 10 39",
      "symbol , 41",
      "number 20 42"
    ]))

  it("reads texts in either quote, beside each other and over lines", () =>
    assert.deepStrictEqual(tokens(`"a" 'b' "'" '"' "" "a""b" "\\"" '\\'' "\\\\" "\\x" "a\nb"`), [
      "text a 1",
      "text b 5",
      "text ' 9",
      'text " 13',
      "text  17",
      "text a 20",
      "text b 23",
      'text " 27',
      "text ' 32",
      "text \\ 37",
      "text \\x 42",
      "text a\nb 47"
    ]))

  it("reads a text over a line break that is escaped, and leaves the backslash", () => {
    assert.deepStrictEqual(tokens('"a\\\nb"'), ["text a\\\nb 1"])
    assert.deepStrictEqual(tokens("'a\\\nb'"), ["text a\\\nb 1"])
  })

  it("reads four characters as space, and no tokens from nothing", () => {
    assert.deepStrictEqual(tokens(" \t\r\na \n\r\t b "), ["word a 5", "word b 11"])
    assert.deepStrictEqual(tokens(" \t\r\n"), [])
    assert.deepStrictEqual(tokens(""), [])
  })

  const refused: ReadonlyArray<readonly [text: string, problem: string]> = [
    ["a {", "3: unexpected `{`: lists are written in `[` and `]`"],
    ["a + b", "3: unexpected `+`: there is no arithmetic"],
    ["+a", "1: unexpected `+`: there is no arithmetic"],
    ["+1.2.3", "1: unexpected `+`: there is no arithmetic"],
    ["2*3", "2: unexpected `*`: there is no arithmetic"],
    ["a/b", "2: unexpected `/`: there is no arithmetic; put texts in quotes"],
    ["1.", "2: unexpected `.`: a dot stands inside a word only, one at a time"],
    ['a "b', '3: unexpected `"`: this text has no end; close it with the same quote'],
    ["a 'b\"", "3: unexpected `'`: this text has no end; close it with the same quote"],
    ["a\u00a0b", "2: unexpected `\u00a0`: put texts in quotes"],
    ["a\u{1f600}b", "2: unexpected `\u{1f600}`: put texts in quotes"]
  ]

  for (const [text, expected] of refused)
    it(`refuses ${JSON.stringify(text)}`, () => assert.strictEqual(problem(text), expected))
})

describe("PolicyExpressionParser.parse: words in quotes are texts", () => {
  const JOIN = "join conditions with `and` or `or`"
  const refused: ReadonlyArray<readonly [text: string, problem: string]> = [
    ['true "and" true', `6: unexpected \`and\`: ${JOIN}`],
    ['true "or" true', `6: unexpected \`or\`: ${JOIN}`],
    ['"not" true', `7: unexpected \`true\`: ${JOIN}`],
    ['1 "in" [1]', `3: unexpected \`in\`: ${JOIN}`],
    ['1 "==" 1', `3: unexpected \`==\`: ${JOIN}`],
    ['1 == 1 "<" 2', `8: unexpected \`<\`: ${JOIN}`],
    ['"(" true )', `5: unexpected \`true\`: ${JOIN}`],
    ['( true ")"', "8: expected `)`: close the parenthesis"],
    ['exists "(" flow )', "1: unknown name `exists`: "]
  ]

  for (const [text, expected] of refused)
    it(`refuses ${text}`, () =>
      assert.strictEqual(problem(text)?.slice(0, expected.length), expected))
})

describe("PolicyExpressionParser.parse: rejects", () => {
  const ENDS = "the expression ends too early: a value is missing here"
  const NAMES =
    "put texts in quotes; names are `flow.name`, `flow.tags.KEY`, `artifact.name`, `artifact.fingerprint`"
  const PATTERN = "the pattern of `matches` is a text in quotes, written out"
  const LIST = "expected a text, a number, `true`, `false` or `null` in the list"

  const refused: ReadonlyArray<readonly [text: string, problem: string]> = [
    ["not", `4: ${ENDS}`],
    ["1 <", `4: ${ENDS}`],
    ["(", `2: ${ENDS}`],
    ["exists(", `8: ${ENDS}`],
    ["true or", `8: ${ENDS}`],
    ["true or or true", "9: unexpected `or`: put the part with `or` in parentheses"],
    ["and true", "1: unexpected `and`: put the part with `and` in parentheses"],
    ["1 == and true", "6: unexpected `and`: put the part with `and` in parentheses"],
    ["1 == or true", "6: unexpected `or`: put the part with `or` in parentheses"],
    ["true and or true", "10: unexpected `or`: put the part with `or` in parentheses"],
    ["in [1]", "1: unexpected `in`: put the part with `in` in parentheses"],
    ["true and ]", "10: unexpected `]`: a value is missing before it"],
    ["()", "2: unexpected `)`: a value is missing before it"],
    ["exists(()", "9: unexpected `)`: a value is missing before it"],
    ["matches(())", "10: unexpected `)`: a value is missing before it"],
    ["() and true", "2: unexpected `)`: a value is missing before it"],
    ["not ) or true", "5: unexpected `)`: a value is missing before it"],
    ["(true false)", "7: expected `)`: close the parenthesis"],
    ["true, false", "5: unexpected `,`: join conditions with `and` or `or`"],
    ["1 in [1] in [2]", "10: comparisons do not chain: join two of them with `and`"],
    ["1 == 2 in [2]", "8: comparisons do not chain: join two of them with `and`"],
    ["1 in [2", "8: expected `]`: close the list, and put commas between its items"],
    ["1 in [", `7: ${LIST}`],
    ["1 in [,]", `7: ${LIST}`],
    ["1 in [1,]", `9: ${LIST}`],
    ["1 in [1, and]", `10: ${LIST}`],
    ["matches()", '9: `matches` needs two arguments: `matches(x, "pattern")`'],
    ["matches(and, 'a')", "9: unexpected `and`: put the part with `and` in parentheses"],
    ["matches(flow.name 'a')", "19: expected `,`: put a comma between the arguments"],
    ["matches(flow.name, 3)", `20: ${PATTERN}`],
    ["matches(flow.name,", `19: ${PATTERN}`],
    ["matches(flow.name, 'a'", "23: expected `)`: close the call"],
    ["matches(flow.name, 'a' 'b')", "24: expected `)`: close the call"],
    [
      "exists(flow",
      "12: expected `)`: close the call, and put a condition in parentheses of its own"
    ],
    ["and(true)", "1: unexpected `and`: put the part with `and` in parentheses"],
    [
      "flow.name(true)",
      '1: unknown function `flow.name`: there are `exists(x)` and `matches(x, "pattern")`'
    ],
    [
      "EXISTS(flow)",
      '1: unknown function `EXISTS`: there are `exists(x)` and `matches(x, "pattern")`'
    ],
    ["false or NOT true", "10: unknown name `NOT`: write `not` in lower case"],
    ["Or", "1: unknown name `Or`: write `or` in lower case"],
    ["And", "1: unknown name `And`: write `and` in lower case"],
    ["IN", "1: unknown name `IN`: write `in` in lower case"],
    ["False", "1: unknown name `False`: write `false` in lower case"],
    ["NULL", "1: unknown name `NULL`: write `null` in lower case"],
    ["Flow.Name", "1: unknown name `Flow.Name`: write `flow.name` in lower case"],
    ["flow.x", "1: unknown name `flow.x`: a flow has `flow.name` and `flow.tags.KEY`"],
    [
      "artifact.x",
      "1: unknown name `artifact.x`: an artifact has `artifact.name` and `artifact.fingerprint`"
    ],
    ["flows.name", `1: unknown name \`flows.name\`: ${NAMES}`],
    ["my.flow.", "8: unexpected `.`: a dot stands inside a word only, one at a time"],
    ["my.artifact", `1: unknown name \`my.artifact\`: ${NAMES}`],
    ["flow.tag.x", "1: unknown name `flow.tag.x`: a flow has `flow.name` and `flow.tags.KEY`"]
  ]

  for (const [text, expected] of refused)
    it(`refuses ${text}`, () => assert.strictEqual(problem(text), expected))
})

describe("PolicyExpressionParser.parse: positions", () => {
  it("has the position of every part", () => {
    const text = " not (1 < flow.tags.a) or 'b' in [2, true] and matches((flow.name), 'c')"
    const { positions } = Either.getOrThrow(parse(text))
    assert.deepStrictEqual(
      [...positions].map(([node, position]) => `${position}: ${print(node)}`).sort(),
      [
        "11: flow.tags.a",
        '27: "b"',
        '27: "b" in [2, true]',
        '27: "b" in [2, true] and matches(flow.name, "c")',
        "2: not 1 < flow.tags.a",
        '2: not 1 < flow.tags.a or "b" in [2, true] and matches(flow.name, "c")',
        "35: 2",
        "38: true",
        '48: matches(flow.name, "c")',
        "57: flow.name",
        "7: 1",
        "7: 1 < flow.tags.a"
      ]
    )
  })

  it("counts levels, not parentheses, calls or negations side by side", () => {
    const many = (part: string) => Array.from({ length: 40 }, () => part).join(" or ")
    for (const part of ["(true)", "not true", "exists(flow)", "matches(flow.name, 'a')"])
      assert.isUndefined(problem(many(part)))
  })

  it("stops at the first level too deep, of any kind", () => {
    const deep = "nested more than 32 levels deep: split the expression"
    assert.strictEqual(problem(`${"not ".repeat(33)}true`), `133: ${deep}`)
    assert.strictEqual(problem(`${"exists(".repeat(33)}flow`), `232: ${deep}`)
    assert.strictEqual(problem(`${"(".repeat(32)}matches(flow.name, 'a')`), `41: ${deep}`)
    assert.strictEqual(problem(`${"(".repeat(32)}matches(flow.name`), `41: ${deep}`)
    assert.isUndefined(problem(`${"(".repeat(31)}not true${")".repeat(31)}`))
  })
})
