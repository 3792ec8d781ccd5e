/**
 * Envelopes of DSSE 1.0 around in-toto statements: what is signed, and the JSON that carries it. Pure.
 *
 * The payload is UTF-8, so what is signed is a text. It begins with `DSSEv1` and a space, and no checkpoint does: a
 * signature of one is never a signature of the other.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as CanonicalJson from "../shared/CanonicalJson.js"

/** The type of a payload that is an in-toto statement. */
export const IN_TOTO = "application/vnd.in-toto+json"

/** The most signatures of an envelope that is read. */
export const SIGNATURES_MAX = 16

/** A signature, and the thumbprint of its key (RFC 7638). */
export interface Signature {
  readonly keyid: string
  readonly sig: Uint8Array
}

/** An envelope. */
export interface Envelope {
  readonly payloadType: string
  /** The payload as text. */
  readonly payload: string
  readonly signatures: ReadonlyArray<Signature>
}

const sized = (text: string): string => `${Sha256.utf8(text).byteLength} ${text}`

/** The text that a signature covers: the pre-authentication encoding of a type and a payload. */
export const signedText = ({
  payloadType,
  payload
}: Pick<Envelope, "payloadType" | "payload">): string =>
  `DSSEv1 ${sized(payloadType)} ${sized(payload)}`

/** The JSON of an envelope, the same text for the same envelope. */
export const print = ({ payloadType, payload, signatures }: Envelope): string =>
  CanonicalJson.print({
    payloadType,
    payload: Base64.encode(Sha256.utf8(payload)),
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: Base64.encode(sig) }))
  })

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const bytesOf = (value: unknown): Option.Option<Uint8Array> =>
  typeof value === "string" ? Base64.decode(value) : Option.none()

const signatureOf = (value: unknown): Option.Option<Signature> => {
  if (!isFields(value) || typeof value.keyid !== "string") return Option.none()
  const { keyid } = value
  return Option.map(bytesOf(value.sig), (sig) => ({ keyid, sig }))
}

const signaturesOf = (value: unknown): Option.Option<ReadonlyArray<Signature>> =>
  Array.isArray(value) && value.length > 0 && value.length <= SIGNATURES_MAX
    ? Option.all(value.map(signatureOf))
    : Option.none()

/** Reads an envelope. None for another form, a payload that is not UTF-8, and Base64 with another spelling. */
export const parse = (text: string): Option.Option<Envelope> => {
  const value = Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  if (!isFields(value) || typeof value.payloadType !== "string") return Option.none()
  const { payloadType } = value
  return Option.zipWith(
    Option.flatMap(bytesOf(value.payload), Base64.textOf),
    signaturesOf(value.signatures),
    (payload, signatures) => ({ payloadType, payload, signatures })
  )
}
