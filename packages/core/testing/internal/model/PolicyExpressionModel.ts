/**
 * A slow, plain model of the expression language, from the words of the specification. SPEC §2.7.2
 *
 * Evaluates a text without a tree. JavaScript matches the patterns, so use only patterns with the same meaning
 * in both dialects, and only valid texts.
 */
import * as VersionRange from "@attestry/core/VersionRange"
import * as Either from "effect/Either"

/** The value of an expression. */
export type Truth = "True" | "False" | "Error"

/** The inputs of an expression. */
export interface Scope {
  readonly artifact: { readonly name: string; readonly fingerprint: string }
  readonly flow: {
    readonly flow_name: string
    readonly tags: { readonly [key: string]: string }
  } | null
}

/** A value during the evaluation. */
type Value =
  | { readonly is: "null" }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "number"; readonly text: string }
  | { readonly is: "boolean"; readonly holds: boolean }
  | { readonly is: "object" }
  | {
      readonly is: "list"
      readonly items: ReadonlyArray<Value>
      readonly isCut: boolean
      readonly isPurls: boolean
    }
  | { readonly is: "missing" }
  | { readonly is: "error" }

const truthOf = (value: Value): Truth =>
  value.is === "boolean" ? (value.holds ? "True" : "False") : "Error"

const fromTruth = (truth: Truth): Value =>
  truth === "Error" ? { is: "error" } : { is: "boolean", holds: truth === "True" }

/** Whether nothing can be said about a value. */
const isUnknown = ({ is }: Value): boolean => ["error", "missing", "object", "list"].includes(is)

const truth = (holds: boolean): Truth => (holds ? "True" : "False")

/** "if one side is a number, the other must be a number or a string that is a plain decimal" */
const asNumber = (value: Value): string | undefined =>
  (value.is === "number" || value.is === "text") && /^[+-]?\d+(\.\d+)?$/.test(value.text)
    ? value.text
    : undefined

/** Compares two decimals as whole numbers of the same tiny unit. */
const compareNumbers = (left: string, right: string): number => {
  const digits = Math.max(left.split(".")[1]?.length ?? 0, right.split(".")[1]?.length ?? 0)
  const scaled = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.replace("+", "").split(".")
    return BigInt(whole + fraction.padEnd(digits, "0"))
  }
  const [one, other] = [scaled(left), scaled(right)]
  return one < other ? -1 : one > other ? 1 : 0
}

