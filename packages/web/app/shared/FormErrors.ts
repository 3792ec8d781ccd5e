/** Messages of the server beside the fields that they are about, and those that belong to no field of the form. */
import type { ApiProblem } from "./ApiProblem.js"

/** The messages of a form. */
export interface FormErrors {
  readonly byField: ReadonlyMap<string, string>
  /** For the summary: the message of the answer, and errors of fields that the form does not show. */
  readonly others: ReadonlyArray<string>
}

/** No messages. */
export const none: FormErrors = { byField: new Map(), others: [] }

/** `policies.0.name` belongs to the field `policies` where there is no closer one. */
const fieldFor = (name: string, fields: ReadonlySet<string>): string | undefined => {
  const parts = name.split(/[.[]/)
  for (let length = parts.length; length > 0; length -= 1) {
    const candidate = parts.slice(0, length).join(".")
    if (fields.has(candidate)) return candidate
  }
  return fields.has(name) ? name : undefined
}

/** The messages of a problem for a form with these fields. */
export const make = (problem: ApiProblem, fields: ReadonlyArray<string>): FormErrors => {
  const known = new Set(fields)
  const byField = new Map<string, string>()
  const strays: Array<string> = []
  for (const [name, message] of problem.errors) {
    const field = fieldFor(name, known)
    if (field === undefined) strays.push(`${name}: ${message}`)
    else byField.set(field, byField.has(field) ? `${byField.get(field)}; ${message}` : message)
  }
  return { byField, others: byField.size > 0 ? strays : [problem.message, ...strays] }
}

/** The same, where one field takes the messages of fields that the form does not show, such as a document's parts. */
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
