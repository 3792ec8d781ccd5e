import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as Generated from "../../testing/arbitrary/PolicyExpression.js"
import * as Model from "../../testing/internal/model/PolicyExpressionModel.js"
import { facts } from "../../testing/PolicyFacts.js"
import { lengthForRun } from "../shared/Effort.js"

type Expression = PolicyExpression.PolicyExpression
type Scope = PolicyExpression.Scope

const scopeOf = ({ artifact, flows }: Facts): Scope => ({ artifact, flow: flows[0] ?? null })

const scope = facts.map(scopeOf)
const condition = Generated.expression

const parse = (text: string) => Either.getOrThrow(PolicyExpression.parse(text))
const truth = PolicyExpression.evaluate

const not = (term: Expression): Expression => ({ _tag: "Not", term })
const and = (...terms: ReadonlyArray<Expression>): Expression => ({ _tag: "And", terms })
const or = (...terms: ReadonlyArray<Expression>): Expression => ({ _tag: "Or", terms })
const compare = (
  left: Expression,
  operator: PolicyExpression.ComparisonOperator,
  right: Expression
): Expression => ({ _tag: "Compare", operator, left, right })

const opposite = { True: "False", False: "True", Error: "Error" } as const

/** Two expressions with the same value in every scope. */
const same = (left: Expression, right: Expression, given: Scope): void =>
  assert.strictEqual(truth(left, given), truth(right, given))

const operand = FastCheck.oneof(Generated.path, Generated.literal)

