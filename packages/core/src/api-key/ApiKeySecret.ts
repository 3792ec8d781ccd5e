/**
 * The text of an API key: `attestry_user_<id>_<secret><checksum>`, `attestry_service_…`, or `attestry_oidc_…` for a key
 * that an id token was exchanged for.
 *
 * The second word names the kind of owner, for people and for scanners of leaked secrets. The id finds the key.
 * The secret has 30 base-62 characters (178 bits). The checksum refuses a mistyped or truncated key before any
 * query (P-KEY). Parsing is total.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ApiKeyId } from "../shared/Identifier.js"
import type { ApiKeyOwner } from "./ApiKey.js"

const WORDS: { readonly [Kind in ApiKeyOwner["kind"]]: string } = {
  user: "user",
  "service-account": "service"
}
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
const SHAPE = /^attestry_(?:user|service|oidc)_([0-9a-f]{28})_([0-9A-Za-z]{36})$/

/** The number of random bytes for one key: one for each character, with a reserve for rejected bytes. */
export const RANDOM_BYTES = 64

const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const base62 = (value: number, length: number): string => {
  let rest = value
  let text = ""
  for (let place = 0; place < length; place++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

const checksum = (body: string): string => base62(crc32(body), CHECKSUM_LENGTH)

/** Hyphens after 8, 12, 16 and 20 characters, as ids have them. */
const withHyphens = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")

/** What the text of a key says about it. */
export interface KeyName {
  readonly id: ApiKeyId
  readonly kind: ApiKeyOwner["kind"]
  /** Whether an id token was exchanged for it. */
  readonly isExchanged?: boolean
}

/**
 * The text of a key. None when too few random bytes are usable: bytes that would favour the first letters of
 * the alphabet are rejected, which exhausts the reserve about once in 10^9 calls.
 */
export const make = (
  { id, kind, isExchanged = false }: KeyName,
  random: Uint8Array
): Option.Option<Redacted.Redacted<string>> => {
  const fair = Array.from(random).filter((byte) => byte < ALPHABET.length * 4)
  if (fair.length < SECRET_LENGTH) return Option.none()
  const secret = fair
    .slice(0, SECRET_LENGTH)
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
  const word = isExchanged ? "oidc" : WORDS[kind]
  const body = `attestry_${word}_${id.replaceAll("-", "")}_${secret}`
  return Option.some(Redacted.make(body + checksum(body)))
}

/** The id in the text of a key; none when the text is no key or its checksum is wrong. */
export const parse = (text: string): Option.Option<ApiKeyId> => {
  const match = SHAPE.exec(text)
  const id = match?.[1]
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return id !== undefined && checksum(body) === text.slice(-CHECKSUM_LENGTH)
    ? Option.some(ApiKeyId.make(withHyphens(id)))
    : Option.none()
}

/** What the journal has about the digest of a key: verification compares it, and no caller can use it. */
export const checkOf = (digest: string): string =>
  Base64.encodeHex(Sha256.digestText(`attestry-key${digest}`))
