/**
 * Expressions that `parse` accepts, over few names, tags and values, so that they often match the facts of
 * `testing/PolicyFacts`: equal and unequal texts, missing tags, numbers and almost numbers.
 */
import type {
  ComparisonOperator,
  Fact,
  Field,
  Literal,
  PolicyExpression
} from "@attestry/core/PolicyExpression"
import * as FastCheck from "effect/FastCheck"

/** Flow names that facts and expressions share. */
export const FLOW_NAMES = ["build", "promote", "scan-prod"] as const
/** Tag keys that facts and expressions share; the last is never set. */
export const TAG_KEYS = [
  "kind",
  "risk-level",
  "priority",
  "key.with.dots",
  "in",
  "constructor",
  "missing"
] as const
/** Tag values: words, numbers in several spellings, and texts that are almost numbers. */
export const TAG_VALUES = [
  "build",
  "high",
  "3",
  "007",
  "-1.50",
  "9007199254740993",
  "1e3",
  ""
] as const
/** Artifact names. */
export const ARTIFACT_NAMES = ["prod:svc", "prod:shop-7", "datadog:7", "mystery"] as const
/** Fingerprints; the empty one is unknown. */
export const FINGERPRINTS = ["a".repeat(64), "b".repeat(64), ""] as const
/** Patterns with the same meaning in RE2 and in JavaScript. */
export const PATTERNS = [
  "^prod:.*",
  "^datadog:",
  "7$",
  "o",
  "^build$",
  "[0-9]+$",
  "(h|b)i",
  "^.*-.*$",
  ""
] as const

const NUMBERS = [
  "3",
  "7",
  "+3",
  "-1.5",
  "0",
  "-0.0",
  "9007199254740992",
  "9007199254740993"
] as const

const text: FastCheck.Arbitrary<Literal> = FastCheck.constantFrom(
  ...FLOW_NAMES,
  ...TAG_VALUES,
  ...ARTIFACT_NAMES,
  ...FINGERPRINTS,
  'q"uo\\te\n\u{1f600}',
  "\uffff"
).map((value) => ({ _tag: "Text", value }))

const number: FastCheck.Arbitrary<Literal> = FastCheck.constantFrom(...NUMBERS).map((digits) => ({
  _tag: "Number",
  digits
}))

/** A text, a number, a boolean or null. */
export const literal: FastCheck.Arbitrary<Literal> = FastCheck.oneof(
  { arbitrary: text, weight: 4 },
  { arbitrary: number, weight: 3 },
  FastCheck.boolean().map((value): Literal => ({ _tag: "Boolean", value })),
  FastCheck.constant<Literal>({ _tag: "Null" })
)

/** A name or a tag. */
export const path: FastCheck.Arbitrary<PolicyExpression> = FastCheck.oneof(
  FastCheck.constantFrom(...TAG_KEYS).map((key): PolicyExpression => ({ _tag: "Tag", key })),
  FastCheck.constantFrom<Field>("flow.name", "artifact.name", "artifact.fingerprint").map(
    (field): PolicyExpression => ({ _tag: "Field", field })
  )
)

const object = FastCheck.constantFrom<Field>("flow", "flow.tags", "artifact").map(
  (field): PolicyExpression => ({ _tag: "Field", field })
)

const operator = FastCheck.constantFrom<ComparisonOperator>("==", "!=", "<", ">", "<=", ">=")

const list = FastCheck.array(literal, { maxLength: 3 })

const simple: FastCheck.Arbitrary<PolicyExpression> = FastCheck.oneof(
  {
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Compare" as const),
      operator,
      left: FastCheck.oneof({ arbitrary: path, weight: 4 }, literal),
      right: FastCheck.oneof({ arbitrary: literal, weight: 4 }, path)
    }),
    weight: 5
  },
  {
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("In" as const),
      operand: FastCheck.oneof({ arbitrary: path, weight: 4 }, literal),
      list
    }),
    weight: 2
  },
  FastCheck.record({
    _tag: FastCheck.constant("Exists" as const),
    operand: FastCheck.oneof(path, object, literal)
  }),
  {
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Matches" as const),
      operand: FastCheck.oneof(
        { arbitrary: path, weight: 5 },
        text,
        FastCheck.constant<Literal>({ _tag: "Null" })
      ),
      pattern: FastCheck.constantFrom(...PATTERNS)
    }),
    weight: 2
  },
  FastCheck.boolean().map((value): PolicyExpression => ({ _tag: "Boolean", value }))
)

