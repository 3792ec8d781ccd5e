/** Answers without schemas: instants become dates, placeholders of damaged records are left out, errors are named. */
import { AttestryError, type AttestryErrorTag, clientError } from "../AttestryError.js"
import type { PlainOperation } from "./PlainOperation.js"

/** A response that has arrived as a whole. */
export interface Arrived {
  readonly status: number
  readonly headers: Pick<Headers, "get">
  readonly bytes: Uint8Array
}

type Fields = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]))

/** The value with the instants at a path as dates; a value of another shape stays as it is. */
const dated = (value: unknown, path: ReadonlyArray<string>): unknown => {
  const [first, ...rest] = path
  if (first === undefined) {
    return typeof value === "number" ? new Date(Math.round(value * 1000)) : value
  }
  if (first === "0") return value === 0 ? null : dated(value, rest)
  if (first === "[]")
    return Array.isArray(value) ? value.map((item: unknown) => dated(item, rest)) : value
  if (!isObject(value)) return value
  if (first === "*") return mapValues(value, (each) => dated(each, rest))
  return Object.hasOwn(value, first) ? { ...value, [first]: dated(value[first], rest) } : value
}

const isPlaceholder = (item: unknown): boolean => isObject(item) && item.damaged_record === true

const readable = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((item: unknown) => !isPlaceholder(item)) : value

const withoutPlaceholders = (body: unknown): unknown =>
  isObject(body) ? mapValues(body, readable) : readable(body)

/** The body of an answer as callers see it. */
export const shown = (operation: PlainOperation, body: unknown): unknown =>
  operation.instants.reduce(
    (value, path) => dated(value, path.replace("|0", ".0").split(".")),
    operation.method === "GET" ? withoutPlaceholders(body) : body
  )

const TAGS = new Map<number, AttestryErrorTag>([
  [400, "BadRequest"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [409, "Conflict"],
  [413, "PayloadTooLarge"],
  [415, "UnsupportedMediaType"],
  [422, "UnprocessableContent"],
  [429, "TooManyRequests"],
  [503, "Unavailable"]
])

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // WHY: a body that is not JSON is the page of a proxy, and has no message.
    return undefined
  }
}

const stringsOf = (value: unknown): { readonly [field: string]: string } | undefined =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, String(v)]))
    : undefined

/** Whether an error was made here. */
export const isOwn = (error: unknown): error is AttestryError => error instanceof AttestryError

/** The error of a response without a status of success. */
export const refusal = (
  operation: PlainOperation,
  { status, headers, bytes }: Arrived
): AttestryError => {
  const body = parsed(bytes)
  const message = isObject(body) && typeof body.message === "string" ? body.message : undefined
  const tag = TAGS.get(status)
  if (message !== undefined && tag !== undefined && isObject(body)) {
    const errors = stringsOf(body.errors)
    return new AttestryError(operation.name, { _tag: tag, message, status, errors, cause: body })
  }
  const id = headers.get("x-request-id")
  const said = message === undefined ? "" : `: ${message}`
  const detail = `unexpected status ${status}${said}${id === null ? "" : ` (request ${id})`}`
  return clientError(operation.name, { reason: "Status", status, detail })
}

/** The body of a response: bytes, a text, or a JSON value; throws for a refusal and for a text that is not JSON. */
export const bodyOf = (operation: PlainOperation, response: Arrived): unknown => {
  if (response.status < 200 || response.status >= 300) throw refusal(operation, response)
  if (operation.answer === "Uint8Array") return response.bytes
  if (operation.answer === "Text") return new TextDecoder().decode(response.bytes)
  const body = parsed(response.bytes)
  if (body !== undefined) return body
  const detail = "the answer does not fit the contract: it is no JSON"
  throw clientError(operation.name, { reason: "Decode", status: response.status, detail })
}
