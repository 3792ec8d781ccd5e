/**
 * Parses YAML text into a plain JSON-like value with the position of each part.
 *
 * Refuses everything that makes YAML dangerous or ambiguous: aliases, anchors, merge keys, foreign tags,
 * several documents, duplicate keys, keys that are not text, deep nesting. All problems are reported at once.
 * The document modules decode the value; there is no printer.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import {
  Composer,
  CST,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq
} from "yaml"
import { printInput } from "./FieldErrors.js"
import * as SourceText from "./internal/SourceText.js"
import { isUnstorable } from "./StorableText.js"

/** The most bytes of a document in UTF-8. */
export const BYTES_MAX = 65_536
/** The deepest nesting of mappings and sequences. */
export const DEPTH_MAX = 32
/** The most list items and members of a document, which bounds the time of parsing. P-YAML */
export const ENTRIES_MAX = 10_000
/** The most problems of one text; one more says that there are others. */
export const PROBLEMS_MAX = 100

/** One problem of a text: its position, and its correction. */
export interface YamlProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A parsed text. */
export interface YamlDocument {
  /** `null`, booleans, numbers, texts, arrays, and objects that are read with `Object.hasOwn`. */
  readonly value: unknown
  /** The position of a path: its key in a mapping; for an absent path, its longest existing part. */
  readonly positionOf: (path: ReadonlyArray<string | number>) => SourceText.Position
}

/** Text that is not one plain YAML document. */
export class InvalidYaml extends Schema.TaggedError<InvalidYaml>()("InvalidYaml", {
  problems: Schema.NonEmptyArray(
    Schema.Struct({ line: Schema.Int, column: Schema.Int, message: Schema.String })
  )
}) {
  override get message(): string {
    const [{ line, column, message }, ...others] = this.problems
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `invalid YAML: line ${line}, column ${column}: ${message}${more}`
  }
}

/** Problems by offset: of several at one offset the first is reported. */
type Problems = Map<number, string>

const add = (problems: Problems, offset: number, message: string): void => {
  if (problems.size <= PROBLEMS_MAX && !problems.has(offset)) problems.set(offset, message)
}

/** A piece of the text on one line, for messages. */
const show = (text: string): string => printInput(text.replace(/\s+/gu, " "))

const CORE_TAGS = new Set(["!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"])

/** The problem of one lexeme by itself. */
const refusal = (lexeme: string): string | undefined => {
  switch (lexeme[0]) {
    case "&":
      return "anchors are not allowed: write the value out where it is needed"
    case "*":
      return "aliases are not allowed: write the value out, or put text that begins with * in quotes"
    case "!":
      return CORE_TAGS.has(lexeme)
        ? undefined
        : `tag \`${show(lexeme)}\` is not allowed: remove it, or put the text in quotes`
    case "%":
      return lexeme === "%YAML 1.2" ? undefined : "directives are not allowed: remove this line"
    default:
      return undefined
  }
}

const isEntry = (lexeme: string): boolean =>
  lexeme === "-" || lexeme === ":" || lexeme === "," || lexeme === "?"

/** The problem of one part of the stream of documents. */
const misplaced = (token: CST.Token, isFirst: boolean): string | undefined => {
  if (token.type === "error")
    return `unexpected \`${show(token.source)}\`: remove it, or put the text in quotes`
  return token.type === "document" && !isFirst
    ? "more than one document: keep one, and remove the line that separates them"
    : undefined
}

/**
 * The syntax tree of the first document; undefined when there is no content or a limit is exceeded.
 *
 * INVARIANT: the nesting of the result is so small that recursion over it is safe.
 */
const readTokens = (text: string, problems: Problems): CST.Document | undefined => {
  const parser = new Parser()
  let document: CST.Document | undefined
  let afterMark = false
  let entryCount = 0
  const take = (token: CST.Token): void => {
    const message = misplaced(token, document === undefined)
    if (message !== undefined) add(problems, token.offset, message)
    if (token.type === "document") document ??= token
  }
  for (const lexeme of new Lexer().lex(text)) {
    // INVARIANT: a scalar follows its mark; every other lexeme is known by its first character.
    const message = afterMark ? undefined : refusal(lexeme)
    if (message !== undefined) add(problems, parser.offset, message)
    if (!afterMark && isEntry(lexeme)) entryCount++
    afterMark = !afterMark && lexeme === CST.SCALAR
    for (const token of parser.next(lexeme)) take(token)
    const stopped = tooMuch(parser.stack, entryCount)
    if (stopped !== undefined) add(problems, parser.offset, stopped)
    if (stopped !== undefined || problems.size > PROBLEMS_MAX) return undefined
  }
  for (const token of parser.end()) take(token)
  return document
}

