/**
 * JSON Schema, draft-07 and 2020-12. The result depends on the schema and the data alone; an exception is a failure
 * of the engine. Runs in a worker only: a validator may use its whole budget.
 */

import * as BoundedCache from "@attestry/core/BoundedCache"
import { Ajv, type Options, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as MeteredSource from "./MeteredSource.js"
import * as SchemaFormats from "./SchemaFormats.js"
import { SchemaExhausted, SchemaMeter } from "./SchemaMeter.js"
import * as SchemaPatterns from "./SchemaPatterns.js"
import * as SchemaSize from "./SchemaSize.js"
import * as ValueKeywords from "./ValueKeywords.js"

/** A compiled schema. */
interface Validator {
  readonly validate: ValidateFunction
  readonly meter: SchemaMeter
}

/**
 * WHY no inlining: a definition would be repeated at each reference. WHY no optimizing: it takes quadratic time in the
 * number of properties.
 */
const optionsOf = (meter: SchemaMeter): Options => ({
  strict: false,
  allErrors: false,
  validateFormats: true,
  logger: false,
  inlineRefs: false,
  code: { regExp: SchemaPatterns.makerOf(meter), process: MeteredSource.meter, optimize: false }
})

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/
const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

const isSchema = (value: unknown): value is object | boolean =>
  typeof value === "boolean" || Predicate.isRecord(value)

const engineFor = (schema: object | boolean, meter: SchemaMeter): Ajv | Ajv2020 | undefined => {
  const declared: unknown =
    typeof schema === "object" && "$schema" in schema ? schema.$schema : undefined
  if (declared === undefined || (typeof declared === "string" && DRAFT_07.test(declared)))
    return new Ajv(optionsOf(meter))
  return typeof declared === "string" && DRAFT_2020.test(declared)
    ? new Ajv2020(optionsOf(meter))
    : undefined
}

const TOO_MUCH = "Schema takes too many steps"

const problemOf = (cause: unknown): string => {
  if (cause instanceof SchemaExhausted) return `${TOO_MUCH} to check`
  // WHY: no schema within the size limit exhausts the stack, so a RangeError is a failure of the engine.
  if (cause instanceof RangeError || !(cause instanceof Error)) throw cause
  return cause.message.slice(0, 300)
}

/** The validator of a schema, or why the schema is invalid. */
const compile = (text: string): Either.Either<Validator, string> => {
  const schema: unknown = JSON.parse(text)
  if (!isSchema(schema)) return Either.left("Schema should be an object or a boolean")
  const meter = new SchemaMeter()
  const engine = engineFor(schema, meter)
  if (engine === undefined) return Either.left("Schema should be of draft-07 or 2020-12")
  Object.assign(engine, { meter })
  SchemaFormats.add(engine, meter)
  for (const definition of ValueKeywords.definitions(meter)) {
    engine.removeKeyword(String(definition.keyword)).addKeyword(definition)
  }
  meter.reset()
  return Either.try({
    try: () => ({ validate: engine.compile(schema), meter }),
    catch: problemOf
  })
}

/** Why a schema is invalid, or `null`. */
export const check = (text: string): string | null =>
  SchemaSize.check(JSON.parse(text)) ??
  Either.match(compile(text), { onLeft: (problem) => problem, onRight: () => null })

const said = ({ errors }: ValidateFunction): string => {
  const [first] = errors ?? []
  const path = (first?.instancePath ?? "").slice(0, 100)
  return `Data does not fit the schema of its type: ${path === "" ? "it" : path} ${first?.message ?? "is not valid"}`
}

const evaluate = ({ validate, meter }: Validator, data: unknown): string | null => {
  meter.reset()
  try {
    return validate(data) ? null : said(validate)
  } catch (cause) {
    if (cause instanceof SchemaExhausted)
      return "Data takes more steps than the schema of its type may use"
    throw cause
  }
}

const VALIDATORS_MAX = 16

/** The last used validators, by the text of their schema: compiling takes longer than validating. */
const validators = BoundedCache.make<Either.Either<Validator, string>>(VALIDATORS_MAX)

const compiledOnce = (text: string): Either.Either<Validator, string> =>
  validators.set(text, validators.get(text) ?? compile(text))

/** Why data does not match a schema, or `null`. */
export const validate = (text: string, data: unknown): string | null =>
  Either.match(compiledOnce(text), {
    onLeft: (problem) => problem,
    onRight: (validator) => evaluate(validator, data)
  })
