/** The problems of a YAML document, each with its path and its position. */
import * as Schema from "effect/Schema"
import type { FieldErrors } from "./FieldErrors.js"
import { bounded, MORE_FIELD, MORE_MESSAGE, PROBLEMS_MAX } from "./Problems.js"

/** One problem: its path, its position and its message. */
export const DocumentProblem = Schema.Struct({
  path: Schema.String,
  line: Schema.Int,
  column: Schema.Int,
  message: Schema.String
})
/** One problem. */
export type DocumentProblem = typeof DocumentProblem.Type

/** The problems by path, up to the limit; those of one path become one text. */
export const fieldErrors = (problems: ReadonlyArray<DocumentProblem>): FieldErrors => {
  const errors = new Map<string, string>()
  for (const { path, line, column, message } of problems.slice(0, PROBLEMS_MAX)) {
    const text = `line ${line}, column ${column}: ${message}`
    const earlier = errors.get(path)
    errors.set(path, earlier === undefined ? text : `${earlier}; ${text}`)
  }
  if (problems.length > PROBLEMS_MAX) errors.set(MORE_FIELD, MORE_MESSAGE)
  return bounded(Object.fromEntries(errors))
}