/** Why parsing stops; undefined when it continues. */
const tooMuch = (stack: ReadonlyArray<CST.Token>, entryCount: number): string | undefined => {
  if (entryCount > ENTRIES_MAX) return `more than ${ENTRIES_MAX} entries: shorten the document`
  // WHY: composing 65,000 open brackets exhausts the stack and can end the process.
  return stack.length > DEPTH_MAX && stack.filter(CST.isCollection).length > DEPTH_MAX
    ? TOO_DEEP
    : undefined
}

const TOO_DEEP = `nested more than ${DEPTH_MAX} levels deep: make the document flatter`

const ADVICE: { readonly [Code in ErrorCode]?: string } = {
  BAD_DQ_ESCAPE: "write a backslash in double quotes as two",
  BAD_INDENT: "indent it like the lines around it, and close every bracket",
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "indent the next line like this one, start a new line, or put text that holds a colon in quotes",
  BLOCK_IN_FLOW: "inside brackets use brackets only",
  KEY_OVER_1024_CHARS: "shorten the key",
  MISSING_CHAR: "add it, or put the text in quotes",
  MULTILINE_IMPLICIT_KEY: "write the key and its colon on one line",
  TAB_AS_INDENT: "use spaces",
  TAG_RESOLVE_FAILED: "remove the tag, or write a value of its kind",
  UNEXPECTED_TOKEN: "remove it, or put the text in quotes"
}

/** What follows a text in quotes: most often the text has the same quotes inside. */
const AFTER_QUOTES =
  "the quotes before it end the text: put a text that has double quotes inside in single quotes"

/** The library's message about a problem, in our form and with a correction. */
const explain = (code: ErrorCode, message: string): string => {
  const isAfterQuotes = code === "UNEXPECTED_TOKEN" && message.includes("at node end")
  const advice = isAfterQuotes ? AFTER_QUOTES : ADVICE[code]
  return `${message.slice(0, 1).toLowerCase()}${show(message.slice(1))}: ${advice ?? "rewrite it"}`
}

type Source = number | readonly [number, ...ReadonlyArray<number>] | { readonly offset: number }

const offsetOf = (source: Source): number =>
  typeof source === "number" ? source : "offset" in source ? source.offset : source[0]

/** The nodes of a document under the core schema. */
const compose = (token: CST.Document, problems: Problems): ParsedNode | null => {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    // WHY: the library compares every key with every other; `readMap` finds repeats in one pass.
    uniqueKeys: false,
    logLevel: "silent"
  })
  // WHY: the library creates an `Error` with a stack for each problem, and 64 KiB of commas are 65,000.
  Object.defineProperty(composer, "onError", {
    value: (...given: readonly [Source, ErrorCode, string, boolean?]): void => {
      const [source, code, message, warning] = given
      if (warning !== true || code !== "BAD_INDENT")
        add(problems, offsetOf(source), explain(code, message))
    }
  })
  const [document] = composer.compose([token])
  for (const { code, message, pos } of document?.errors ?? [])
    add(problems, pos[0], explain(code, message))
  return document?.contents ?? null
}

/** The position of a value, and those of its parts. */
interface Place {
  readonly offset: number
  readonly inner: ReadonlyMap<string | number, Place>
}

interface Read {
  readonly value: unknown
  readonly inner: Place["inner"]
}

const nothing: Read = { value: null, inner: new Map() }

const startOf = (node: ParsedNode): number => node.range[0]

