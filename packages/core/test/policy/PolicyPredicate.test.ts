import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ExpressionCompiler } from "../../src/policy/internal/PolicyExpressionCompiler.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as PolicyPattern from "../../src/policy/PolicyPattern.js"
import {
  compileNumberComparison,
  compileTextEquality,
  ERROR,
  evaluate,
  FALSE,
  type Frame,
  type Memo,
  readText,
  type Ternary,
  TRUE
} from "../../src/policy/PolicyPredicate.js"

const parse = (text: string) => Either.getOrThrow(PolicyExpression.parse(text))
const comparison = (text: string) => {
  const expression = parse(text)
  return expression._tag === "Compare" ? expression : assert.fail("is a comparison")
}

const artifact = { name: "shop", fingerprint: "f".repeat(64) }
const frame = (tags: Record<string, string> = {}, memo: Memo = []): Frame => ({
  artifact,
  flow: { flow_name: "pay", tags },
  memo,
  base: 3
})

describe("PolicyPredicate.evaluate", () => {
  const counting = (answer: Ternary) => {
    const seen = { count: 0 }
    const test = () => {
      seen.count++
      return answer
    }
    return { seen, test }
  }

  for (const answer of [FALSE, TRUE, ERROR] as const)
    it(`evaluates once and memoises ${answer}, for the flow or for the row`, () => {
      for (const isOfRow of [true, false]) {
        const { seen, test } = counting(answer)
        const memo: Memo = [0, 0, 0, 0, 0, 0]
        const predicate = { test, slot: 1, isOfRow }
        assert.deepStrictEqual(
          [evaluate(predicate, frame({}, memo)), evaluate(predicate, frame({}, memo))],
          [answer, answer]
        )
        assert.strictEqual(seen.count, 1)
        assert.deepStrictEqual(
          memo.flatMap((known, at) => (known === 0 ? [] : [at])),
          [isOfRow ? 1 : 4]
        )
      }
    })

  it("memoises in the first slot as in any other", () => {
    const { seen, test } = counting(TRUE)
    const memo: Memo = [0, 0, 0, 0]
    for (const isOfRow of [true, false]) {
      evaluate({ test, slot: 0, isOfRow }, frame({}, memo))
      evaluate({ test, slot: 0, isOfRow }, frame({}, memo))
    }
    assert.strictEqual(seen.count, 2)
    assert.deepStrictEqual(memo, [TRUE, 0, 0, TRUE])
  })

  it("evaluates again without a slot, and leaves the memo unchanged", () => {
    const { seen, test } = counting(TRUE)
    const memo: Memo = [0, 0, 0, 0]
    const predicate = { test, slot: -1, isOfRow: false }
    evaluate(predicate, frame({}, memo))
    evaluate(predicate, frame({}, memo))
    assert.strictEqual(seen.count, 2)
    assert.deepStrictEqual(memo, [0, 0, 0, 0])
  })
})

describe("PolicyPredicate.readText", () => {
  const none: Frame = { artifact, flow: null, memo: [], base: 0 }
  const read = (text: string, given: Frame) => readText(comparison(`${text} == "x"`).left)(given)

  it("reads names, tags and texts, and null where there is none", () => {
    assert.strictEqual(read("flow.name", frame()), "pay")
    assert.isNull(read("flow.name", none))
    assert.strictEqual(read("artifact.name", none), "shop")
    assert.strictEqual(read("artifact.fingerprint", none), artifact.fingerprint)
    assert.strictEqual(read("flow.tags.tier", frame({ tier: "3" })), "3")
    assert.isNull(read("flow.tags.tier", frame()))
    assert.isNull(read("flow.tags.tier", none))
    assert.strictEqual(read('"text"', none), "text")
    assert.isNull(read("null", none))
  })

  it("reads no inherited property as a tag", () => {
    for (const key of ["constructor", "toString", "__proto__"])
      assert.isNull(read(`flow.tags.${key}`, frame()))
  })
})

