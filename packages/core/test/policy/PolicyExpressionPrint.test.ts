// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, Option, Schema } from "effect"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import { expressionProblems as problems } from "./PolicyTexts.js"

const parse = (text: string) => Either.getOrThrow(PolicyExpression.parse(text))

describe("PolicyExpression.print", () => {
  const printed: ReadonlyArray<readonly [given: string, text: string]> = [
    ["((true))", "true"],
    ["(false or (true))", "false or true"],
    ["(true and false) or true", "true and false or true"],
    ["true and (false or true)", "true and (false or true)"],
    ["(true or false) or true", "(true or false) or true"],
    ["(true and false) and true", "(true and false) and true"],
    ["not (true and false)", "not (true and false)"],
    ["(not true) and not (not false)", "not true and not not false"],
    ["not (true or false)", "not (true or false)"],
    ["not (1 < 2)", "not 1 < 2"],
    ["(not true) == false", "(not true) == false"],
    ["(1 < 2) == (3 >= 4)", "(1 < 2) == (3 >= 4)"],
    ["(1) <= (flow.tags.a)", "1 <= flow.tags.a"],
    ["(1 in []) in [true]", "(1 in []) in [true]"],
    ["(exists(flow)) in [true,null]", "exists(flow) in [true, null]"],
    ["(exists(flow)) != (matches(flow.name, 'a'))", 'exists(flow) != matches(flow.name, "a")'],
    ["exists((1 > 2))", "exists((1 > 2))"],
    ["exists((artifact))", "exists(artifact)"],
    ["matches((artifact.name), '\\.')", 'matches(artifact.name, "\\\\.")'],
    [
      "'a\t\n\rb\"\\'\\\\' == artifact.fingerprint",
      '"a\\t\\n\\rb\\"\'\\\\" == artifact.fingerprint'
    ]
  ]

  for (const [given, text] of printed)
    it(`prints ${JSON.stringify(given)} with only the necessary parentheses`, () => {
      assert.strictEqual(PolicyExpression.print(parse(given)), text)
      assert.deepStrictEqual(parse(text), parse(given))
    })
})

describe("PolicyExpression.parse: type errors", () => {
  const WHOLE = "is a whole object, which only `exists(…)` can ask about: name one of its fields"

  const rejects: ReadonlyArray<readonly [text: string, ...problems: ReadonlyArray<string>]> = [
    ["null", '1: `null` is null, not a condition: compare it, for example `flow.name == "…"`'],
    ["flow", "1: `flow` is a whole object, not a condition: ask `exists(flow)`"],
    ["flow.tags", "1: `flow.tags` is a whole object, not a condition: ask `exists(flow.tags)`"],
    ["artifact", "1: `artifact` is a whole object, not a condition: ask `exists(artifact)`"],
    [
      "true or artifact.name",
      '9: `artifact.name` is text, not a condition: compare it, for example `artifact.name == "…"`'
    ],
    [
      "true and artifact.fingerprint",
      "10: `artifact.fingerprint` is text, not a condition: compare it, for example " +
        '`artifact.fingerprint == "…"`'
    ],
    [
      "not flow.tags.a",
      '5: `flow.tags.a` is text, not a condition: compare it, for example `flow.tags.a == "…"`'
    ],
    ["artifact < flow", `1: \`artifact\` ${WHOLE}`, `12: \`flow\` ${WHOLE}`],
    ["exists(flow) and flow in [1]", `18: \`flow\` ${WHOLE}`],
    ["exists((flow.tags == 3))", `9: \`flow.tags\` ${WHOLE}`],
    ["(matches(artifact, 'a')) in [true]", `10: \`artifact\` ${WHOLE}`],
    [
      "matches((exists(flow)), 'a')",
      "10: `exists(flow)` is a condition: `matches` searches a name, a tag or a text"
    ],
    ["matches(true, 'a')", "9: `true` is a condition: `matches` searches a name, a tag or a text"]
  ]

  for (const [given, ...expected] of rejects)
    it(`refuses ${given}`, () => assert.deepStrictEqual(problems(given), expected))

  it("accepts a name, a tag, a text and null in `matches`, and whole objects in `exists`", () => {
    for (const text of [
      "matches(null, 'a')",
      "matches('b', 'a')",
      "matches(flow.tags.a, 'a')",
      "exists(flow.tags)",
      "exists(3)",
      "exists(null)"
    ])
      assert.deepStrictEqual(problems(text), [])
  })

  it("shows 60 characters of a part, and cuts a longer one", () => {
    const shown = `"${"a".repeat(58)}"`
    const compare = "compare it, for example"
    assert.deepStrictEqual(problems(shown), [
      `1: \`${shown}\` is text, not a condition: ${compare} \`${shown} == "…"\``
    ])
    const cut = `"${"a".repeat(59)}`
    assert.deepStrictEqual(problems(`${cut}"`), [
      `1: \`${cut}…\` is text, not a condition: ${compare} \`${cut} == "…"\``
    ])
  })
})