const readScalar = (node: Scalar.Parsed, problems: Problems): unknown => {
  const { value } = node
  if (typeof value === "number" && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    add(problems, startOf(node), "not a number we can keep exactly: put it in quotes as text")
  if (typeof value === "string" && isUnstorable(value))
    add(problems, startOf(node), "text holds U+0000 or half a surrogate pair: remove the escape")
  return value
}

/** The text of a key, or its problem. */
const readKey = (node: ParsedNode): Either.Either<string, string> => {
  if (!isScalar(node)) return Either.left("a key must be text: write it as one word or in quotes")
  const { value } = node
  if (value === "<<" && node.type === "PLAIN")
    return Either.left("merge keys are not allowed: write the merged keys out")
  if (value === null) return Either.left("key is missing: write one before the colon")
  return typeof value === "string"
    ? Either.right(value)
    : Either.left(`key \`${show(String(value))}\` is not text: put it in quotes`)
}

const readMap = (node: YAMLMap.Parsed, depth: number, problems: Problems): Read => {
  const members: Array<readonly [string, unknown]> = []
  const inner = new Map<string, Place>()
  for (const pair of node.items) {
    const key = readKey(pair.key)
    const offset = startOf(pair.key)
    const read = readNode(pair.value, depth + 1, problems)
    if (Either.isLeft(key)) add(problems, offset, key.left)
    else if (inner.has(key.right))
      add(problems, offset, `key \`${show(key.right)}\` occurs twice: keep one of them`)
    else {
      if (isScalar(pair.key)) readScalar(pair.key, problems)
      inner.set(key.right, { offset, inner: read.inner })
      members.push([key.right, read.value])
    }
  }
  // WHY: assignment would let a key named `__proto__` replace the prototype.
  return { value: Object.fromEntries(members), inner }
}

const readSeq = (node: YAMLSeq.Parsed, depth: number, problems: Problems): Read => {
  const items = node.items.map((item) => readNode(item, depth + 1, problems))
  return {
    value: items.map((item) => item.value),
    inner: new Map(
      node.items.map((item, index) => [
        index,
        { offset: startOf(item), inner: items[index]?.inner ?? new Map() }
      ])
    )
  }
}

const readNode = (node: ParsedNode | null, depth: number, problems: Problems): Read => {
  if (isScalar(node)) return { value: readScalar(node, problems), inner: nothing.inner }
  if (!isMap(node) && !isSeq(node)) return nothing
  if (depth > DEPTH_MAX) {
    add(problems, startOf(node), TOO_DEEP)
    return nothing
  }
  return isMap(node) ? readMap(node, depth, problems) : readSeq(node, depth, problems)
}

const locate = (root: Place, path: ReadonlyArray<string | number>): number => {
  let place = root
  for (const step of path) {
    const next = place.inner.get(step)
    if (next === undefined) break
    place = next
  }
  return place.offset
}

const invalid = (
  problems: Problems,
  text: string
): Either.Either<never, InvalidYaml> | undefined => {
  const positionAt = SourceText.positions(text)
  const [first, ...others] = [...problems]
    .sort(([left], [right]) => left - right)
    .map(([offset, message]) => ({ ...positionAt(offset), message }))
  return first === undefined
    ? undefined
    : Either.left(new InvalidYaml({ problems: [first, ...others] }))
}

/** Parses one document; a text without content is `null`. */
export const parse = (text: string): Either.Either<YamlDocument, InvalidYaml> => {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text
  const problems: Problems = new Map()
  // INVARIANT: the lexer marks tokens with control characters, so it must never see one in a text.
  if (SourceText.byteLength(body) > BYTES_MAX)
    add(problems, 0, `longer than ${BYTES_MAX} bytes: shorten the document`)
  else
    for (const offset of SourceText.unprintables(body, PROBLEMS_MAX + 1))
      add(
        problems,
        offset,
        `character ${SourceText.characterName(body, offset)} is not allowed: remove it`
      )
  const refused = invalid(problems, body)
  if (refused !== undefined) return refused
  const token = readTokens(body, problems)
  const node = token === undefined ? null : compose(token, problems)
  const { value, inner } = readNode(node, 1, problems)
  const root: Place = { offset: node === null ? 0 : startOf(node), inner }
  const positionAt = SourceText.positions(body)
  return (
    invalid(problems, body) ??
    Either.right({ value, positionOf: (path) => positionAt(locate(root, path)) })
  )
}
