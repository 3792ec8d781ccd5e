/**
 * Why an input was refused, as `{ field: message }`.
 *
 * Each message names the broken rule and ends with the input; a sensitive field shows `**REDACTED**` instead.
 * SPEC §7.1
 */
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as SchemaAST from "effect/SchemaAST"
import * as PrintedJson from "./internal/PrintedJson.js"
import { FIELD_LENGTH_MAX, Problems } from "./Problems.js"

/** Field name to message. */
export type FieldErrors = { readonly [field: string]: string }

/** The most characters of an input in its error. Errors end up in server logs. */
export const INPUT_LENGTH_MAX = 100

const Alternative: unique symbol = Symbol.for("@attestry/core/Alternative")

/** Annotation for schemas whose failure as a whole has one more step in its key. SPEC §7.1 */
export const alternative = (step: string) => ({ [Alternative]: step }) as const

const Sensitive: unique symbol = Symbol.for("@attestry/core/Sensitive")

/** Annotation for schemas whose input never appears in an error: keys, webhook URLs, file contents. */
export const sensitive = { [Sensitive]: true } as const

/** Whether the input of a schema must not be shown. */
export const isSensitive = (ast: SchemaAST.AST): boolean =>
  Option.getOrElse(SchemaAST.getAnnotation<boolean>(ast, Sensitive), () =>
    ast._tag === "Refinement" || ast._tag === "Transformation" ? isSensitive(ast.from) : false
  )

/** A short text of an input, for errors. */
export const printInput = (input: unknown): string => {
  const text =
    input === undefined || input === null
      ? "None"
      : typeof input === "string"
        ? input
        : (PrintedJson.print(input, INPUT_LENGTH_MAX * 2 + 1) ?? String(input))
  const characters = Array.from(text.slice(0, INPUT_LENGTH_MAX * 2 + 1))
  return characters.length <= INPUT_LENGTH_MAX
    ? text
    : `${characters.slice(0, INPUT_LENGTH_MAX).join("")}…`
}

/** A message with its input, in the form of all errors. */
export const withInput = (message: string, input: unknown): string =>
  `${message} [input: ${printInput(input)}]`

const alternatives = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

/** The words that a schema allows, without null, which counts as not sent. */
const literals = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return ast.literal === null ? [] : [`'${ast.literal}'`]
  if (ast._tag !== "Union") return undefined
  const parts = ast.types.map(literals)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The bounds of a refinement's JSON Schema, as a sentence about the input. */
const refinementMessage = (schema: { readonly [key: string]: unknown }): string | undefined => {
  const { minItems, maxItems, minLength, maxLength, minimum, maximum, pattern, type } = schema
  if (typeof pattern === "string") return `String should match pattern '${pattern}'`
  if (typeof maxLength === "number")
    return `String should have at most ${plural(maxLength, "character")}`
  if (typeof minLength === "number")
    return `String should have at least ${plural(minLength, "character")}`
  if (typeof maxItems === "number")
    return `List should have at most ${plural(maxItems, "item")} after validation`
  if (typeof minItems === "number")
    return `List should have at least ${plural(minItems, "item")} after validation`
  if (typeof minimum === "number" && typeof maximum === "number")
    return `Input should be between ${minimum} and ${maximum}`
  if (typeof minimum === "number") return `Input should be greater than or equal to ${minimum}`
  if (typeof maximum === "number") return `Input should be less than or equal to ${maximum}`
  return type === "integer" ? "Input should be a valid integer" : undefined
}

/** WHY the input: clients know other words for a text, which may be meant as a value. SPEC §7.1 */
const kindMessage = (ast: SchemaAST.AST, input?: unknown): string => {
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return "Input should be a valid string"
    case "NumberKeyword":
      return typeof input === "string"
        ? "Input should be a valid number, unable to parse string as a number"
        : "Input should be a valid number"
    case "BooleanKeyword":
      return typeof input === "string" || typeof input === "number"
        ? "Input should be a valid boolean, unable to interpret input"
        : "Input should be a valid boolean"
    case "TypeLiteral":
      return "Input should be a valid dictionary or object to extract fields from"
    case "TupleType":
      return "Input should be a valid list"
    case "Refinement":
    case "Transformation":
      return kindMessage(ast.from, input)
    case "Suspend":
      return kindMessage(ast.f(), input)
    case "Union":
      return kindMessage(ast.types[0] ?? SchemaAST.unknownKeyword, input)
    default:
      return "Input is not valid"
  }
}

const jsonSchemaOf = (ast: SchemaAST.AST): { readonly [key: string]: unknown } => ({
  ...Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(ast), () => ({}))
})

const describe = (issue: ParseResult.Type | ParseResult.Refinement): string => {
  const { ast } = issue
  const words = literals(ast)
  if (words !== undefined && words.length === 0) return "Input should be null"
  if (words !== undefined) return `Input should be ${alternatives(words)}`
  const refinement = ast._tag === "Refinement" ? refinementMessage(jsonSchemaOf(ast)) : undefined
  if (refinement !== undefined) return refinement
  if (issue._tag === "Type" && issue.message !== undefined) return issue.message
  return kindMessage(ast, issue.actual)
}

/** A path in the spelling of errors: `artifacts[0].digests`. */
export const printPath = (path: ReadonlyArray<PropertyKey>): string =>
  path
    // WHY: a name from outside may be as long as a body, and is never shown in full.
    .map((step) => (typeof step === "string" ? step.slice(0, FIELD_LENGTH_MAX + 1) : step))
    .map((step, position) =>
      typeof step === "number" ? `[${step}]` : position === 0 ? String(step) : `.${String(step)}`
    )
    .join("")