describe("PolicyExpression.unwrap", () => {
  it("removes the outermost wrapper, and the space on both of its sides", () => {
    deepStrictEqual(PolicyExpression.unwrap(" \n${{\t true \n}} "), Option.some("true"))
    deepStrictEqual(PolicyExpression.unwrap("${{${{ }}}}"), Option.some("${{ }}"))
    assert.strictEqual(PolicyExpression.wrap("true"), "${{ true }}")
    for (const text of ["true", "${{ true", "true }}", "x ${{ true }}", "${{ true }} x"])
      deepStrictEqual(PolicyExpression.unwrap(text), Option.none())
  })
})

describe("PolicyExpression: the inputs of an expression", () => {
  it("tells whether the value can depend on tags", () => {
    assert.isTrue(PolicyExpression.usesFlowTags(parse("not (true and exists(flow.tags.a))")))
    assert.isTrue(PolicyExpression.usesFlowTags(parse("flow.tags.a in []")))
    assert.isTrue(PolicyExpression.usesFlowTags(parse("matches(flow.tags.a, 'b')")))
    for (const text of ["exists(flow)", "exists(flow.tags)", 'flow.name == "flow.tags.a"'])
      assert.isFalse(PolicyExpression.usesFlowTags(parse(text)))
  })

  it("tells whether the value can depend on the name of the flow", () => {
    assert.isTrue(PolicyExpression.usesFlowName(parse("1 < 2 or 'a' == flow.name")))
    assert.isTrue(PolicyExpression.usesFlowName(parse("matches(flow.name, 'a')")))
    assert.isFalse(PolicyExpression.usesFlowName(parse("artifact.name == 'a'")))
  })

  it("has every part after the whole, in the order of the text", () =>
    assert.deepStrictEqual(
      PolicyExpression.nodes(parse("not (1 < flow.tags.a and 'b' in [2])")).map(
        PolicyExpression.print
      ),
      [
        'not (1 < flow.tags.a and "b" in [2])',
        '1 < flow.tags.a and "b" in [2]',
        "1 < flow.tags.a",
        "1",
        "flow.tags.a",
        '"b" in [2]',
        '"b"'
      ]
    ))
})

describe("InvalidPolicyExpression", () => {
  it("has at least one problem, each with an integer as its position", () => {
    const { InvalidPolicyExpression } = PolicyExpression
    const error = new InvalidPolicyExpression({ problems: [{ position: 3, message: "no" }] })
    assert.strictEqual(error._tag, "InvalidPolicyExpression")
    assert.strictEqual(error.message, "character 3: no")
    const isProblems = Schema.is(InvalidPolicyExpression.fields.problems)
    assert.isTrue(isProblems(error.problems))
    for (const wrong of [[], [{}], [{ position: 1.5, message: "" }], [{ position: 1 }]])
      assert.isFalse(isProblems(wrong))
  })
})