describe("PolicyPredicate: comparisons with literals", () => {
  const OPERATORS = ["==", "!=", "<", ">", "<=", ">="]
  const frames = [
    ...["", "x", "y", "4", "5", "5.0", "6", "five"].map((tier) => frame({ tier })),
    frame(),
    { artifact, flow: null, memo: [], base: 0 }
  ]
  /** The general comparison, which the specialised ones must agree with. */
  const slowly = (text: string, given: Frame): Ternary => {
    const truth = PolicyExpression.evaluate(parse(`true == (${text})`), given)
    return truth === "True" ? TRUE : truth === "False" ? FALSE : ERROR
  }

  it("compiles equality with a text, from either side, and no order", () => {
    for (const [text, other] of [
      ['flow.tags.tier OP "x"', false],
      ['"x" OP flow.tags.tier', false],
      ["flow.tags.tier OP flow.tags.tier", true],
      ["flow.tags.tier OP 5", true],
      ['true OP "x"', true],
      ['null OP "x"', true]
    ] as const)
      for (const operator of OPERATORS) {
        const test = compileTextEquality(comparison(text.replace("OP", operator)))
        const isShort = !other && ["==", "!="].includes(operator)
        assert.strictEqual(test !== undefined, isShort, `${text} ${operator}`)
      }
    const [same, different] = ["==", "!="].map((operator) =>
      compileTextEquality(comparison(`flow.tags.tier ${operator} "x"`))
    )
    assert.deepStrictEqual<unknown>(
      frames.map((given) => [same?.(given), different?.(given)]),
      frames.map(({ flow }) => (flow?.tags.tier === "x" ? [TRUE, FALSE] : [FALSE, TRUE]))
    )
  })

  it("compiles every comparison with a number, from either side", () => {
    const expected = new Map([
      ["==", "F F F F T T F F F F"],
      ["!=", "T T T T F F T T T T"],
      ["<", "E E E T F F F E E E"],
      [">", "E E E F F F T E E E"],
      ["<=", "E E E T T T F E E E"],
      [">=", "E E E F T T T E E E"]
    ])
    const mirrored = new Map([
      ["<", ">"],
      [">", "<"],
      ["<=", ">="],
      [">=", "<="]
    ])
    const letters = (text: string) => {
      const test = compileNumberComparison(comparison(text)) ?? assert.fail(`${text} is short`)
      return frames.map((given) => ["", "F", "T", "E"][test(given)]).join(" ")
    }
    for (const operator of OPERATORS) {
      assert.strictEqual(letters(`flow.tags.tier ${operator} 5`), expected.get(operator))
      assert.strictEqual(
        letters(`5 ${mirrored.get(operator) ?? operator} flow.tags.tier`),
        expected.get(operator)
      )
    }
  })

  it("compiles neither two numbers nor conditions", () => {
    for (const text of ["1 < 2", "2 == true", "true == 2", "null < 2", 'flow.name == "x"'])
      assert.isUndefined(compileNumberComparison(comparison(text)), text)
    for (const [text, answer] of [
      ["1 < 2", TRUE],
      ["2 < 1", FALSE],
      ["2 == true", FALSE],
      ["null < 2", ERROR]
    ] as const)
      assert.strictEqual(slowly(text, frame()), answer, text)
  })
})

