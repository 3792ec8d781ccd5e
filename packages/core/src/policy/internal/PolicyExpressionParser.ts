/**
 * Parses tokens into a tree. SPEC §2.7.2
 *
 * Recursive descent, one function per production, with bounded nesting. The first syntax error ends the parse;
 * types are checked afterwards.
 */
import * as Either from "effect/Either"
import {
  type ComparisonOperator,
  type Expression,
  FACTS,
  type Fact,
  FIELDS,
  type Field,
  type Literal
} from "../PolicyExpressionTree.js"
import { type ExpressionProblem, read, type Token } from "./PolicyExpressionLexer.js"

/** The deepest nesting of parentheses, calls and `not`. */
export const NESTING_MAX = 32

/** A tree, and the position of each of its nodes. */
export interface Parsed {
  readonly expression: Expression
  readonly positions: ReadonlyMap<Expression, number>
}

const OPERATORS: ReadonlyArray<string> = ["==", "!=", "<", ">", "<=", ">="]
const isOperator = (text: string): text is ComparisonOperator => OPERATORS.includes(text)

const isField = (text: string): text is Field => FIELDS.some((field) => field === text)

const KEYWORDS: ReadonlyArray<string> = ["and", "or", "not", "in"]

const TAGS = "flow.tags."

const NAMES = ["flow.name", "flow.tags.KEY", "artifact.name", "artifact.fingerprint"]

const ARITY = {
  exists: "one argument: `exists(x)`",
  matches: 'two arguments: `matches(x, "pattern")`'
}

const list = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")

/** What the names of an expression are about: a flow and its artifact, or the facts of an attestation. */
export type Subject = "row" | "facts"

const isOfRow = (word: string): boolean =>
  ["flow", "artifact"].some((root) => word === root || word.startsWith(`${root}.`))

const factAdvice = (word: string): string =>
  isOfRow(word)
    ? "`where` asks about facts alone; ask about flows and artifacts in `if`"
    : `put texts in quotes; names begin with \`${FACTS}\``

/** A suggestion for an unknown word. */
const adviceFor = (word: string, subject: Subject): string => {
  const lower = word.toLowerCase()
  const known = [...KEYWORDS, "true", "false", "null", ...FIELDS].find((name) => name === lower)
  if (known !== undefined && (subject === "row" || !isOfRow(known)))
    return `write \`${known}\` in lower case`
  if (subject === "facts") return factAdvice(word)
  if (word.startsWith(FACTS)) return "ask about facts of evidence in `where`"
  if (word.startsWith("flow.")) return "a flow has `flow.name` and `flow.tags.KEY`"
  if (word.startsWith("artifact."))
    return "an artifact has `artifact.name` and `artifact.fingerprint`"
  return `put texts in quotes; names are ${list(NAMES)}`
}

/** The state of the parser. After a problem every function returns undefined. */
class Reader {
  readonly positions = new Map<Expression, number>()
  problem: ExpressionProblem | undefined
  private index = 0
  private depth = 0

  constructor(
    private readonly tokens: ReadonlyArray<Token>,
    private readonly end: Token,
    readonly subject: Subject
  ) {}

  get next(): Token {
    return this.tokens[this.index] ?? this.end
  }

  get afterNext(): Token {
    return this.tokens[this.index + 1] ?? this.end
  }

  get operator(): ComparisonOperator | undefined {
    const { kind, value } = this.next
    return kind === "symbol" && isOperator(value) ? value : undefined
  }

  is(value: string): boolean {
    return this.next.value === value && this.next.kind !== "text"
  }

  skip(): void {
    this.index++
  }

  take(value: string): boolean {
    const found = this.is(value)
    if (found) this.skip()
    return found
  }

  fail(message: string, position = this.next.position): undefined {
    this.problem ??= { position, message }
    return undefined
  }

  expect(value: string, advice: string): boolean {
    const found = this.take(value)
    if (!found) this.fail(`expected \`${value}\`: ${advice}`)
    return found
  }

  node<Node extends Expression>(position: number, node: Node): Node {
    this.positions.set(node, position)
    return node
  }

  /** Parses one level deeper. */
  nested<A>(inner: () => A | undefined): A | undefined {
    if (this.depth === NESTING_MAX)
      return this.fail(`nested more than ${NESTING_MAX} levels deep: split the expression`)
    this.depth++
    const result = inner()
    this.depth--
    return result
  }
}

const readChain = (
  reader: Reader,
  word: "or" | "and",
  part: (reader: Reader) => Expression | undefined
): Expression | undefined => {
  const { position } = reader.next
  const first = part(reader)
  if (first === undefined || !reader.is(word)) return first
  const terms = [first]
  while (reader.take(word)) {
    const term = part(reader)
    if (term === undefined) return undefined
    terms.push(term)
  }
  return reader.node(position, word === "or" ? { _tag: "Or", terms } : { _tag: "And", terms })
}

const readOr = (reader: Reader): Expression | undefined => readChain(reader, "or", readAnd)

const readAnd = (reader: Reader): Expression | undefined => readChain(reader, "and", readNot)

const readNot = (reader: Reader): Expression | undefined => {
  const { position } = reader.next
  if (!reader.take("not")) return readTest(reader)
  const term = reader.nested(() => readNot(reader))
  return term && reader.node(position, { _tag: "Not", term })
}

const readTest = (reader: Reader): Expression | undefined => {
  const { position } = reader.next
  const left = readOperand(reader)
  if (left === undefined) return undefined
  if (reader.take("in")) {
    const fact = reader.subject === "facts" ? readFact(reader) : undefined
    if (fact !== undefined)
      return unchained(
        reader,
        reader.node(position, { _tag: "Contains", operand: left, list: fact })
      )
    const items = readList(reader)
    return (
      items && unchained(reader, reader.node(position, { _tag: "In", operand: left, list: items }))
    )
  }
  const { operator } = reader
  if (operator === undefined) return left
  reader.skip()
  const right = readOperand(reader)
  return (
    right && unchained(reader, reader.node(position, { _tag: "Compare", operator, left, right }))
  )
}

