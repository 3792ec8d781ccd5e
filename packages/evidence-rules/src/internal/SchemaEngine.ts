/**
 * JSON Schema, draft-07 and 2020-12, with regular expressions that run in linear time.
 *
 * Runs in the worker only: compiling a hostile schema may take for ever.
 */

import { Ajv, type Options, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import * as Either from "effect/Either"
import { RE2JS } from "re2js"

/** WHY: without `toString` the validator takes every pattern for the first one it saw. */
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    return {
      test: (text: string) => compiled.matcher(text).find(),
      toString: () => `/${pattern}/`
    }
  },
  { code: "new RegExp" }
)

const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: true,
  logger: false,
  code: { regExp }
}

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/
const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

const isSchema = (value: unknown): value is object | boolean =>
  typeof value === "boolean" ||
  (typeof value === "object" && value !== null && !Array.isArray(value))

const engineFor = (schema: object | boolean): Ajv | Ajv2020 | undefined => {
  const declared: unknown =
    typeof schema === "object" && "$schema" in schema ? schema.$schema : undefined
  if (declared === undefined || (typeof declared === "string" && DRAFT_07.test(declared)))
    return new Ajv(options)
  return typeof declared === "string" && DRAFT_2020.test(declared)
    ? new Ajv2020(options)
    : undefined
}

/** The validator of a schema, or why there is none. */
export const compile = (text: string): Either.Either<ValidateFunction, string> => {
  const schema: unknown = JSON.parse(text)
  if (!isSchema(schema)) return Either.left("Schema should be an object or a boolean")
  const engine = engineFor(schema)
  if (engine === undefined) return Either.left("Schema should be of draft-07 or 2020-12")
  formats.default(engine, { mode: "fast" })
  return Either.try({
    try: () => engine.compile(schema),
    catch: (cause) => (cause instanceof Error ? cause.message.slice(0, 300) : "not a schema")
  })
}

/** Why data does not fit, or `null` when it does. */
export const validate = (validator: ValidateFunction, data: unknown): string | null => {
  if (validator(data)) return null
  const [first] = validator.errors ?? []
  const path = (first?.instancePath ?? "").slice(0, 100)
  return `Data does not fit the schema of its type: ${path === "" ? "it" : path} ${first?.message ?? "is not valid"}`
}
