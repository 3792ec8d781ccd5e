import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ExpressionCompiler } from "../../src/policy/internal/PolicyExpressionCompiler.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import {
  compileComparison,
  compileNumberComparison,
  ERROR,
  evaluate,
  FALSE,
  type Frame,
  literalValue,
  readText,
  TRUE
} from "../../src/policy/PolicyPredicate.js"
import { decimal } from "../../src/policy/PolicyValue.js"

const parse = (text: string) => Either.getOrThrow(PolicyExpression.parse(text))

const artifact = { name: "shop", fingerprint: "f".repeat(64) }
const frame: Frame = {
  artifact,
  flow: { flow_name: "pay", tags: { tier: "5", word: "x" } },
  memo: [],
  base: 0
}
const withoutFlow: Frame = { ...frame, flow: null }

const truth = (text: string, given = frame) => PolicyExpression.evaluate(parse(text), given)

describe("PolicyPredicate: operands", () => {
  it("reads no text of a whole object, a number or a condition", () => {
    for (const field of ["flow", "flow.tags", "artifact"] as const)
      assert.isNull(readText({ _tag: "Field", field })(frame))
    assert.isNull(readText({ _tag: "Number", digits: "3" })(frame))
    assert.isNull(readText(parse("true"))(frame))
  })

  it("reads literals", () => {
    assert.isNull(literalValue({ _tag: "Null" }))
    assert.isNull(literalValue({ _tag: "Number", digits: "three" }))
    assert.deepStrictEqual(literalValue({ _tag: "Number", digits: "3.0" }), decimal("3"))
    assert.strictEqual(literalValue({ _tag: "Text", value: "3" }), "3")
    assert.isFalse(literalValue({ _tag: "Boolean", value: false }))
  })

  it("does not compile an unchecked number that is none", () =>
    assert.isUndefined(
      compileNumberComparison({
        _tag: "Compare",
        operator: "<",
        left: { _tag: "Field", field: "flow.name" },
        right: { _tag: "Number", digits: "three" }
      })
    ))
})

describe("PolicyPredicate.compileComparison", () => {
  const OPERATORS = ["==", "!=", "<", ">", "<=", ">="] as const
  const answers = (left: string, right: string) =>
    OPERATORS.map((operator) => truth(`${left} ${operator} ${right}`)[0]).join("")

  for (const [left, right, expected] of [
    ["1", "2", "FTTFTF"],
    ["2", "2.0", "TFFFTT"],
    ["3", "2", "FTFTFT"],
    ["'a'", "'b'", "FTTFTF"],
    ["'b'", "'b'", "TFFFTT"],
    ["flow.tags.tier", "flow.tags.tier", "TFFFTT"],
    ["flow.tags.tier", "flow.name", "FTTFTF"],
    ["flow.name", "flow.tags.tier", "FTFTFT"],
    ["flow.tags.missing", "flow.name", "FTEEEE"],
    ["flow.name", "flow.tags.missing", "FTEEEE"],
    ["flow.tags.missing", "null", "TFEEEE"],
    ["null", "null", "TFEEEE"],
    ["null", "false", "FTEEEE"],
    ["true", "true", "TFEEEE"],
    ["true", "false", "FTEEEE"],
    ["(1 < 2)", "true", "TFEEEE"],
    ["(flow.tags.missing < 2)", "true", "EEEEEE"],
    ["true", "(flow.tags.missing < 2)", "EEEEEE"]
  ] as const)
    it(`evaluates to ${expected} for ${left} and ${right}`, () =>
      assert.strictEqual(answers(left, right), expected))

  it("evaluates to Error when one side does, for any other side", () => {
    for (const operator of OPERATORS)
      for (const [left, right] of [
        [undefined, "a"],
        ["a", undefined],
        [undefined, undefined]
      ])
        assert.strictEqual(
          compileComparison(
            operator,
            () => left,
            () => right
          )(frame),
          ERROR
        )
  })
})