describe("PolicyExpression.evaluate: properties", () => {
  it("agrees with the model, through the printed text", () =>
    FastCheck.assert(
      FastCheck.property(condition, scope, (expression, given) =>
        assert.strictEqual(
          truth(expression, given),
          Model.evaluate(PolicyExpression.print(expression), given)
        )
      ),
      { numRuns: lengthForRun({ quick: 3_000, full: 10_000, deep: 10_000 }) }
    ))

  const three = { a: condition, b: condition, c: condition, given: scope }

  it.prop(
    "has commutative, associative, idempotent `and` and `or` (COND-1)",
    three,
    ({ a, b, c, given }) => {
      for (const join of [and, or]) {
        same(join(a, b), join(b, a), given)
        same(join(a, join(b, c)), join(join(a, b), c), given)
        same(join(a, join(b, c)), join(a, b, c), given)
        same(join(a, a), a, given)
      }
    }
  )

  it.prop("distributes `and` and `or` over each other (COND-1)", three, ({ a, b, c, given }) => {
    same(and(a, or(b, c)), or(and(a, b), and(a, c)), given)
    same(or(a, and(b, c)), and(or(a, b), or(a, c)), given)
  })

  it.prop(
    "keeps De Morgan and double negation, Error included (COND-2)",
    three,
    ({ a, b, given }) => {
      same(not(and(a, b)), or(not(a), not(b)), given)
      same(not(or(a, b)), and(not(a), not(b)), given)
      same(not(not(a)), a, given)
      assert.strictEqual(truth(not(a), given), opposite[truth(a, given)])
    }
  )

  const two = { left: operand, right: operand, given: scope }

  it.prop(
    "has `!=` as the negation of a symmetric, reflexive `==` (COND-4)",
    two,
    ({ left, right, given }) => {
      same(compare(left, "!=", right), not(compare(left, "==", right)), given)
      same(compare(left, "==", right), compare(right, "==", left), given)
      assert.strictEqual(truth(compare(left, "==", left), given), "True")
    }
  )

  it.prop(
    "has `<` and `>=` as complements unless Error, and a mirrored `>` (COND-5)",
    two,
    ({ left, right, given }) => {
      const less = truth(compare(left, "<", right), given)
      assert.strictEqual(truth(compare(left, ">=", right), given), opposite[less])
      same(compare(left, "<", right), compare(right, ">", left), given)
      same(compare(left, "<=", right), compare(right, ">=", left), given)
    }
  )

  const digits = FastCheck.tuple(
    FastCheck.constantFrom("", "-", "+"),
    FastCheck.stringMatching(/^[0-9]{1,20}$/),
    FastCheck.option(FastCheck.stringMatching(/^[0-9]{1,20}$/))
  ).map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? "" : `.${fraction}`}`)

  it.prop(
    "orders numbers totally, in any spelling (COND-5)",
    { one: digits, other: digits },
    ({ one, other }) => {
      const given: Scope = {
        artifact: { name: "x", fingerprint: "" },
        flow: { flow_name: "f", tags: { one, other } }
      }
      const answers = (left: string, right: string) =>
        ["<", "==", ">"].map((operator) => truth(parse(`${left} ${operator} ${right}`), given))
      const literals = answers(one, other)
      assert.deepStrictEqual([...literals].sort(), ["False", "False", "True"])
      assert.deepStrictEqual(answers("flow.tags.one", other), literals)
      assert.deepStrictEqual(answers(one, "flow.tags.other"), literals)
      assert.strictEqual(literals[0], Model.evaluate(`${one} < ${other}`, given))
    }
  )

  it.prop(
    "orders texts by code points",
    { one: FastCheck.fullUnicodeString(), other: FastCheck.fullUnicodeString() },
    ({ one, other }) => {
      const given = { artifact: { name: one, fingerprint: other }, flow: null }
      const text = "artifact.name < artifact.fingerprint"
      assert.strictEqual(truth(parse(text), given), Model.evaluate(text, given))
    }
  )

  it.prop(
    "evaluates to Error for any order of a missing tag, False for `==`, True for `!=` (COND-6)",
    { value: Generated.literal.filter(({ _tag }) => _tag !== "Null"), given: scope },
    ({ value, given }) => {
      const missing: Expression = { _tag: "Tag", key: "missing" }
      for (const operator of ["<", ">", "<=", ">="] as const)
        assert.strictEqual(truth(compare(missing, operator, value), given), "Error")
      assert.strictEqual(truth(compare(missing, "==", value), given), "False")
      assert.strictEqual(truth(compare(missing, "!=", value), given), "True")
    }
  )

  it.prop(
    "has `in` of one item as `==` for anything but null, and nothing in an empty list (COND-7)",
    { value: operand, item: Generated.literal, given: scope },
    ({ value, item, given }) => {
      const isIn = (list: ReadonlyArray<PolicyExpression.Literal>): Expression => ({
        _tag: "In",
        operand: value,
        list
      })
      const isNull = truth(compare(value, "==", { _tag: "Null" }), given) === "True"
      assert.strictEqual(
        truth(isIn([item]), given),
        isNull ? "False" : truth(compare(value, "==", item), given)
      )
      assert.strictEqual(truth(isIn([]), given), "False")
    }
  )

  it.prop(
    "has `exists` as the negation of `== null` (COND-8)",
    { value: operand, given: scope },
    ({ value, given }) =>
      same({ _tag: "Exists", operand: value }, compare(value, "!=", { _tag: "Null" }), given)
  )

  it.prop(
    "finds every tag by its own key (COND-9)",
    { key: FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_~-]*(\.[a-zA-Z0-9_~-]+)*$/) },
    ({ key }) => {
      const given = {
        artifact: { name: "x", fingerprint: "" },
        flow: { flow_name: "f", tags: Object.fromEntries([[key, "found"]]) }
      }
      assert.strictEqual(truth(parse(`flow.tags.${key} == "found"`), given), "True")
    }
  )

  it.prop(
    "does not depend on tags that it does not name (COND-10)",
    { expression: condition, given: scope, value: FastCheck.string() },
    ({ expression, given, value }) => {
      const flow = given.flow && {
        ...given.flow,
        tags: { ...given.flow.tags, unused: value }
      }
      assert.strictEqual(truth(expression, given), truth(expression, { ...given, flow }))
    }
  )

  it.prop(
    "has the same value when compiled once and evaluated often",
    { expression: condition, scopes: FastCheck.array(scope, { maxLength: 4 }) },
    ({ expression, scopes }) => {
      const compiled = PolicyExpression.compile(expression)
      for (const given of [...scopes, ...scopes])
        assert.strictEqual(compiled(given), truth(expression, given))
    }
  )
})

describe("PolicyExpression.evaluate: the table of the specification (6.3)", () => {
  const artifact = { name: "prod:svc", fingerprint: "f".repeat(64) }
  const flow = {
    flow_name: "runner",
    tags: { "risk-level": "high", priority: "3", "key.with.dots": "y", n: "007" }
  }

  const table: ReadonlyArray<readonly [text: string, withFlow: string, without: string]> = [
    ['flow.tags.risk-level == "high" and matches(artifact.name, "^prod:.*")', "True", "False"],
    ['not flow.tags.risk-level == "high"', "False", "True"],
    ["flow.tags.priority >= 3", "True", "Error"],
    ["flow.tags.priority == 3", "True", "False"],
    ["flow.tags.n == 7", "True", "False"],
    ["flow.tags.risk-level <= 2", "Error", "Error"],
    ['flow.tags.missing != "x"', "True", "True"],
    ["flow.tags.missing == null", "True", "True"],
    ['flow.tags.missing < 3 or flow.name == "runner"', "True", "Error"],
    ['flow.tags.missing < 3 and flow.name == "x"', "False", "False"],
    ['flow.tags.key.with.dots == "y"', "True", "False"],
    ['flow.name == "a" or flow.name == "runner" and artifact.name == "zzz"', "False", "False"]
  ]

  for (const [text, withFlow, without] of table)
    it(`${text} is ${withFlow} with a flow, ${without} without provenance`, () => {
      assert.strictEqual(truth(parse(text), { artifact, flow }), withFlow)
      assert.strictEqual(truth(parse(text), { artifact, flow: null }), without)
      assert.strictEqual(Model.evaluate(text, { artifact, flow }), withFlow)
      assert.strictEqual(Model.evaluate(text, { artifact, flow: null }), without)
    })
})

describe("PolicyExpression.evaluate: examples", () => {
  const tags = {
    big: "9007199254740993",
    long: `0${"0".repeat(400)}1`,
    negative: "-0.50",
    word: "1e3",
    empty: ""
  }
  const given: Scope = {
    artifact: { name: "two\nlines", fingerprint: "" },
    flow: {
      flow_name: "f",
      tags: Object.fromEntries([...Object.entries(tags), ["__proto__", "own"]])
    }
  }

  const examples: ReadonlyArray<readonly [text: string, expected: string]> = [
    ["flow.tags.big == 9007199254740992", "False"],
    ["flow.tags.big > 9007199254740992", "True"],
    ["flow.tags.long == 1", "True"],
    ["flow.tags.negative == -.5 or true", "syntax"],
    ["flow.tags.negative == -0.5", "True"],
    ["flow.tags.negative < -0.49", "True"],
    ["flow.tags.negative >= 0", "False"],
    ["0 == -0.0", "True"],
    ["flow.tags.word == 1000", "False"],
    ["flow.tags.word < 1000", "Error"],
    ["flow.tags.empty == 0", "False"],
    ['flow.tags.empty == ""', "True"],
    ["exists(flow.tags.empty)", "True"],
    ["exists(flow.tags.constructor)", "False"],
    ["exists(flow.tags.toString)", "False"],
    ['flow.tags.__proto__ == "own"', "True"],
    ['"10" < "9"', "True"],
    ['"10" < 9', "False"],
    ["true == true", "True"],
    ["true == 1", "False"],
    ['true == "true"', "False"],
    ["true < 1", "Error"],
    ["null == null", "True"],
    ["null < null", "Error"],
    ["null in [null]", "False"],
    ['"3" in [3.0]', "True"],
    ["(flow.tags.missing < 3) == true", "Error"],
    ["(flow.tags.missing < 3) != true", "Error"],
    ["exists((flow.tags.missing < 3))", "Error"],
    ["(flow.tags.missing < 3) in [true]", "Error"],
    ['(flow.name == "f") == true', "True"],
    ["exists(flow)", "True"],
    ["exists(flow.tags)", "True"],
    ["exists(artifact)", "True"],
    ["exists(null)", "False"],
    ['matches(null, "")', "False"],
    ['matches(flow.tags.missing, "")', "False"],
    ['matches(artifact.name, "^two.*lines$")', "False"],
    ['matches(artifact.name, "(?s)^two.*lines$")', "True"],
    ['matches(artifact.name, "o\\nl")', "True"],
    ['matches("prefix-x", "x")', "True"],
    ['artifact.fingerprint == ""', "True"]
  ]

  for (const [text, expected] of examples)
    it(`${JSON.stringify(text)} is ${expected}`, () =>
      assert.strictEqual(
        Either.match(PolicyExpression.parse(text), {
          onLeft: () => "syntax",
          onRight: (expression) => truth(expression, given)
        }),
        expected
      ))

  it("evaluates whole objects without provenance", () => {
    const without = { artifact: given.artifact, flow: null }
    assert.strictEqual(truth(parse("exists(flow) or exists(flow.tags)"), without), "False")
    assert.strictEqual(truth(parse("exists(artifact)"), without), "True")
  })

  it("evaluates to Error for a tree without a text", () => {
    assert.strictEqual(truth({ _tag: "Null" }, given), "Error")
    assert.strictEqual(
      truth({ _tag: "Matches", operand: { _tag: "Null" }, pattern: "(" }, given),
      "Error"
    )
  })
})
