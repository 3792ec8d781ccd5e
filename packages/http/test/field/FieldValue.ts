/** Two values that a schema of the document allows; they differ wherever the schema permits it. */
import * as FastCheck from "effect/FastCheck"
import { resolve, type Schema } from "../fuzz/PublishedOperation.js"

/** Two values for one field. */
export type Pair = readonly [first: unknown, second: unknown]

const listOf = (value: unknown): ReadonlyArray<Schema> => (Array.isArray(value) ? value : [])

/** Texts by their pattern, which take long to make. */
const matching = new Map<string, Pair>()

const matchingPair = (pattern: string): Pair => {
  const known = matching.get(pattern)
  if (known !== undefined) return known
  const arbitrary = FastCheck.stringMatching(new RegExp(pattern))
  const [first = "", second = ""] = new Set(FastCheck.sample(arbitrary, { numRuns: 20, seed: 1 }))
  matching.set(pattern, [first, second])
  return [first, second]
}

const textPair = (schema: Schema, name: string): Pair => {
  if (typeof schema.pattern === "string") return matchingPair(schema.pattern)
  if (schema.format === "uri") {
    return [`https://example.com/first/${name}`, `https://example.com/second/${name}`]
  }
  if (schema.format === "email") return ["first@example.com", "second@example.com"]
  const max = Number(schema.maxLength ?? 200)
  return [`first ${name}`.slice(0, max), `second ${name}`.slice(0, max)]
}

const both = (pairs: ReadonlyArray<readonly [string, Pair]>): Pair => [
  Object.fromEntries(pairs.map(([name, [first]]) => [name, first])),
  Object.fromEntries(pairs.map(([name, [, second]]) => [name, second]))
]

const objectPair = (schema: Schema): Pair => {
  const properties = Object.entries((schema.properties ?? {}) as { [name: string]: Schema })
  if (properties.length > 0) return both(properties.map(([name, each]) => [name, make(each, name)]))
  const [first, second] = make((schema.additionalProperties ?? {}) as Schema, "entry")
  return [{ first }, { second }]
}

/** Two values that a schema allows, for a field of that name; every property of an object is set. */
export const make = (given: Schema, name: string): Pair => {
  const schema = resolve(given)
  if ("const" in schema) return [schema.const, schema.const]
  if (Array.isArray(schema.enum)) return [schema.enum[0], schema.enum.at(-1)]
  const choice = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].find(
    (each) => resolve(each).type !== "null"
  )
  if (choice !== undefined) return make(choice, name)
  switch (schema.type) {
    case "string":
      return textPair(schema, name)
    case "integer":
    case "number":
      return [Number(schema.minimum ?? 0) + 1, Number(schema.minimum ?? 0) + 2]
    case "boolean":
      return [true, false]
    case "array": {
      const [first, second] = make((schema.items ?? {}) as Schema, name)
      return [[first], [second]]
    }
    case "object":
      return objectPair(schema)
    default:
      return [{ first: 1 }, { second: 2 }]
  }
}