const compareTexts = (left: string, right: string): number => {
  const points = (text: string): ReadonlyArray<number> =>
    Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const [one, other] = [points(left), points(right)]
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? -1) - (other[at] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

const equal = (left: Value, right: Value): Truth => {
  if (isUnknown(left) || isUnknown(right)) return "Error"
  if (left.is === "null" || right.is === "null") return truth(left.is === right.is)
  if (left.is === "number" || right.is === "number") {
    const [one, other] = [asNumber(left), asNumber(right)]
    return truth(one !== undefined && other !== undefined && compareNumbers(one, other) === 0)
  }
  if (left.is === "boolean" || right.is === "boolean")
    return truth(left.is === "boolean" && right.is === "boolean" && left.holds === right.holds)
  return truth(left.is === "text" && right.is === "text" && left.text === right.text)
}

const not = (value: Truth): Truth =>
  value === "Error" ? "Error" : value === "True" ? "False" : "True"

const order = (left: Value, right: Value, holds: (order: number) => boolean): Truth => {
  if (left.is === "text" && right.is === "text")
    return truth(holds(compareTexts(left.text, right.text)))
  const [one, other] = [asNumber(left), asNumber(right)]
  return one === undefined || other === undefined
    ? "Error"
    : truth(holds(compareNumbers(one, other)))
}

const compare = (operator: string, left: Value, right: Value): Truth => {
  switch (operator) {
    case "==":
      return equal(left, right)
    case "!=":
      return not(equal(left, right))
    case "<":
      return order(left, right, (found) => found < 0)
    case ">":
      return order(left, right, (found) => found > 0)
    case "<=":
      return order(left, right, (found) => found <= 0)
    default:
      return order(left, right, (found) => found >= 0)
  }
}

const all = (terms: ReadonlyArray<Truth>): Truth =>
  terms.includes("False") ? "False" : terms.includes("Error") ? "Error" : "True"

const any = (terms: ReadonlyArray<Truth>): Truth =>
  terms.includes("True") ? "True" : terms.includes("Error") ? "Error" : "False"

/** The type and name, and the version, of a purl without percent-encoding; a version may be a range. */
const partsOf = (purl: string): readonly [string, string] => {
  const at = purl.indexOf("@", purl.lastIndexOf("/") + 2)
  return at === -1 ? [purl, ""] : [purl.slice(0, at), purl.slice(at + 1)]
}

const isPurlOf = (pattern: string, purl: string): boolean => {
  const [[wanted, versions], [found, version]] = [partsOf(pattern), partsOf(purl)]
  if (wanted !== found) return false
  if (versions === "" || versions === version) return true
  const type = found.slice("pkg:".length, found.indexOf("/"))
  return Either.match(VersionRange.parse(versions), {
    onLeft: () => false,
    onRight: (range) => version !== "" && VersionRange.matches(range, { type, version })
  })
}

const isAmong = (value: Value, list: Value): Value => {
  if (isUnknown(value) || list.is !== "list") return { is: "error" }
  const isFound = (item: Value): boolean =>
    list.isPurls
      ? value.is === "text" && item.is === "text" && isPurlOf(value.text, item.text)
      : equal(value, item) === "True"
  if (value.is !== "null" && list.items.some(isFound)) return fromTruth("True")
  return list.isCut ? { is: "error" } : fromTruth("False")
}

const TOKEN = /\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|==|!=|<=|>=|[<>()[\],]|[^\s"'()[\],<>=!]+)/gs

const unquote = (token: string): string =>
  token.slice(1, -1).replace(/\\(.)/gs, (whole, character: string) => {
    const index = "nrt\\\"'".indexOf(character)
    return index === -1 ? whole : "\n\r\t\\\"'".charAt(index)
  })

const lookUp = (word: string, { artifact, flow }: Scope): Value => {
  const text = (found: string | undefined): Value =>
    found === undefined ? { is: "null" } : { is: "text", text: found }
  if (word === "artifact") return { is: "object" }
  if (word === "artifact.name") return text(artifact.name)
  if (word === "artifact.fingerprint") return text(artifact.fingerprint)
  if (flow === null) return { is: "null" }
  if (word === "flow" || word === "flow.tags") return { is: "object" }
  if (word === "flow.name") return text(flow.flow_name)
  const key = word.replace("flow.tags.", "")
  return text(Object.entries(flow.tags).find(([tag]) => tag === key)?.[1])
}

/** The facts of an attestation. */
export type Facts = { readonly [key: string]: unknown } | undefined

const known = (found: unknown): Value => {
  if (typeof found === "string") return { is: "text", text: found }
  if (typeof found === "boolean") return { is: "boolean", holds: found }
  if (typeof found === "number")
    return {
      is: "number",
      text: Number.isInteger(found) ? String(BigInt(found)) : String(found)
    }
  if (Array.isArray(found))
    return { is: "list", items: found.map(known), isCut: false, isPurls: false }
  return { is: found === null || found === undefined ? "missing" : "object" }
}

const factAt = (word: string, facts: Facts): Value => {
  const at = (object: unknown, [key, ...rest]: ReadonlyArray<string>): unknown =>
    key === undefined ? object : at(new Map(Object.entries(object ?? {})).get(key), rest)
  const path = word.replace("facts.", "")
  const value = known(at(facts, path.split(".")))
  const cut = known(facts?.truncated)
  return value.is === "list"
    ? {
        ...value,
        isPurls: path === "purls",
        isCut: cut.is === "list" && cut.items.some((each) => equal(each, known(path)) === "True")
      }
    : value
}

/** Evaluates a valid condition on facts. "Evidence that does not say something does not say the contrary." */
export const evaluateWhere = (expression: string, facts: Facts): Truth =>
  evaluateBy(expression, (word) => (word.startsWith("facts.") ? factAt(word, facts) : undefined))

/** Evaluates a valid expression. */
export const evaluate = (expression: string, scope: Scope): Truth =>
  evaluateBy(expression, (word) =>
    /^(flow|artifact)(\.|$)/.test(word) ? lookUp(word, scope) : undefined
  )

const evaluateBy = (expression: string, named: (word: string) => Value | undefined): Truth => {
  const tokens = Array.from(expression.matchAll(TOKEN), ([, token]) => token ?? "")
  const next = (): string => tokens.shift() ?? ""
  const peek = (): string => tokens[0] ?? ""
  const literal = (token: string): Value =>
    token === "null"
      ? { is: "null" }
      : token === "true" || token === "false"
        ? { is: "boolean", holds: token === "true" }
        : /^["']/.test(token)
          ? { is: "text", text: unquote(token) }
          : { is: "number", text: token }
  const operand = (): Value => {
    const token = next()
    if (token === "(") return closed(or())
    if (token === "exists") {
      next()
      const value = closed(operand())
      return value.is === "error"
        ? value
        : fromTruth(truth(value.is !== "null" && value.is !== "missing"))
    }
    if (token === "matches") {
      next()
      const value = operand()
      next()
      const pattern = unquote(closed(next()))
      if (value.is === "null") return fromTruth("False")
      return value.is === "text"
        ? fromTruth(truth(new RegExp(pattern).test(value.text)))
        : { is: "error" }
    }
    return named(token) ?? literal(token)
  }
  const closed = <A>(value: A): A => {
    next()
    return value
  }
  const test = (): Value => {
    const left = operand()
    if (/^[=!<>]/.test(peek())) return fromTruth(compare(next(), left, operand()))
    if (peek() !== "in") return left
    next()
    const list = named(next())
    if (list !== undefined) return isAmong(left, list)
    const items: Array<Value> = []
    while (peek() !== "]") {
      const token = next()
      if (token !== ",") items.push(literal(token))
    }
    next()
    return isAmong(left, { is: "list", items, isCut: false, isPurls: false })
  }
  const negation = (): Value => {
    if (peek() !== "not") return test()
    next()
    return fromTruth(not(truthOf(negation())))
  }
  const chain = (word: string, part: () => Value, join: typeof all): Value => {
    const first = part()
    if (peek() !== word) return first
    const terms = [truthOf(first)]
    while (peek() === word) {
      next()
      terms.push(truthOf(part()))
    }
    return fromTruth(join(terms))
  }
  const and = (): Value => chain("and", negation, all)
  const or = (): Value => chain("or", and, any)
  return truthOf(or())
}
