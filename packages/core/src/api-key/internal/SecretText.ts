/**
 * The text of a secret with an id: `attestry_<word>_<id>_<secret><checksum>`. Total.
 *
 * The word names the purpose, for people and for scanners of leaked secrets. The id finds the record. The secret has 30
 * base-62 characters (178 bits). The checksum refuses a mistyped or truncated text before any query (P-KEY).
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
const SHAPE = /^attestry_([a-z]+)_([0-9a-f]{28})_([0-9A-Za-z]{36})$/

/** The number of random bytes for one secret: one for each character, with a reserve for rejected bytes. */
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

/** What a text says in the clear. */
export interface SecretName {
  readonly word: string
  readonly id: string
}

/**
 * The text of a secret. None when too few random bytes are usable: bytes that would favour the first letters of
 * the alphabet are rejected, which exhausts the reserve about once in 10^9 calls.
 */
export const make = (
  { word, id }: SecretName,
  random: Uint8Array
): Option.Option<Redacted.Redacted<string>> => {
  const fair = Array.from(random).filter((byte) => byte < ALPHABET.length * 4)
  if (fair.length < SECRET_LENGTH) return Option.none()
  const secret = fair
    .slice(0, SECRET_LENGTH)
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
  const body = `attestry_${word}_${id.replaceAll("-", "")}_${secret}`
  return Option.some(Redacted.make(body + checksum(body)))
}

/** The word and the id in a text; none when it has another shape or its checksum is wrong. */
export const parse = (text: string): Option.Option<SecretName> => {
  const match = SHAPE.exec(text)
  const [, word, id] = match ?? []
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return word !== undefined && id !== undefined && checksum(body) === text.slice(-CHECKSUM_LENGTH)
    ? Option.some({ word, id: withHyphens(id) })
    : Option.none()
}
