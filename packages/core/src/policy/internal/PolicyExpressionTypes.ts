/**
 * The types of the parts of an expression, and the type errors. SPEC §2.7.2
 *
 * Static: no facts are needed. Whether a tag exists or is a number is known at evaluation, and is then an
 * Error, not a type error.
 */
import * as Either from "effect/Either"
import * as PurlPattern from "../../component/PurlPattern.js"
import { children, type Expression, PURLS, print } from "../PolicyExpressionTree.js"
import type * as PolicyPattern from "../PolicyPattern.js"
import type { ExpressionProblem } from "./PolicyExpressionLexer.js"
import type { Parsed } from "./PolicyExpressionParser.js"

/** The type of a part; a field or a tag is text, or null when it is missing. Any value may be a fact. */
export type Kind = "boolean" | "text" | "number" | "null" | "object" | "fact"

/** The type of an expression. */
export const kindOf = (expression: Expression): Kind => {
  switch (expression._tag) {
    case "Text":
    case "Tag":
      return "text"
    case "Number":
      return "number"
    case "Null":
      return "null"
    case "Fact":
      return "fact"
    case "Field":
      return ["flow", "flow.tags", "artifact"].includes(expression.field) ? "object" : "text"
    default:
      return "boolean"
  }
}

const show = (expression: Expression): string => {
  const text = print(expression)
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``
}

const NAMES: { readonly [K in Kind]: string } = {
  boolean: "a condition",
  text: "text",
  number: "a number",
  null: "null",
  object: "a whole object",
  fact: "a fact"
}

const notCondition = (part: Expression): string => {
  const kind = kindOf(part)
  const advice =
    kind === "object"
      ? `ask \`exists(${print(part)})\``
      : `compare it, for example \`${kind === "text" ? print(part).slice(0, 60) : "flow.name"} == "…"\``
  return `${show(part)} is ${NAMES[kind]}, not a condition: ${advice}`
}

const wholeObject = (part: Expression): string =>
  `${show(part)} is a whole object, which only \`exists(…)\` can ask about: name one of its fields`

/** Whether a part can be True: a fact can hold a boolean. */
const isCondition = (part: Expression): boolean => ["boolean", "fact"].includes(kindOf(part))

type Compile = typeof PolicyPattern.compile

/** The problems of one node, without those of its parts. */
const problemsOf = (
  node: Expression,
  compile: Compile
): ReadonlyArray<readonly [Expression, string]> => {
  switch (node._tag) {
    case "Or":
    case "And":
    case "Not":
      return children(node)
        .filter((part) => !isCondition(part))
        .map((part) => [part, notCondition(part)])
    case "Compare":
    case "In":
      return children(node)
        .filter((part) => kindOf(part) === "object")
        .map((part) => [part, wholeObject(part)])
    case "Matches":
      return [
        ...operandProblems(node.operand),
        ...Either.match(compile(node.pattern), {
          onLeft: ({ message }) => [[node, message] as const],
          onRight: () => []
        })
      ]
    case "Contains":
      return node.list.path === PURLS ? purlProblems(node.operand) : []
    default:
      return []
  }
}

const purlProblems = (operand: Expression): ReadonlyArray<readonly [Expression, string]> => {
  if (operand._tag !== "Text")
    return [[operand, `${show(operand)} is no text: write a purl such as "pkg:npm/lodash"`]]
  return Either.match(PurlPattern.parse(operand.value), {
    onLeft: ({ message }) => [[operand, message] as const],
    onRight: () => []
  })
}

const operandProblems = (operand: Expression): ReadonlyArray<readonly [Expression, string]> => {
  const kind = kindOf(operand)
  if (kind === "text" || kind === "null" || kind === "fact") return []
  return kind === "object"
    ? [[operand, wholeObject(operand)]]
    : [
        [
          operand,
          `${show(operand)} is ${NAMES[kind]}: \`matches\` searches a name, a tag or a text`
        ]
      ]
}

/** Every type error in the order of the text; `compile` decides which patterns are allowed. */
export const check = (
  { expression, positions }: Parsed,
  compile: Compile
): ReadonlyArray<ExpressionProblem> => {
  const found: Array<readonly [Expression, string]> = []
  const visit = (node: Expression): void => {
    found.push(...problemsOf(node, compile))
    children(node).forEach(visit)
  }
  if (!isCondition(expression)) found.push([expression, notCondition(expression)])
  visit(expression)
  return found
    .map(([node, message]) => ({ position: positions.get(node) ?? 1, message }))
    .sort((left, right) => left.position - right.position)
}
