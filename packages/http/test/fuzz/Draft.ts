/** A request in parts that can be mutated one by one. */
import type { IncomingRequest } from "../../src/shared/HttpMessage.js"
import type { PublishedOperation } from "./PublishedOperation.js"

/** One part of a form. */
export interface FormPart {
  readonly headers: ReadonlyArray<string>
  readonly text: string
}

/** A body: none, text or bytes, or the parts of a form. */
export type DraftBody =
  | { readonly _tag: "None" }
  | { readonly _tag: "Json"; readonly value: unknown }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "Form"; readonly parts: ReadonlyArray<FormPart>; readonly isClosed: boolean }

/** A request in parts. */
export interface Draft {
  readonly operation: PublishedOperation
  readonly method: string
  /** The encoded parameters of the path. */
  readonly path: { readonly [name: string]: string }
  /** A text that is appended to the path. */
  readonly suffix: string
  /** The encoded names and values of the query. */
  readonly query: ReadonlyArray<string>
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: DraftBody
  /** The connection breaks after this many bytes of the body. */
  readonly breaksAfter: number | undefined
}

const BOUNDARY = "----attestry"

/** The content type that fits a body. */
export const contentTypeOf = (body: DraftBody): string | undefined => {
  switch (body._tag) {
    case "None":
      return undefined
    case "Form":
      return `multipart/form-data; boundary=${BOUNDARY}`
    default:
      return "application/json"
  }
}

const formText = (parts: ReadonlyArray<FormPart>, isClosed: boolean): string =>
  parts
    .map(({ headers, text }) => `--${BOUNDARY}\r\n${headers.join("\r\n")}\r\n\r\n${text}\r\n`)
    .join("") + (isClosed ? `--${BOUNDARY}--\r\n` : "")

/** The bytes of a body. */
export const bytesOf = (body: DraftBody): Uint8Array => {
  switch (body._tag) {
    case "None":
      return new Uint8Array()
    case "Bytes":
      return body.bytes
    case "Json":
      return new TextEncoder().encode(JSON.stringify(body.value) ?? "null")
    case "Form":
      return new TextEncoder().encode(formText(body.parts, body.isClosed))
  }
}

/** Path and query of a draft. */
export const urlOf = ({ operation, path, query, suffix }: Draft): string => {
  const filled = operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => path[name] ?? "")
  return `${filled}${suffix}${query.length === 0 ? "" : `?${query.join("&")}`}`
}

async function* pieces(draft: Draft): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(draft.body)
  const { breaksAfter } = draft
  yield bytes.subarray(0, breaksAfter ?? bytes.byteLength)
  if (breaksAfter !== undefined) throw new Error("the connection broke")
}

/** The request as a host passes it on. */
export const toRequest = (draft: Draft): IncomingRequest => ({
  method: draft.method,
  url: urlOf(draft),
  headers: (name) => draft.headers.filter(([each]) => each === name).map(([, value]) => value),
  remoteAddress: "",
  body: pieces(draft)
})

/** A draft in one line, for the message of a failed test. */
export const show = (draft: Draft): string =>
  JSON.stringify({
    operation: draft.operation.id,
    method: draft.method,
    url: urlOf(draft).slice(0, 300),
    headers: draft.headers.filter(([name]) => name !== "authorization").slice(0, 8),
    body: new TextDecoder().decode(bytesOf(draft.body).subarray(0, 600)),
    breaksAfter: draft.breaksAfter
  })
