import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { RE2JS } from "re2js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as PolicyPattern from "../../src/policy/PolicyPattern.js"
import { ARTIFACT_NAME_LENGTH_MAX } from "../../src/shared/Identifier.js"

/** Patterns that make engines slow: many threads at once, a new state at every character, big classes. */
const families: ReadonlyArray<(size: number) => string> = [
  (size) => `(a|b)*a(a|b){${size}}c`,
  (size) => `[ab]*a[ab]{${size}}c`,
  (size) => `(?:a?){${size}}a{${size}}c`,
  (size) => `(?:(?:a|b|ab|ba)?){${size}}c$`,
  (size) => `.{0,${size}}c$`,
  (size) => `\\pL{${size}}\\d$`,
  (size) => `(?:\\b[ab]?|\\B){${size}}c$`,
  (size) => `${"(?:a*b*)*".repeat((size % 20) + 1)}c$`,
  (size) => `${"a".repeat(size)}[bc]c`
]

const hostile = FastCheck.tuple(
  FastCheck.constantFrom(...families),
  FastCheck.integer({ min: 1, max: 100 })
).map(([family, size]) => family(size))

const names = [
  `c9${"a".repeat(ARTIFACT_NAME_LENGTH_MAX - 2)}`,
  `c9${"ab".repeat(ARTIFACT_NAME_LENGTH_MAX / 2 - 1)}`,
  `c9${"aab".repeat(ARTIFACT_NAME_LENGTH_MAX / 3 - 1)}`
]

/** Whether a search never has two threads at once, for any text. */
const isOneFinger = (source: string): boolean =>
  Boolean(RE2JS.compile(source).re2().onepass) || !/[+?()|[\]{}]/.test(source)

const policyOf = (patterns: ReadonlyArray<string>) =>
  `_schema: https://x.example/v1\nartifacts:\n  attestations:\n${patterns
    .map((pattern) => {
      const text = PolicyExpression.print({
        _tag: "Matches",
        operand: { _tag: "Field", field: "artifact.name" },
        pattern
      })
      return `    - { type: junit, if: { text: ${JSON.stringify(text)} } }\n`
    })
    .join("")}`

describe("an accepted policy", () => {
  it.prop(
    "makes at most a fixed number of steps per character of a name (P-RE)",
    { patterns: FastCheck.array(hostile, { minLength: 1, maxLength: 20 }), at: FastCheck.nat(2) },
    ({ at, patterns }) => {
      const compile = PolicyPattern.forPolicy()
      const accepted = ["^fine", ...patterns].filter((pattern) => Either.isRight(compile(pattern)))
      const document = Either.getOrThrow(PolicyDocument.parse(policyOf(accepted)))
      const steps = [...new Set(accepted)]
        .filter((pattern) => !isOneFinger(pattern))
        .map((pattern) => RE2JS.compile(pattern).programSize())
        .reduce((sum, size) => sum + size, 0)
      assert.isAtMost(steps, PolicyPattern.WEIGHT_MAX)
      const name = names[at] ?? ""
      const { verdict } = PolicyEvaluation.evaluate(
        PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document }]),
        { artifact: { name, fingerprint: "" }, flows: [] }
      )
      assert.include(["Compliant", "NonCompliant"], verdict)
    },
    { fastCheck: { numRuns: 60 } }
  )

  it("is refused with a position and a correction when its patterns are too much work together", () => {
    const patterns = ["a", "d", "e", "f", "g"].map(
      (letter) => `(${letter}|b)*${letter}(${letter}|b){90}c`
    )
    const { problems } = Either.getOrThrow(Either.flip(PolicyDocument.parse(policyOf(patterns))))
    assert.deepStrictEqual(
      problems.map(({ line, path }) => [path, line]),
      [
        ["artifacts.attestations.2.if", 6],
        ["artifacts.attestations.3.if", 7],
        ["artifacts.attestations.4.if", 8]
      ]
    )
    assert.include(problems[0]?.message, "is too much work beside the policy's other patterns")
  })

  it("matches each pattern once against an artifact's name, for any number of rules and flows", () => {
    const text = PolicyExpression.print({
      _tag: "Matches",
      operand: { _tag: "Field", field: "artifact.name" },
      pattern: "[0-9]+x"
    })
    const document = Either.getOrThrow(
      PolicyDocument.parse(policyOf(Array.from({ length: 50 }, () => "[0-9]+x")))
    )
    assert.strictEqual(document.attestations[0]?.condition?.text, text)
    const { slots } = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document }])
    assert.deepStrictEqual([slots.ofRow, slots.ofFlow], [1, 1])
  })
})

describe("hostile documents are refused in bounded time", () => {
  const HEAD = "_schema: https://x.example/v1\n"
  const refused = (text: string): void => assert.isTrue(Either.isLeft(PolicyDocument.parse(text)))

  it("with thousands of patterns", () => {
    const one = (index: number) => `matches(artifact.name, '\\\\pL{99}${index}')`
    const rules = Array.from({ length: 20 }, (_, rule) => {
      const terms = Array.from({ length: 90 }, (_, index) => one(rule * 90 + index))
      return `    - { type: junit, if: { text: "${terms.join(" or ")}" } }\n`
    })
    refused(`${HEAD}artifacts:\n  attestations:\n${rules.join("")}`.slice(0, 65_000))
  })

  it("with deep nesting of every kind", () => {
    for (const [open, close] of [
      ["(", ")"],
      ["not ", ""],
      ["exists(", ")"],
      ["not(", ")"]
    ] as const) {
      const text = `${open.repeat(500)}true${close.repeat(500)}`
      refused(`${HEAD}artifacts: { attestations: [{ type: junit, if: { text: "${text}" } }] }`)
    }
  })

  it("with long runs that slow regular expressions down", () => {
    const texts = [
      "'".repeat(4_000),
      `"${"\\\\".repeat(2_000)}`,
      "a.".repeat(2_000),
      "9".repeat(4_096),
      "((((".repeat(1_000)
    ]
    for (const text of texts) assert.isTrue(Either.isLeft(PolicyExpression.parse(text)))
  })

  it("and tag values of any length are compared in linear time", () => {
    const scope = (value: string) => ({
      artifact: { name: "x", fingerprint: "" },
      flow: { flow_name: "f", tags: { n: value } }
    })
    const isSeven = Either.getOrThrow(PolicyExpression.parse("flow.tags.n == 7"))
    assert.strictEqual(PolicyExpression.evaluate(isSeven, scope(`${"0".repeat(200_000)}7`)), "True")
    assert.strictEqual(
      PolicyExpression.evaluate(isSeven, scope(`${"0".repeat(200_000)}x`)),
      "False"
    )
    assert.strictEqual(
      PolicyExpression.evaluate(isSeven, scope(`7.${"0".repeat(200_000)}`)),
      "True"
    )
    assert.strictEqual(
      PolicyExpression.evaluate(isSeven, scope(`7.${"0".repeat(200_000)}x`)),
      "False"
    )
  })
})
