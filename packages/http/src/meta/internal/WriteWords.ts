/** The part of the OpenAPI document about what every write accepts and answers. */

import { WriteResult } from "@attestry/api/WriteResult"
import * as JSONSchema from "effect/JSONSchema"
import * as DryRunRequest from "../../shared/internal/DryRunRequest.js"
import * as Preference from "../../shared/internal/Preference.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import { isSchema, type Schema, tidy } from "./JsonSchema.js"

const PREFER: Schema = {
  name: Preference.HEADER,
  in: "header",
  required: false,
  description:
    `\`${Preference.REPRESENTATION}\` asks for what the write did in place of \`"OK"\`. ` +
    "Other preferences change nothing.",
  schema: { type: "string" }
}

const DRY_RUN: Schema = {
  name: DryRunRequest.PARAMETER,
  in: "query",
  required: false,
  description:
    "Checks everything and answers as the write would, but stores nothing. Ids and secrets in " +
    "the answer are not kept.",
  schema: { type: "boolean" }
}

const isWrite = ({ method }: Route): boolean => method !== "GET"

/** The parameters that every write has beside its own. */
export const parametersOf = (route: Route): ReadonlyArray<Schema> => [
  ...(DryRunRequest.covers(route) ? [DRY_RUN] : []),
  ...(isWrite(route) ? [PREFER] : [])
]

/** The headers that a response of every write may have. */
export const headersOf = (route: Route): Schema => ({
  ...(isWrite(route)
    ? {
        [Preference.APPLIED]: {
          description: "The preference of the request that the answer honours",
          schema: { type: "string", const: Preference.REPRESENTATION }
        }
      }
    : {}),
  ...(DryRunRequest.covers(route)
    ? {
        [DryRunRequest.HEADER]: {
          description: "Nothing was stored: the request was a dry run",
          schema: { type: "string", const: "true" }
        }
      }
    : {})
})

/** The name of the schema of what a write did. */
const NAME = "WriteResult"

/** Whether a response is a word such as `"OK"`. */
const isWord = (schema: unknown): schema is Schema =>
  isSchema(schema) && schema.type === "string" && Array.isArray(schema.enum)

/** The schema of a success; where it is a word, also what the write did. */
export const withResult = (route: Route, schema: unknown): unknown => {
  if (!isWrite(route) || !isWord(schema)) return schema
  const { description, ...word } = schema
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [word, { $ref: `#/components/schemas/${NAME}` }]
  }
}

/** The schema of what a write did, by its name. */
export const component = (): readonly [name: string, schema: unknown] => {
  const { $schema: _, ...schema } = JSONSchema.make(WriteResult, { target: "openApi3.1" })
  return [NAME, tidy(schema)]
}
