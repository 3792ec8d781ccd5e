/**
 * Tags of answers: a client that has an answer already gets 304 instead of its bytes.
 *
 * Only whole JSON answers to GET are tagged, because a stream would have to be held to be hashed. The tag is weak: the
 * bytes on the wire depend on the encoding.
 */
import * as Crypto from "node:crypto"
import type { BodyPieces, OutgoingResponse } from "../../shared/HttpMessage.js"

/** The fields of a request that the decision reads. */
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

const printed = (hash: Crypto.Hash): string => `W/"${hash.digest("base64url").slice(0, 22)}"`

/** The tag of a body. */
export const tagOf = (body: string | Uint8Array): string =>
  printed(Crypto.createHash("sha256").update(body))

/** The same tag of a body in pieces; pauses after each. */
export function* tagging(pieces: BodyPieces): Generator<void, string> {
  const hash = Crypto.createHash("sha256")
  for (const piece of pieces) {
    hash.update(piece)
    yield
  }
  return printed(hash)
}

const isJson = ({ headers }: OutgoingResponse): boolean =>
  headers["content-type"]?.startsWith("application/json") === true

/** The headers of a 304: those that a cache updates, and those of every answer. */
const notModified = ({ headers }: OutgoingResponse): OutgoingResponse => {
  const { "content-type": _type, "content-length": _length, ...kept } = headers
  return { status: 304, headers: kept, body: "" }
}

/**
 * The answer with its tag and how it may be kept, or 304 where the client has it. Other answers are unchanged.
 *
 * A body in pieces has the tag that is given (`tagging`).
 */
export const apply = (
  response: OutgoingResponse,
  { method, known }: TaggedRequest,
  given?: string
): OutgoingResponse => {
  const { status, headers, body } = response
  const isRead = method === "GET" || method === "HEAD"
  // WHY: an answer that says itself how it may be kept is confidential, or of the site.
  if (!isRead || !isJson(response) || headers["cache-control"] !== undefined) return response
  const kept = { ...headers, "cache-control": "no-cache, private" }
  const isWhole = typeof body === "string" || body instanceof Uint8Array
  const tag = status === 200 && isWhole ? tagOf(body) : given
  if (status !== 200 || tag === undefined) return { status, headers: kept, body }
  const tagged = { status, headers: { ...kept, etag: tag }, body }
  return isKnown(known(), tag) ? notModified(tagged) : tagged
}
