/**
 * Facts of an attestation for which some conditions hold and another one does not. They are candidates from the words
 * of the conditions: none may be found where some exist.
 */
import type { JsonObject } from "@attestry/core/Evidence"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { type Expression, PURLS, print } from "@attestry/core/PolicyExpressionTree"
import * as PurlPattern from "@attestry/core/PurlPattern"
import * as Either from "effect/Either"
import * as PatternSamples from "./PatternSamples.js"

/** The most facts that are tried. */
export const TRIED_MAX = 256
/** The most values of one fact that are tried. */
const VALUES_MAX = 6

/** What is asked of facts. */
export interface Sought {
  readonly holding: ReadonlyArray<Expression>
  /** The condition that must not be true; undefined for none. */
  readonly failing: Expression | undefined
}

const scalarsOf = (node: Expression): ReadonlyArray<unknown> => {
  switch (node._tag) {
    case "Text":
    case "Boolean":
      return [node.value]
    case "Number": {
      const number = Number(node.digits)
      return Number.isFinite(number) ? [number, number + 1, number - 1] : []
    }
    default:
      return []
  }
}

/** Purls of the package of a pattern, in the versions that it names and in the first of all. */
const purlsOf = (pattern: string): ReadonlyArray<string> =>
  Either.match(PurlPattern.parse(pattern), {
    onLeft: () => [],
    onRight: (parsed) => {
      const { name, type } = parsed.purl
      const bare = `pkg:${type}/${name.split("/").map(encodeURIComponent).join("/")}`
      return [...PurlPattern.versionsNamed(parsed), "0.0.0"].map(
        (version) => `${bare}@${encodeURIComponent(version)}`
      )
    }
  })

const listsFor = (node: Expression & { _tag: "Contains" }): ReadonlyArray<unknown> =>
  node.list.path === PURLS && node.operand._tag === "Text"
    ? [...purlsOf(node.operand.value).map((purl) => [purl]), []]
    : [scalarsOf(node.operand).slice(0, 1), []]

type Found = ReadonlyArray<readonly [path: string, values: ReadonlyArray<unknown>]>

const pair = (one: Expression, values: ReadonlyArray<unknown>): Found =>
  one._tag === "Fact" ? [[one.path, values]] : []

/** The values that the parts of a condition compare facts with. */
const comparedIn = (node: Expression): Found => {
  switch (node._tag) {
    case "Compare":
      return [...pair(node.left, scalarsOf(node.right)), ...pair(node.right, scalarsOf(node.left))]
    case "In":
      return pair(node.operand, node.list.flatMap(scalarsOf))
    case "Contains":
      return [...pair(node.list, listsFor(node)), ...pair(node.operand, [])]
    case "Matches":
      return pair(node.operand, PatternSamples.samples(node.pattern).slice(0, 2))
    case "Fact":
      return [[node.path, [true, false]]]
    default:
      return []
  }
}

const OTHER = "another-value"

/** The values to try by fact; undefined is one of them, for a fact that is missing. */
const valuesOf = (expressions: ReadonlyArray<Expression>) => {
  const found = new Map<string, Set<unknown>>()
  for (const [path, values] of expressions.flatMap(PolicyExpression.nodes).flatMap(comparedIn)) {
    const known = found.get(path) ?? new Set()
    for (const value of values) known.add(value)
    found.set(path, known)
  }
  return [...found].map(
    ([path, values]) =>
      [path.split("."), [...[...values].slice(0, VALUES_MAX), OTHER, undefined]] as const
  )
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object with a value at a path. */
const withValue = (
  facts: { readonly [key: string]: unknown },
  [key, ...rest]: ReadonlyArray<string>,
  value: unknown
): { readonly [key: string]: unknown } => {
  if (key === undefined || value === undefined) return facts
  const inner = new Map(Object.entries(facts)).get(key)
  const member = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value)
  return Object.fromEntries([...Object.entries(facts), [key, member]])
}

/** Finds facts, each once. WHY: the same conditions are asked about for many values of other terms. */
export class FactSamples {
  readonly #known = new Map<string, JsonObject | undefined>()

  /** Facts as they are sought; undefined where none are found. */
  find({ failing, holding }: Sought): JsonObject | undefined {
    const key = JSON.stringify([holding.map(print), failing && print(failing)])
    if (!this.#known.has(key)) this.#known.set(key, find({ failing, holding }))
    return this.#known.get(key)
  }
}

const find = ({ failing, holding }: Sought): JsonObject | undefined => {
  const choices = valuesOf([...holding, ...(failing === undefined ? [] : [failing])])
  const hold = holding.map(PolicyExpression.compileWhere)
  const fail = failing === undefined ? undefined : PolicyExpression.compileWhere(failing)
  const total = choices.reduce((count, [, values]) => count * values.length, 1)
  for (let tried = 0; tried < Math.min(total, TRIED_MAX); tried++) {
    let rest = tried
    let facts: { readonly [key: string]: unknown } = {}
    for (const [path, values] of choices) {
      facts = withValue(facts, path, values[rest % values.length])
      rest = Math.floor(rest / values.length)
    }
    const tryable = facts
    if (hold.every((test) => test(tryable) === "True") && fail?.(tryable) !== "True") return facts
  }
  return undefined
}
