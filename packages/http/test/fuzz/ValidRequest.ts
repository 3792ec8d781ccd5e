/**
 * Requests that the document allows, made from its schemas alone.
 *
 * Names are mostly those of the document's examples, so that requests find records of other requests.
 */
import * as FastCheck from "effect/FastCheck"
import { contentTypeOf, type Draft, type DraftBody } from "./Draft.js"
import { type PublishedOperation, resolve, type Schema } from "./PublishedOperation.js"
import type { Random } from "./Random.js"

const DEPTH_MAX = 8

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise

const members = (value: unknown): ReadonlyArray<Schema> => (Array.isArray(value) ? value : [])

const matching = new Map<string, FastCheck.Arbitrary<string>>()

const textLike = (pattern: string, random: Random): string => {
  const arbitrary = matching.get(pattern) ?? FastCheck.stringMatching(new RegExp(pattern))
  matching.set(pattern, arbitrary)
  const seed = random.below(2 ** 31)
  return FastCheck.sample(arbitrary, { numRuns: 1, seed })[0] ?? ""
}

const WORDS = ["shop", "production", "build-17", "main", "0", "é", "日本", "a b", "x".repeat(200)]

const textOf = (schema: Schema, random: Random): string => {
  if (typeof schema.pattern === "string") {
    return textLike(schema.pattern, random).slice(0, numberOf(schema.maxLength, 500))
  }
  if (schema.format === "uri") return `https://example.com/${random.below(9)}`
  if (schema.format === "email") return "ada@example.com"
  const word = random.pick(WORDS).slice(0, numberOf(schema.maxLength, 500))
  return word.padEnd(numberOf(schema.minLength, 0), "x")
}

const countOf = (schema: Schema, random: Random): number => {
  const min = numberOf(schema.minimum, -1_000)
  const max = numberOf(schema.maximum, 2_000_000_000)
  const value = random.chance(0.3) ? random.pick([min, max]) : min + random.next() * (max - min)
  return schema.type === "integer" ? Math.round(value) : value
}

interface Place {
  readonly random: Random
  readonly name: string
  readonly depth: number
}

const objectOf = (schema: Schema, place: Place): unknown => {
  const { random, depth } = place
  const properties = Object.entries((schema.properties ?? {}) as { [name: string]: Schema })
  const required = Array.isArray(schema.required) ? schema.required : []
  const chance = depth > 3 ? 0.1 : 0.5
  const fields = properties
    .filter(([name]) => required.includes(name) || random.chance(chance))
    .map(([name, each]) => [name, valueOfSchema(each, { random, name, depth: depth + 1 })])
  const entry = schema.additionalProperties
  if (typeof entry !== "object" || entry === null || depth > DEPTH_MAX) {
    return Object.fromEntries(fields)
  }
  const more = Array.from({ length: random.below(3) }, (_, index) => [
    `key_${index}`,
    valueOfSchema(entry as Schema, { ...place, depth: depth + 1 })
  ])
  return Object.fromEntries([...fields, ...more])
}

/** The example words of the document by field. */
const SHARED: { readonly [name: string]: unknown } = {
  org: "acme",
  flow_name: "shop",
  flow: "shop",
  trail_name: "build-17",
  env_name: "production",
  environment: "production",
  fingerprint: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  attestation_name: "unit-tests",
  type_name: "load-test"
}

/** A value that a schema allows. */
const valueOfSchema = (given: Schema, place: Place): unknown => {
  const { random, name, depth } = place
  const schema = resolve(given)
  const shared = SHARED[name]
  if (shared !== undefined && schema.type === "string" && random.chance(0.7)) return shared
  if ("const" in schema) return schema.const
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  const choices = [...members(schema.anyOf), ...members(schema.oneOf)]
  if (choices.length > 0) return valueOfSchema(random.pick(choices), place)
  switch (schema.type) {
    case "string":
      return textOf(schema, random)
    case "integer":
    case "number":
      return countOf(schema, random)
    case "boolean":
      return random.chance(0.5)
    case "null":
      return null
    case "array": {
      const least = numberOf(schema.minItems, 0)
      const length = depth > DEPTH_MAX ? least : least + random.below(3)
      const items = (schema.items ?? {}) as Schema
      return Array.from({ length }, () => valueOfSchema(items, { ...place, depth: depth + 1 }))
    }
    case "object":
      return objectOf(schema, place)
    default:
      return random.pick<unknown>([null, 1, "text", [], { a: [{ b: null }] }])
  }
}

const formBody = (operation: PublishedOperation, random: Random): DraftBody => {
  const json = operation.content["application/json"]
  const form = operation.content["multipart/form-data"]
  const [jsonPart = "data_json", ...files] = Object.keys((form?.schema.properties ?? {}) as object)
  const value = valueOfSchema(json?.schema ?? {}, { random, name: "", depth: 0 })
  const disposition = (name: string, rest = "") =>
    `Content-Disposition: form-data; name="${name}"${rest}`
  return {
    _tag: "Form",
    isClosed: true,
    parts: [
      { headers: [disposition(jsonPart)], text: JSON.stringify(value) },
      ...files
        .filter(() => random.chance(0.5))
        .map((name) => ({
          headers: [disposition(name, '; filename="a.txt"')],
          text: "version: 1\n"
        }))
    ]
  }
}

const bodyOf = (operation: PublishedOperation, random: Random): DraftBody => {
  const json = operation.content["application/json"]
  if (json === undefined) {
    return random.chance(0.9) ? { _tag: "None" } : { _tag: "Json", value: null }
  }
  if ("multipart/form-data" in operation.content && random.chance(0.5)) {
    return formBody(operation, random)
  }
  const value = random.chance(0.2)
    ? json.example
    : valueOfSchema(json.schema, { random, name: "", depth: 0 })
  return { _tag: "Json", value }
}

const parameters = (operation: PublishedOperation, place: string) =>
  operation.parameters.filter((parameter) => parameter.in === place)

/** A request that the document allows, in parts. */
export const make = (operation: PublishedOperation, random: Random, key: string): Draft => {
  const body = bodyOf(operation, random)
  const type = contentTypeOf(body)
  const path = parameters(operation, "path").map(({ name, schema, example }) => {
    const value = random.chance(0.8)
      ? (SHARED[name] ?? example)
      : valueOfSchema(schema, { random, name, depth: 0 })
    return [name, name === "org" ? "acme" : encodeURIComponent(String(value))] as const
  })
  const query = parameters(operation, "query")
    .filter(({ required }) => required || random.chance(0.3))
    .flatMap(({ name, schema }) =>
      [valueOfSchema(schema, { random, name, depth: 0 })]
        .flat()
        .map((value) => `${name}=${encodeURIComponent(String(value))}`)
    )
  return {
    operation,
    method: operation.method,
    path: Object.fromEntries(path),
    suffix: "",
    query,
    headers: [
      ["authorization", `Bearer ${key}`],
      ...(type === undefined ? [] : [["content-type", type] as const])
    ],
    body,
    breaksAfter: undefined
  }
}