type Path = ReadonlyArray<PropertyKey>

/** A problem; `shown` is the input at the end of its message, or empty. */
interface Entry {
  readonly path: Path
  readonly message: string
  readonly shown: string
}

const problem = (path: Path, message: string, input: unknown): Entry => ({
  path,
  message,
  shown: withInput("", input)
})

const REDACTED = " [input: **REDACTED**]"

const redacted = (entry: Entry): Entry => ({ ...entry, shown: REDACTED })

/** The problems of the member of a union that the input comes closest to: the deepest ones, then the fewest. */
const closest = (candidates: ReadonlyArray<ReadonlyArray<Entry>>): ReadonlyArray<Entry> =>
  candidates.reduce((best, next) =>
    isCloser([depth(next), next.length], [depth(best), best.length]) ? next : best
  )

/** Whether problems of one depth and number are closer than others. */
export const isCloser = (
  [depth, count]: readonly [depth: number, count: number],
  [otherDepth, otherCount]: readonly [depth: number, count: number]
): boolean => depth > otherDepth || (depth === otherDepth && count < otherCount)

const depth = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce((deepest, { path }) => Math.max(deepest, path.length), 0)

const leaf = (path: Path, issue: ParseResult.Type | ParseResult.Refinement): Entry =>
  problem(path, describe(issue), issue.actual)

/** WHY here: an issue below a sensitive schema does not show that its input is sensitive. */
const collect = (issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<Entry> => {
  switch (issue._tag) {
    case "Refinement":
    case "Composite":
    case "Type":
      return isSensitive(issue.ast) ? find(issue, path).map(redacted) : find(issue, path)
    case "Transformation":
      // WHY: the message of a failed transformation contains the input.
      return isSensitive(issue.ast)
        ? [redacted(problem(path, kindMessage(issue.ast), undefined))]
        : find(issue, path)
    default:
      return find(issue, path)
  }
}

const find = (issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<Entry> => {
  switch (issue._tag) {
    case "Pointer": {
      const steps = Array.isArray(issue.path) ? issue.path : [issue.path]
      return collect(issue.issue, [...path, ...steps])
    }
    case "Composite": {
      const issues = Array.isArray(issue.issues) ? issue.issues : [issue.issues]
      const parts = issues.map((part) => collect(part, path))
      if (issue.ast._tag !== "Union") return parts.flat()
      const words = literals(issue.ast)
      return words === undefined
        ? closest(parts)
        : [problem(path, `Input should be ${alternatives(words)}`, issue.actual)]
    }
    case "Missing":
      return [problem(path, "Field required", undefined)]
    case "Unexpected":
      return [problem(path, "Extra inputs are not permitted", issue.actual)]
    case "Forbidden":
      return [{ path, message: "Input is not permitted here", shown: "" }]
    case "Refinement":
      if (issue.kind === "Predicate") return refined(issue, path)
      return jsonSchemaOf(issue.ast).type === "integer"
        ? [problem(path, notAnInteger(issue.actual), issue.actual)]
        : collect(issue.issue, path)
    case "Transformation":
      return issue.kind === "Transformation" && issue.issue._tag === "Type"
        ? [leaf(path, issue.issue)]
        : collect(issue.issue, path)
    case "Type": {
      const step = SchemaAST.getAnnotation<string>(issue.ast, Alternative)
      return [leaf(Option.isSome(step) ? [...path, step.value] : path, issue)]
    }
  }
}

const notAnInteger = (input: unknown): string =>
  typeof input === "string"
    ? "Input should be a valid integer, unable to parse string as an integer"
    : "Input should be a valid integer"

/** A failed refinement: its published bounds, or else its own message. */
const refined = (issue: ParseResult.Refinement, path: Path): ReadonlyArray<Entry> => {
  const own = refinementMessage(jsonSchemaOf(issue.ast))
  return own === undefined && issue.issue._tag !== "Type"
    ? collect(issue.issue, path)
    : own === undefined && issue.issue._tag === "Type" && issue.issue.message !== undefined
      ? [problem(path, issue.issue.message, issue.actual)]
      : [leaf(path, issue)]
}

/** The place of a part of an input. */
export interface Place {
  /** The prefix of each field: `query.`. */
  readonly prefix: string
  /** The path from the input to the part. */
  readonly path: Path
  /** The text to show instead of the decoded part: see `withInput`. */
  readonly shown?: string | undefined
}

/** The field of a path; the root itself is `body`. */
export const fieldOf = ({ prefix, path }: Place): string =>
  `${prefix}${path.length === 0 ? "body" : printPath(path)}`

/** Adds the problems of a part of an input, and returns the length of the longest path. */
export const addIssue = (
  problems: Problems,
  issue: ParseResult.ParseIssue,
  { prefix, path, shown: instead }: Place
): number => {
  const entries = collect(issue, path)
  for (const { path: at, message, shown } of entries) {
    if (problems.isOver) break
    const input = instead === undefined || shown === REDACTED ? shown : instead
    problems.add(fieldOf({ prefix, path: at }), message + input)
  }
  return depth(entries)
}

/**
 * Every problem of a failed decoding by field, up to the limits of `Problems`. `prefix` precedes each key
 * (`query.`); the first problem of a field wins. The root has the key `body`.
 */
export const fromParseIssue = (issue: ParseResult.ParseIssue, prefix = ""): FieldErrors => {
  const problems = new Problems()
  addIssue(problems, issue, { prefix, path: [] })
  return problems.toFieldErrors()
}
