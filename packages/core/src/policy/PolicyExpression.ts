/**
 * The expression language of policies: when a rule applies. SPEC §2.7.2
 *
 * `parse` accepts an expression or reports all its problems; an accepted expression always evaluates to True,
 * False or Error. The rules decide which of the three waives or skips them.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../shared/Evidence.js"
import * as FactCondition from "./internal/FactCondition.js"
import { ExpressionCompiler } from "./internal/PolicyExpressionCompiler.js"
import type { ExpressionProblem } from "./internal/PolicyExpressionLexer.js"
import * as Parser from "./internal/PolicyExpressionParser.js"
import { check } from "./internal/PolicyExpressionTypes.js"
import { children, type Expression } from "./PolicyExpressionTree.js"
import type { Facts } from "./PolicyFacts.js"
import * as PolicyPattern from "./PolicyPattern.js"
import * as PolicyPredicate from "./PolicyPredicate.js"

/** The most characters of an expression. */
export const LENGTH_MAX = 4096
/** The deepest nesting of parentheses, calls and `not`. */
export const NESTING_MAX = Parser.NESTING_MAX

/** An expression: a condition once `parse` has accepted it. */
export type PolicyExpression = Expression
/** What the names of an expression are about. */
export type Subject = Parser.Subject
/** The nodes of expressions. */
export type { ComparisonOperator, Fact, Field, Literal, Path } from "./PolicyExpressionTree.js"
/** The text of an expression, with as few parentheses as possible; `parse` reads it back. */
export { print } from "./PolicyExpressionTree.js"

/** A text that is no expression, or exceeds a limit. */
export class InvalidPolicyExpression extends Schema.TaggedError<InvalidPolicyExpression>()(
  "InvalidPolicyExpression",
  {
    problems: Schema.NonEmptyArray(Schema.Struct({ position: Schema.Int, message: Schema.String }))
  }
) {
  override get message(): string {
    return this.problems
      .map(({ message, position }) => `character ${position}: ${message}`)
      .join("; ")
  }
}

const invalid = (
  problems: ReadonlyArray<ExpressionProblem>
): Option.Option<InvalidPolicyExpression> => {
  const [first, ...others] = problems
  return first === undefined
    ? Option.none()
    : Option.some(new InvalidPolicyExpression({ problems: [first, ...others] }))
}

const isTooLong = (text: string): boolean =>
  text.length > LENGTH_MAX && Array.from(text).length > LENGTH_MAX

/**
 * Parses the text of an expression. Patterns share the limits of their policy: `compilePattern` is the policy's
 * compiler, or the expression's own.
 */
export const parse = (
  text: string,
  compilePattern = PolicyPattern.forPolicy()
): Either.Either<PolicyExpression, InvalidPolicyExpression> =>
  parseAbout("row", text, compilePattern)

/** Parses a condition on the facts of an attestation: every name in it begins with `facts.`. */
export const parseWhere = (
  text: string,
  compilePattern = PolicyPattern.forPolicy()
): Either.Either<PolicyExpression, InvalidPolicyExpression> =>
  parseAbout("facts", text, compilePattern)

const parseAbout = (
  subject: Parser.Subject,
  text: string,
  compilePattern: ReturnType<typeof PolicyPattern.forPolicy>
): Either.Either<PolicyExpression, InvalidPolicyExpression> => {
  const message = `longer than ${LENGTH_MAX} characters: split it into several rules`
  const read: Either.Either<Parser.Parsed, ExpressionProblem> = isTooLong(text)
    ? Either.left({ position: LENGTH_MAX + 1, message })
    : Parser.parse(text, subject)
  return Either.flatMap(
    Either.mapLeft(read, (problem) => new InvalidPolicyExpression({ problems: [problem] })),
    (parsed) =>
      Option.match(invalid(check(parsed, compilePattern)), {
        onSome: Either.left,
        onNone: () => Either.right(parsed.expression)
      })
  )
}

const OPEN = "${{"
const CLOSE = "}}"

/** The text inside `${{ … }}`; none when a text is not wrapped. The wrapper leaves no doubt about what is code. */
export const unwrap = (text: string): Option.Option<string> => {
  const trimmed = text.trim()
  return trimmed.startsWith(OPEN) && trimmed.endsWith(CLOSE)
    ? Option.some(trimmed.slice(OPEN.length, -CLOSE.length).trim())
    : Option.none()
}

/** A text in the form of policy files; the inverse of `unwrap`. */
export const wrap = (text: string): string => `${OPEN} ${text} ${CLOSE}`

/** The value of an expression. */
export type Truth = "True" | "False" | "Error"

/** The inputs of an expression; without provenance there is no flow. */
export interface Scope {
  readonly artifact: Facts["artifact"]
  readonly flow: PolicyPredicate.FlowScope | null
}

/** Compiles an expression into a function of the scope. */
export const compile = (expression: PolicyExpression): ((scope: Scope) => Truth) => {
  const compiler = new ExpressionCompiler([expression], (source) =>
    Option.getOrUndefined(Either.getRight(PolicyPattern.compile(source)))
  )
  const predicate = compiler.compile(expression)
  const { ofRow } = compiler.slots
  return ({ artifact, flow }) => {
    return truthOf(PolicyPredicate.evaluate(predicate, { artifact, flow, memo: [], base: ofRow }))
  }
}

/**
 * Compiles a condition on facts into a function of the facts. A fact that is missing makes every test but `exists` an
 * Error.
 */
export const compileWhere = (
  expression: PolicyExpression
): ((facts: JsonObject | null) => Truth) => {
  const test = FactCondition.compile(expression)
  return (facts) => truthOf(test(facts))
}

/** The paths of facts that an expression reads, in the order of its text, each once. */
export const factPaths = (expression: PolicyExpression): ReadonlyArray<string> => [
  ...new Set(nodes(expression).flatMap((node) => (node._tag === "Fact" ? [node.path] : [])))
]

const truthOf = (found: PolicyPredicate.Ternary): Truth =>
  found === PolicyPredicate.TRUE ? "True" : found === PolicyPredicate.FALSE ? "False" : "Error"

/** The value of an expression in one scope. */
export const evaluate = (expression: PolicyExpression, scope: Scope): Truth =>
  compile(expression)(scope)

/** An expression and all expressions inside it, each before its parts. */
export const nodes = (expression: PolicyExpression): ReadonlyArray<PolicyExpression> => [
  expression,
  ...children(expression).flatMap(nodes)
]

/** Whether the value can depend on the name of the flow. */
export const usesFlowName = (expression: PolicyExpression): boolean =>
  nodes(expression).some((node) => node._tag === "Field" && node.field === "flow.name")

/** Whether the value can depend on the tags of the flow. */
export const usesFlowTags = (expression: PolicyExpression): boolean =>
  nodes(expression).some(({ _tag }) => _tag === "Tag")

/** The patterns of an expression, in the order of its text, each once. */
export const patterns = (expression: PolicyExpression): ReadonlyArray<string> => [
  ...new Set(nodes(expression).flatMap((node) => (node._tag === "Matches" ? [node.pattern] : [])))
]
