/** What is wrong with a YAML document of ours, each thing with its path and its place in the text. */
import * as Schema from "effect/Schema"
import type { FieldErrors } from "./FieldErrors.js"
import { bounded, MORE_FIELD, MORE_MESSAGE, PROBLEMS_MAX } from "./Problems.js"

/** One thing wrong: where in the document, where in the text, and what. */
export const DocumentProblem = Schema.Struct({
  path: Schema.String,
  line: Schema.Int,
  column: Schema.Int,
  message: Schema.String
})
/** One thing wrong. */
export type DocumentProblem = typeof DocumentProblem.Type

/** The problems keyed by path, as far as they are told; those of one path become one text. */
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