describe("PolicyPredicate: membership, existence and chains", () => {
  for (const [text, expected] of [
    ["flow.tags.tier in ['4', '5']", "True"],
    ["flow.tags.tier in [4, 5.0]", "True"],
    ["flow.tags.tier in [4, 6]", "False"],
    ["flow.tags.word in ['y', 'z']", "False"],
    ["3 in [1, 3]", "True"],
    ["3 in ['x', '03']", "True"],
    ["true in [false, true]", "True"],
    ["flow.tags.missing in [null, 'x']", "False"],
    ["(flow.tags.missing < 3) in []", "Error"],
    ["exists(flow.tags.tier)", "True"],
    ["exists(flow.tags.missing)", "False"],
    ["exists(artifact.name)", "True"],
    ["exists(3)", "True"],
    ["exists('')", "True"],
    ["exists(false)", "True"],
    ["exists((1 > 2))", "True"],
    ["exists((flow.tags.missing < 3))", "Error"],
    ["true and 1 < 2", "True"],
    ["true and flow.tags.missing < 2", "Error"],
    ["flow.tags.missing < 2 and true", "Error"],
    ["flow.tags.missing < 2 and false", "False"],
    ["false and flow.tags.missing < 2", "False"],
    ["false or 1 > 2", "False"],
    ["false or flow.tags.missing < 2", "Error"],
    ["flow.tags.missing < 2 or false", "Error"],
    ["flow.tags.missing < 2 or true", "True"],
    ["true or flow.tags.missing < 2", "True"],
    ["not flow.tags.missing < 2", "Error"],
    ["not true", "False"],
    ["not false", "True"],
    ["matches(flow.name, '^pay$')", "True"],
    ["matches(flow.tags.missing, '^')", "False"]
  ] as const)
    it(`evaluates to ${expected} for ${text}`, () => assert.strictEqual(truth(text), expected))

  it("has neither flow nor fields of it without provenance", () => {
    for (const path of ["flow", "flow.tags", "flow.name", "flow.tags.tier"])
      assert.strictEqual(truth(`exists(${path})`, withoutFlow), "False", path)
    for (const path of ["artifact", "artifact.name", "artifact.fingerprint"])
      assert.strictEqual(truth(`exists(${path})`, withoutFlow), "True", path)
  })
})

describe("ExpressionCompiler: memo slots of conditions inside others", () => {
  const places = (...texts: ReadonlyArray<string>) => {
    const expressions = texts.map(parse)
    const compiler = new ExpressionCompiler(expressions, () => undefined)
    for (const expression of expressions) compiler.compile(expression)
    return compiler.slots
  }

  it("memoises a condition that is also compared, listed or tested elsewhere", () => {
    for (const text of [
      "exists(flow.tags.a) == true",
      "true == exists(flow.tags.a)",
      "exists(flow.tags.a) in [true]",
      "exists((exists(flow.tags.a)))",
      "not exists(flow.tags.a)",
      "exists(flow.tags.a) and exists(artifact)"
    ])
      assert.deepStrictEqual(places(text, "exists(flow.tags.a)"), { ofFlow: 1, ofRow: 0 }, text)
  })

  it("memoises for the row what reads no flow, at any depth", () => {
    const ofRow = { ofFlow: 0, ofRow: 1 }
    const ofFlow = { ofFlow: 1, ofRow: 0 }
    for (const [text, expected] of [
      ["not (1 < 2)", ofRow],
      ["artifact.name in ['a']", ofRow],
      ["artifact.fingerprint != ''", ofRow],
      ["exists(artifact)", ofRow],
      ["exists(flow)", ofFlow],
      ["exists(flow.tags)", ofFlow],
      ["exists(flow.tags.a)", ofFlow],
      ["1 == 2 or not flow.name == 'a'", ofFlow]
    ] as const)
      assert.deepStrictEqual(places(text, text), expected, text)
  })

  it("starts without slots, and has none for another tree", () => {
    const compiler = new ExpressionCompiler([], () => undefined)
    assert.deepStrictEqual(compiler.slots, { ofFlow: 0, ofRow: 0 })
    assert.strictEqual(compiler.compile(parse("exists(flow)")).slot, -1)
  })

  it("evaluates a condition inside a comparison once for both of its uses", () => {
    const searched: Array<string> = []
    const pattern = {
      source: "p",
      weight: 1,
      test: (text: string) => {
        searched.push(text)
        return false
      }
    }
    const given = ["matches(flow.name, 'p') == false", "matches(flow.name, 'p')"].map(parse)
    const compiler = new ExpressionCompiler(given, () => pattern)
    const memo: Frame["memo"] = []
    assert.deepStrictEqual(
      given.map((expression) => evaluate(compiler.compile(expression), { ...frame, memo })),
      [TRUE, FALSE]
    )
    assert.deepStrictEqual(searched, ["pay"])
  })
})
