/**
 * The format of Standard Webhooks signatures: headers, signed text, and secrets. Receivers have libraries for it.
 *
 * It computes no HMAC: senders use `Hmac`, receivers use WebCrypto.
 */
import { SECRET_PREFIX } from "@attestry/core/SigningSecret"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"

/** The three headers of a signed webhook. */
export const HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature"
} as const

/** Seconds by which the clocks of sender and receiver may differ. */
export const TOLERANCE_SECONDS = 300

/** The signed part beside the body; attempts at one delivery differ in the timestamp alone. */
export interface SignedHead {
  readonly id: string
  /** Whole epoch seconds at which the attempt was made. */
  readonly timestamp: number
}

/** The text that an HMAC with SHA-256 is computed over. */
export const content = ({ id, timestamp }: SignedHead, body: string): string =>
  `${id}.${timestamp}.${body}`

/** The headers of a request, with one signature per secret, so that receivers can rotate secrets. */
export const headers = (
  { id, timestamp }: SignedHead,
  macs: ReadonlyArray<string>
): Record<(typeof HEADERS)[keyof typeof HEADERS], string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": macs.map((mac) => `v1,${mac}`).join(" ")
})

/** The MACs, in Base64, of a signature header; versions other than `v1` are ignored. */
export const macsIn = (signature: string): ReadonlyArray<string> =>
  signature
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .map((each) => each.slice(3))

/** The secret is not `whsec_` and Base64; the error does not contain it. */
export class InvalidSecret extends Schema.TaggedError<InvalidSecret>()("InvalidSecret", {}) {
  override get message() {
    return "the signing secret is not Base64, with or without `whsec_` before it"
  }
}

/** Decodes the key from a secret's text; the prefix is optional. */
export const keyOf = (secret: string): Either.Either<Uint8Array, InvalidSecret> => {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret
  const bytes = Encoding.decodeBase64(encoded)
  return Either.isRight(bytes) && bytes.right.length > 0
    ? Either.right(bytes.right)
    : Either.left(new InvalidSecret())
}