describe("ExpressionCompiler: memo slots", () => {
  const slots = (...texts: ReadonlyArray<string>) => {
    const expressions = texts.map(parse)
    const compiler = new ExpressionCompiler(expressions, (source) =>
      Either.getOrThrow(PolicyPattern.compile(source))
    )
    const predicates = expressions.map((expression) => compiler.compile(expression))
    return { ...compiler.slots, predicates }
  }
  const places = (...texts: ReadonlyArray<string>) => {
    const { ofFlow, ofRow } = slots(...texts)
    return { ofFlow, ofRow }
  }

  it("has a slot for each condition with more than one use", () => {
    assert.deepStrictEqual(places('flow.name == "a"'), { ofFlow: 0, ofRow: 0 })
    assert.deepStrictEqual(places('flow.name == "a"', 'flow.name == "a"'), { ofFlow: 1, ofRow: 0 })
    assert.deepStrictEqual(places('flow.tags.x == "a"', 'not flow.tags.x == "a"'), {
      ofFlow: 1,
      ofRow: 0
    })
    assert.deepStrictEqual(places('artifact.name == "a"', 'artifact.name == "a" or exists(flow)'), {
      ofFlow: 0,
      ofRow: 1
    })
    assert.deepStrictEqual(
      places('flow.name == "a" and exists(flow)', 'flow.name == "b" or exists(flow)'),
      { ofFlow: 1, ofRow: 0 }
    )
  })

  it("has one slot for a repeated condition, none for its parts", () =>
    assert.deepStrictEqual(
      places(
        'flow.name == "a" and exists(flow.tags.x)',
        'flow.name == "a" and exists(flow.tags.x)'
      ),
      { ofFlow: 1, ofRow: 0 }
    ))

  it("has a slot for a search in the row's own names even with one use", () => {
    assert.deepStrictEqual(places('matches(artifact.name, "a+")'), { ofFlow: 0, ofRow: 1 })
    assert.deepStrictEqual(places('matches(flow.name, "a+")'), { ofFlow: 0, ofRow: 0 })
    assert.deepStrictEqual(places('matches(flow.tags.x, "a+")'), { ofFlow: 0, ofRow: 0 })
  })

  it("has no slot for a literal", () =>
    assert.deepStrictEqual(places("true", "true", "not true", "not true"), {
      ofFlow: 0,
      ofRow: 1
    }))

  it("gives equal conditions one predicate, and numbers the slots from 0", () => {
    const { predicates } = slots(
      'flow.name == "a"',
      'flow.name == "a"',
      'flow.name == "b"',
      'flow.name == "b"',
      'artifact.name == "c"',
      'artifact.name == "c"',
      'flow.name == "d"'
    )
    assert.strictEqual(predicates[0], predicates[1])
    assert.deepStrictEqual(
      predicates.map(({ isOfRow, slot }) => [slot, isOfRow]),
      [
        [0, false],
        [0, false],
        [1, false],
        [1, false],
        [0, true],
        [0, true],
        [-1, false]
      ]
    )
  })

  it("evaluates memoised terms of a chain before the others", () => {
    const searched: Array<string> = []
    const pattern = { source: "p", weight: 1, test: (text: string) => searched.push(text) > 0 }
    const chains = ["and", "or"].map((word) =>
      parse(`matches(flow.name, "${word}") ${word} exists(flow.tags.x)`)
    )
    const given = [...chains, parse("exists(flow.tags.x)")]
    const compiler = new ExpressionCompiler(given, () => pattern)
    const [all, any] = chains.map((chain) => compiler.compile(chain))
    if (all === undefined || any === undefined) return assert.fail("are two")
    assert.strictEqual(evaluate(all, frame()), FALSE)
    assert.strictEqual(evaluate(any, frame({ x: "1" })), TRUE)
    assert.deepStrictEqual(searched, [])
    assert.strictEqual(evaluate(all, frame({ x: "1" })), TRUE)
    assert.deepStrictEqual(searched, ["pay"])
  })

  it("never holds for an invalid pattern, or an unchecked expression", () => {
    const compiler = new ExpressionCompiler([], () => undefined)
    assert.strictEqual(evaluate(compiler.compile(parse('matches(flow.name, "a")')), frame()), ERROR)
    assert.strictEqual(evaluate(compiler.compile({ _tag: "Null" }), frame()), ERROR)
    const searching = new ExpressionCompiler([], (source) =>
      Either.getOrThrow(PolicyPattern.compile(source))
    )
    const matches = (operand: PolicyExpression.PolicyExpression) =>
      evaluate(searching.compile({ _tag: "Matches", operand, pattern: "a" }), frame())
    assert.strictEqual(matches({ _tag: "Text", value: "cat" }), TRUE)
    assert.strictEqual(matches({ _tag: "Text", value: "dog" }), FALSE)
    assert.strictEqual(matches({ _tag: "Null" }), FALSE)
    assert.strictEqual(matches({ _tag: "Number", digits: "1" }), ERROR)
    assert.strictEqual(matches({ _tag: "Field", field: "flow" }), ERROR)
  })
})
