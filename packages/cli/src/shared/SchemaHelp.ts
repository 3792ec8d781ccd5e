/** `attestry help schemas`: the schemas of results, as a table or as JSON Schema. */
import * as JSONSchema from "effect/JSONSchema"
import * as SchemaAST from "effect/SchemaAST"
import { usage } from "./CommandFailure.js"
import { RESULT_SCHEMAS, type ResultSchema } from "./ResultSchemas.js"
import * as Table from "./Table.js"

const descriptionOf = ({ ast }: ResultSchema): string =>
  SchemaAST.getDescriptionAnnotation(ast).pipe((found) =>
    found._tag === "Some" ? found.value : ""
  )

const tableOf = (): string =>
  Table.lines([
    ["SCHEMA", "RESULT"],
    ...[...RESULT_SCHEMAS].map(([name, schema]) => [name, descriptionOf(schema)])
  ]).join("\n")

const jsonOf = (): string =>
  JSON.stringify(
    Object.fromEntries([...RESULT_SCHEMAS].map(([name, schema]) => [name, JSONSchema.make(schema)]))
  )

/** The JSON Schema for a name such as `report`, `report/v1` or `attestry.cli/report/v1`. */
const oneOf = (name: string): string => {
  const found = [...RESULT_SCHEMAS].find(([whole]) =>
    [whole, whole.slice("attestry.cli/".length), whole.split("/")[1]].includes(name)
  )
  if (found === undefined)
    throw usage(`there is no schema \`${name}\``, "see: attestry help schemas")
  return JSON.stringify(JSONSchema.make(found[1]), null, 2)
}

/** The text of the help topic. */
export const textOf = (name: string | undefined, isJson: boolean): string => {
  if (name !== undefined) return oneOf(name)
  return isJson ? jsonOf() : tableOf()
}
