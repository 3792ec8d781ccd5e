/**
 * The syntax tree of the expression language, and its text. SPEC §2.7.2
 *
 * Nodes have no positions, so that equal expressions are equal values. The tree has no parentheses; the printer
 * adds those that are needed.
 */

/** The comparison operators. */
export type ComparisonOperator = "==" | "!=" | "<" | ">" | "<=" | ">="

/** A literal; a number keeps its digits. */
export type Literal =
  | { readonly _tag: "Text"; readonly value: string }
  | { readonly _tag: "Number"; readonly digits: string }
  | { readonly _tag: "Boolean"; readonly value: boolean }
  | { readonly _tag: "Null" }

/** The fields of expressions; the first three are whole objects. */
export const FIELDS = [
  "flow",
  "flow.tags",
  "artifact",
  "flow.name",
  "artifact.name",
  "artifact.fingerprint"
] as const

/** The names of facts begin so. */
export const FACTS = "facts."

/** The path of the fact that lists purls: `in` finds them by package and version instead of by their texts. */
export const PURLS = "purls"

/** A field of expressions. */
export type Field = (typeof FIELDS)[number]

/** A field, or a tag of the flow by its whole key. */
export type Path =
  | { readonly _tag: "Field"; readonly field: Field }
  | { readonly _tag: "Tag"; readonly key: string }

/** A fact of the evidence by its path below `facts.`; only conditions on facts have it. */
export interface Fact {
  readonly _tag: "Fact"
  readonly path: string
}

/** An expression. Chains of `and` and of `or` are flat and have at least two terms. */
export type Expression =
  | Literal
  | Path
  | Fact
  | { readonly _tag: "Or"; readonly terms: ReadonlyArray<Expression> }
  | { readonly _tag: "And"; readonly terms: ReadonlyArray<Expression> }
  | { readonly _tag: "Not"; readonly term: Expression }
  | {
      readonly _tag: "Compare"
      readonly operator: ComparisonOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly _tag: "In"
      readonly operand: Expression
      readonly list: ReadonlyArray<Literal>
    }
  | { readonly _tag: "Contains"; readonly operand: Expression; readonly list: Fact }
  | { readonly _tag: "Exists"; readonly operand: Expression }
  | { readonly _tag: "Matches"; readonly operand: Expression; readonly pattern: string }

const ESCAPES = new Map([
  ["\\", "\\\\"],
  ['"', '\\"'],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

const printText = (value: string): string =>
  `"${value.replace(/[\\"\n\r\t]/g, (character) => ESCAPES.get(character) ?? character)}"`

/** The precedence of a node; a lower one inside a higher one needs parentheses. */
const tightness = (expression: Expression): number => {
  switch (expression._tag) {
    case "Or":
      return 1
    case "And":
      return 2
    case "Not":
    case "Compare":
    case "In":
    case "Contains":
      return 3
    default:
      return 4
  }
}

const printAt = (expression: Expression, least: number): string =>
  tightness(expression) < least ? `(${print(expression)})` : print(expression)

/** The text of an expression, with as few parentheses as possible. */
export const print = (expression: Expression): string => {
  switch (expression._tag) {
    case "Text":
      return printText(expression.value)
    case "Number":
      return expression.digits
    case "Boolean":
      return String(expression.value)
    case "Null":
      return "null"
    case "Field":
      return expression.field
    case "Tag":
      return `flow.tags.${expression.key}`
    case "Fact":
      return `${FACTS}${expression.path}`
    case "Or":
      return expression.terms.map((term) => printAt(term, 2)).join(" or ")
    case "And":
      return expression.terms.map((term) => printAt(term, 3)).join(" and ")
    case "Not":
      return `not ${printAt(expression.term, 3)}`
    case "Compare": {
      const { left, operator, right } = expression
      return `${printAt(left, 4)} ${operator} ${printAt(right, 4)}`
    }
    case "In":
      return `${printAt(expression.operand, 4)} in [${expression.list.map(print).join(", ")}]`
    case "Contains":
      return `${printAt(expression.operand, 4)} in ${print(expression.list)}`
    case "Exists":
      return `exists(${printAt(expression.operand, 4)})`
    case "Matches":
      return `matches(${printAt(expression.operand, 4)}, ${printText(expression.pattern)})`
  }
}

/** The expressions directly inside an expression. */
export const children = (expression: Expression): ReadonlyArray<Expression> => {
  switch (expression._tag) {
    case "Or":
    case "And":
      return expression.terms
    case "Not":
      return [expression.term]
    case "Compare":
      return [expression.left, expression.right]
    case "Contains":
      return [expression.operand, expression.list]
    case "In":
    case "Exists":
    case "Matches":
      return [expression.operand]
    default:
      return []
  }
}