/** The test, unless another comparison follows it. */
const unchained = (reader: Reader, test: Expression): Expression | undefined =>
  reader.is("in") || reader.operator !== undefined
    ? reader.fail("comparisons do not chain: join two of them with `and`")
    : test

const readOperand = (reader: Reader): Expression | undefined => {
  const { kind, value } = reader.next
  if (reader.take("(")) {
    const inner = reader.nested(() => readOr(reader))
    return inner && reader.expect(")", "close the parenthesis") ? inner : undefined
  }
  const literal = readLiteral(reader)
  if (literal !== undefined) return literal
  if (kind === "end") return reader.fail("the expression ends too early: a value is missing here")
  if (kind !== "word") return reader.fail(`unexpected \`${value}\`: a value is missing before it`)
  if (KEYWORDS.includes(value))
    return reader.fail(`unexpected \`${value}\`: put the part with \`${value}\` in parentheses`)
  if (reader.afterNext.kind === "symbol" && reader.afterNext.value === "(")
    return readCall(reader, value)
  const path = reader.subject === "facts" ? readFact(reader) : readPath(reader)
  return path ?? reader.fail(`unknown name \`${value}\`: ${adviceFor(value, reader.subject)}`)
}

const readPath = (reader: Reader): Expression | undefined => {
  const { position, value } = reader.next
  const path: Expression | undefined = isField(value)
    ? { _tag: "Field", field: value }
    : value.startsWith(TAGS)
      ? { _tag: "Tag", key: value.slice(TAGS.length) }
      : undefined
  if (path === undefined) return undefined
  reader.skip()
  return reader.node(position, path)
}

const readFact = (reader: Reader): Fact | undefined => {
  const { kind, position, value } = reader.next
  if (kind !== "word" || !value.startsWith(FACTS)) return undefined
  reader.skip()
  return reader.node(position, { _tag: "Fact", path: value.slice(FACTS.length) })
}

const readLiteral = (reader: Reader): Literal | undefined => {
  const { kind, position, value } = reader.next
  const literal: Literal | undefined =
    kind === "text"
      ? { _tag: "Text", value }
      : kind === "number"
        ? { _tag: "Number", digits: value }
        : value === "true" || value === "false"
          ? { _tag: "Boolean", value: value === "true" }
          : value === "null"
            ? { _tag: "Null" }
            : undefined
  if (literal === undefined) return undefined
  reader.skip()
  return reader.node(position, literal)
}

const readList = (reader: Reader): ReadonlyArray<Literal> | undefined => {
  if (!reader.expect("[", '`in` is followed by a list, for example `in ["a", "b"]`'))
    return undefined
  const items: Array<Literal> = []
  if (reader.take("]")) return items
  do {
    const item = readLiteral(reader)
    if (item === undefined)
      return reader.fail("expected a text, a number, `true`, `false` or `null` in the list")
    items.push(item)
  } while (reader.take(","))
  return reader.expect("]", "close the list, and put commas between its items") ? items : undefined
}

const readCall = (reader: Reader, name: string): Expression | undefined => {
  const { position } = reader.next
  if (name !== "exists" && name !== "matches")
    return reader.fail(
      `unknown function \`${name}\`: there are \`exists(x)\` and \`matches(x, "pattern")\``
    )
  reader.skip()
  reader.skip()
  if (reader.is(")")) return reader.fail(`\`${name}\` needs ${ARITY[name]}`)
  const operand = reader.nested(() => readOperand(reader))
  if (operand === undefined) return undefined
  return name === "exists"
    ? readExistsEnd(reader, reader.node(position, { _tag: "Exists", operand }))
    : readPattern(reader, operand, position)
}

const readExistsEnd = (reader: Reader, call: Expression): Expression | undefined => {
  if (reader.is(",")) return reader.fail(`\`exists\` takes ${ARITY.exists}`)
  return reader.expect(")", "close the call, and put a condition in parentheses of its own")
    ? call
    : undefined
}

const readPattern = (
  reader: Reader,
  operand: Expression,
  position: number
): Expression | undefined => {
  if (reader.is(")")) return reader.fail(`\`matches\` needs ${ARITY.matches}`)
  if (!reader.expect(",", "put a comma between the arguments")) return undefined
  const { kind, value: pattern } = reader.next
  if (kind !== "text")
    return reader.fail("the pattern of `matches` is a text in quotes, written out")
  reader.skip()
  if (reader.is(",")) return reader.fail(`\`matches\` takes ${ARITY.matches}`)
  return reader.expect(")", "close the call")
    ? reader.node(position, { _tag: "Matches", operand, pattern })
    : undefined
}

/** Parses a whole text; checks its syntax only. */
export const parse = (
  text: string,
  subject: Subject = "row"
): Either.Either<Parsed, ExpressionProblem> =>
  Either.flatMap(read(text), (tokens) => {
    if (tokens.length === 0)
      return Either.left({ position: 1, message: "the expression is empty: write a condition" })
    const reader = new Reader(
      tokens,
      { kind: "end", value: "", position: text.length + 1 },
      subject
    )
    const expression = readOr(reader)
    const { kind, position, value } = reader.next
    if (expression !== undefined && kind === "end")
      return Either.right({ expression, positions: reader.positions })
    const message = `unexpected \`${value}\`: join conditions with \`and\` or \`or\``
    return Either.left(reader.problem ?? { position, message })
  })
