/**
 * Tags of answers: a client that has an answer already gets 304 instead of its bytes.
 *
 * Only whole JSON answers to GET are tagged, because a stream would have to be held to be hashed. The tag is weak: the
 * bytes on the wire depend on the encoding. DECISION B-268
 */
import * as Crypto from "node:crypto"
import type { OutgoingResponse } from "../../shared/HttpMessage.js"

/** What the decision reads of a request. */
export interface TaggedRequest {
  readonly method: string
  /** Reads the values of `If-None-Match`, in order. */
  readonly known: () => ReadonlyArray<string>
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether a client has this tag; weak and strong ones are compared alike (RFC 9110 §8.8.3.2). */
export const isKnown = (known: ReadonlyArray<string>, tag: string): boolean =>
  known.some(
    (value) =>
      value.trim() === "*" ||
      Array.from(value.matchAll(TAG), ([, opaque]) => opaque).includes(tag.slice("W/".length))
  )

/** The tag of a body. */
export const tagOf = (body: string | Uint8Array): string =>
  `W/"${Crypto.createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`

const isJson = ({ headers }: OutgoingResponse): boolean =>
  headers["content-type"]?.startsWith("application/json") === true

/** The headers of a 304: those that a cache updates, and those of every answer. */
const notModified = ({ headers }: OutgoingResponse): OutgoingResponse => {
  const { "content-type": _type, "content-length": _length, ...kept } = headers
  return { status: 304, headers: kept, body: "" }
}

/** The answer with its tag and how it may be kept, or 304 where the client has it. Other answers are unchanged. */
export const apply = (
  response: OutgoingResponse,
  { method, known }: TaggedRequest
): OutgoingResponse => {
  const { status, headers, body } = response
  const isRead = method === "GET" || method === "HEAD"
  // WHY: an answer that says itself how it may be kept is confidential, or of the site.
  if (!isRead || !isJson(response) || headers["cache-control"] !== undefined) return response
  const kept = { ...headers, "cache-control": "no-cache, private" }
  if (status !== 200 || !(typeof body === "string" || body instanceof Uint8Array))
    return { status, headers: kept, body }
  const tag = tagOf(body)
  const tagged = { status, headers: { ...kept, etag: tag }, body }
  return isKnown(known(), tag) ? notModified(tagged) : tagged
}
