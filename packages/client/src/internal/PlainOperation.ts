/** An operation of the index, and its request as a URL and a body. Plain: no schema checks the request. */
import { OPERATIONS } from "@attestry/api/OperationIndex"
import { clientError } from "../AttestryError.js"
import { ANSWERS } from "./AnswerTable.js"

/** An operation with the form of its answer. */
export interface PlainOperation {
  /** Group and name: `flow.put`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly answer: "Json" | "Text" | "Uint8Array"
  readonly isoParameters: ReadonlyArray<string>
  /** Where instants are in the answer. */
  readonly instants: ReadonlyArray<string>
}

/** A request of a caller. */
export interface PlainRequest {
  readonly path?: { readonly [name: string]: unknown }
  readonly urlParams?: { readonly [name: string]: unknown }
  readonly payload?: unknown
}

const INDEX = new Map<string, string>(Object.entries(OPERATIONS))
const CONVERSIONS = new Map(Object.entries(ANSWERS))

/** Every operation of the contract by its name. */
export const NAMES: ReadonlyArray<string> = [...INDEX.keys()]

/** The operation of a name; throws for a name that the contract does not have. */
export const named = (name: string): PlainOperation => {
  const entry = INDEX.get(name)
  if (entry === undefined)
    throw clientError(name, { reason: "Encode", detail: "the contract has no such operation" })
  const [method = "", path = ""] = entry.split(" ")
  const parts = CONVERSIONS.get(name) ?? []
  const answer = parts.find((part) => part.startsWith("="))?.slice(1)
  return {
    name,
    method,
    path,
    answer: answer === "Text" || answer === "Uint8Array" ? answer : "Json",
    isoParameters: parts.flatMap((part) => (part.startsWith("?") ? [part.slice(1)] : [])),
    instants: parts.filter((part) => !/^[=?]/.test(part))
  }
}

const refused = ({ name }: PlainOperation, field: string, message: string) =>
  clientError(name, {
    reason: "Encode",
    detail: `the request does not fit the contract: ${field}: ${message}`,
    errors: { [field]: message }
  })

/** Whether a path cannot contain a text as a segment, encoded or not. */
const isNoSegment = (text: string): boolean => text === "" || text === "." || text === ".."

const segment = (operation: PlainOperation, name: string, value: unknown): string => {
  if (value === undefined) throw refused(operation, name, "Field required")
  const text = String(value)
  if (isNoSegment(text)) throw refused(operation, name, "Input cannot be part of a path")
  return encodeURIComponent(text)
}

const parameter = (operation: PlainOperation, name: string, value: unknown): string => {
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) throw refused(operation, name, "Input should be a valid date")
  return operation.isoParameters.includes(name)
    ? value.toISOString()
    : String(value.getTime() / 1000)
}

const queryOf = (operation: PlainOperation, given: PlainRequest["urlParams"] = {}): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) query.append(name, parameter(operation, name, each))
    }
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** The URL of a request; throws for a parameter that is missing or that no path can have. */
export const urlOf = (operation: PlainOperation, request: PlainRequest, origin: string): string => {
  const values = new Map<string, unknown>(Object.entries(request.path ?? {}))
  const path = operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    segment(operation, name, values.get(name))
  )
  const url = `${origin}/api/v2${path}${queryOf(operation, request.urlParams)}`
  try {
    return new URL(url).href
  } catch (cause) {
    const detail = "the base url and the path make no url"
    throw clientError(operation.name, { reason: "Encode", detail, cause })
  }
}