/** A condition of a few levels. */
export const expression: FastCheck.Arbitrary<PolicyExpression> = FastCheck.letrec<{
  readonly condition: PolicyExpression
}>((tie) => ({
  condition: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: simple, weight: 4 },
    FastCheck.record({
      _tag: FastCheck.constantFrom("And" as const, "Or" as const),
      terms: FastCheck.array(tie("condition"), { minLength: 2, maxLength: 3 })
    }),
    FastCheck.record({ _tag: FastCheck.constant("Not" as const), term: tie("condition") }),
    FastCheck.record({
      _tag: FastCheck.constant("Compare" as const),
      operator,
      left: tie("condition"),
      right: FastCheck.oneof(tie("condition"), literal)
    }),
    FastCheck.record({ _tag: FastCheck.constant("In" as const), operand: tie("condition"), list }),
    FastCheck.record({ _tag: FastCheck.constant("Exists" as const), operand: tie("condition") })
  )
})).condition

const factPath: FastCheck.Arbitrary<Fact> = FastCheck.constantFrom(
  "level",
  "builder",
  "is_agent",
  "source",
  "source.uri",
  "licenses",
  "constructor.name"
).map((path) => ({ _tag: "Fact", path }))

const factLiteral: FastCheck.Arbitrary<Literal> = FastCheck.constantFrom<Literal>(
  { _tag: "Number", digits: "1" },
  { _tag: "Number", digits: "2" },
  { _tag: "Text", value: "2" },
  { _tag: "Text", value: "MIT" },
  { _tag: "Text", value: "GPL-3.0" },
  { _tag: "Text", value: "https://ci.example/one" },
  { _tag: "Boolean", value: true },
  { _tag: "Boolean", value: false },
  { _tag: "Null" }
)

const factTest: FastCheck.Arbitrary<PolicyExpression> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("Compare" as const),
    operator,
    left: FastCheck.oneof({ arbitrary: factPath, weight: 4 }, factLiteral),
    right: FastCheck.oneof({ arbitrary: factLiteral, weight: 4 }, factPath)
  }),
  FastCheck.record({
    _tag: FastCheck.constant("In" as const),
    operand: factPath,
    list: FastCheck.array(factLiteral, { maxLength: 2 })
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Contains" as const),
    operand: FastCheck.oneof({ arbitrary: factLiteral, weight: 4 }, factPath),
    list: factPath
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Contains" as const),
    operand: FastCheck.constantFrom("pkg:npm/a", "pkg:npm/a@1", "pkg:npm/a@<2", "pkg:npm/b@>1").map(
      (value): PolicyExpression => ({ _tag: "Text", value })
    ),
    list: FastCheck.constant<Fact>({ _tag: "Fact", path: "purls" })
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Exists" as const),
    operand: FastCheck.oneof<[FastCheck.Arbitrary<Fact>, FastCheck.Arbitrary<Literal>]>(
      factPath,
      factLiteral
    )
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Matches" as const),
    operand: factPath,
    pattern: FastCheck.constantFrom("^https://ci", "^other$")
  }),
  factPath,
  FastCheck.boolean().map((value): PolicyExpression => ({ _tag: "Boolean", value }))
)

/** A condition on facts of a few levels, over the facts of `askedFacts`. */
export const factExpression: FastCheck.Arbitrary<PolicyExpression> = FastCheck.letrec<{
  readonly condition: PolicyExpression
}>((tie) => ({
  condition: FastCheck.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { arbitrary: factTest, weight: 5 },
    FastCheck.record({
      _tag: FastCheck.constantFrom("And" as const, "Or" as const),
      terms: FastCheck.array(tie("condition"), { minLength: 2, maxLength: 3 })
    }),
    FastCheck.record({ _tag: FastCheck.constant("Not" as const), term: tie("condition") }),
    FastCheck.record({ _tag: FastCheck.constant("Exists" as const), operand: tie("condition") })
  )
})).condition
