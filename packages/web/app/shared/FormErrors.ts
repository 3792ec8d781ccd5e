/** Sorts the server's messages by form field; the rest go to the summary. */
import type { ApiProblem } from "./ApiProblem.js"
import type { HeldRequest } from "./HeldRequest.js"

export interface FormErrors {
  readonly byField: ReadonlyMap<string, string>
  /** For the summary: the message of the answer, and errors of fields that the form does not have. */
  readonly others: ReadonlyArray<string>
  /** The request, if the change may be proposed. */
  readonly held?: HeldRequest | undefined
}

export const none: FormErrors = { byField: new Map(), others: [] }

/** The form field of an error: `policies.0.name` and `policies[0].name` belong to `policies` without a closer field. */
const fieldFor = (name: string, fields: ReadonlySet<string>): string | undefined => {
  const parts = name.replaceAll("]", "").split(/[.[]/)
  for (let length = parts.length; length > 0; length -= 1) {
    const candidate = parts.slice(0, length).join(".")
    if (fields.has(candidate)) return candidate
  }
  return fields.has(name) ? name : undefined
}

/** The messages of a problem, for a form with these fields. */
export const make = (problem: ApiProblem, fields: ReadonlyArray<string>): FormErrors => {
  const known = new Set(fields)
  const byField = new Map<string, string>()
  const strays: Array<string> = []
  for (const [name, message] of problem.errors) {
    const field = fieldFor(name, known)
    if (field === undefined) strays.push(`${name}: ${message}`)
    else byField.set(field, byField.has(field) ? `${byField.get(field)}; ${message}` : message)
  }
  return {
    byField,
    others: byField.size > 0 ? strays : [problem.message, ...strays],
    ...(problem.held === undefined ? {} : { held: problem.held })
  }
}

/**
 * As `make`, but one field also gets the errors of fields that the form does not have, such as parts of a document.
 */
export const makeWithRest = (
  problem: ApiProblem,
  fields: ReadonlyArray<string>,
  rest: string
): FormErrors => {
  const made = make(problem, fields)
  const strays = made.byField.size > 0 ? made.others : made.others.slice(1)
  if (strays.length === 0) return made
  const own = made.byField.get(rest)
  const text = [...(own === undefined ? [] : [own]), ...strays].join("\n")
  return { byField: new Map([...made.byField, [rest, text]]), others: [] }
}
