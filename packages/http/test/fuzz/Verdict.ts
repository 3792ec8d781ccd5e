/** The checks of every response: never 500, and always of the documented shape. */
import { VALIDATION_FAILED } from "@attestry/api/HttpError"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { document, type PublishedOperation } from "./PublishedOperation.js"

/** A response with its body. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ ...document, $id: "document" }, "document")
const compiled = new Map<object, ValidateFunction>()

const validatorOf = (schema: object): ValidateFunction => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
  compiled.set(schema, made)
  return made
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ofErrors = (message: unknown, errors: unknown): string | undefined => {
  if (errors === undefined) return undefined
  if (!isRecord(errors)) return "`errors` of a 400 is an object"
  const values = Object.values(errors)
  if (values.some((value) => typeof value !== "string")) return "`errors` holds texts"
  if (message !== VALIDATION_FAILED) return undefined
  const without = values.filter((value) => !/ \[input: [\s\S]*\]$/.test(String(value)))
  return without.length === 0 ? undefined : `an error ends with its input: ${without[0]}`
}

const REFUSAL_BYTES_MAX = 65_536

const ofRefusal = ({ status, headers, text }: Answer): string | undefined => {
  if (headers["content-type"] !== "application/json") return "a refusal is JSON"
  if (Buffer.byteLength(text) >= REFUSAL_BYTES_MAX) return "a refusal is short"
  const body = parsed(text)
  if (!isRecord(body) || typeof body.message !== "string") return "a refusal has a `message`"
  const fields = Object.keys(body).sort().join()
  const expected = status === 400 && body.errors !== undefined ? "errors,message" : "message"
  if (fields !== expected) return `a ${status} has the fields ${expected}, not ${fields}`
  return status === 400 ? ofErrors(body.message, body.errors) : undefined
}

const ofSuccess = (operation: PublishedOperation, answer: Answer): string | undefined => {
  const documented = operation.answers[answer.status]
  if (documented === undefined) return `the document has no ${answer.status} here`
  const media = documented.content?.["application/json"]
  if (media === undefined) return undefined
  const validate = validatorOf(media.schema)
  return validate(parsed(answer.text))
    ? undefined
    : `the answer breaks its schema: ${ajv.errorsText(validate.errors)}`
}

/** Error statuses of every path, also when the operation does not list them. */
const ANYWHERE = [400, 401, 403, 404, 405, 413, 415]

/** The problem of a response; undefined when there is none. */
export const of = (
  operation: PublishedOperation,
  answer: Answer,
  isSpoiled: boolean
): string | undefined => {
  const { status, headers } = answer
  if (status >= 500) return `answered ${status}: ${answer.text}`
  if (headers["x-request-id"] === undefined) return "every answer has a request id"
  if (status < 400) return isSpoiled ? undefined : ofSuccess(operation, answer)
  if (!(status in operation.answers) && !(isSpoiled && ANYWHERE.includes(status))) {
    return `the document has no ${status} here: ${answer.text}`
  }
  return ofRefusal(answer)
}
