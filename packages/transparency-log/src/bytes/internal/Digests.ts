/** `#digests` everywhere but on Node: SHA-256 and Base64 without a platform. */
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Encoding from "effect/Encoding"

/** WHY declared: every platform has it, and the library of the language does not name it. */
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { readonly decode: (bytes: Uint8Array) => string }

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The six bits of each character of the alphabet, by its code; -1 for other codes. */
const SIX_BITS = Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code))
)

/** The SHA-256 of bytes, or of the UTF-8 of a text. */
export const sha256 = (content: Uint8Array | string): Uint8Array =>
  portableSha256(typeof content === "string" ? utf8ToBytes(content) : content)

/** WHY not by `Encoding`: it replaces characters afterwards, which takes longer than the digest of a short text. */
const toBase64Url = (bytes: Uint8Array): string => {
  let [text, bits, held] = ["", 0, 0]
  for (const byte of bytes) {
    bits = ((bits & 0x3f) << 8) | byte
    for (held += 8; held >= 6; held -= 6) text += ALPHABET[(bits >> (held - 6)) & 0x3f]
  }
  return held === 0 ? text : text + ALPHABET[(bits << (6 - held)) & 0x3f]
}

/** The SHA-256 of the UTF-8 of a text, in Base64 for URLs. */
export const sha256Url = (text: string): string => toBase64Url(sha256(text))

/** The first bytes of the SHA-256 of bytes followed by the UTF-8 of a text, in Base64 for URLs. */
export const sha256UrlStart = (before: Uint8Array, text: string, length: number): string =>
  toBase64Url(
    portableSha256.create().update(before).update(utf8ToBytes(text)).digest().slice(0, length)
  )

/** The UTF-8 of a text. */
export const utf8 = (text: string): Uint8Array => utf8ToBytes(text)

/** Base64 with padding (RFC 4648 section 4). */
export const base64 = (bytes: Uint8Array): string => Encoding.encodeBase64(bytes)

/** Base64 for URLs, without padding (RFC 4648 section 5), of bytes or of the UTF-8 of a text. */
export const base64Url = (content: Uint8Array | string): string =>
  toBase64Url(typeof content === "string" ? utf8ToBytes(content) : content)

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => Encoding.encodeHex(bytes)

/** The bytes of Base64 for URLs, without padding; undefined for any other spelling. */
export const fromBase64Url = (text: string): Uint8Array | undefined => {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array((text.length * 3) >> 2)
  let [bits, held, length] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const six = SIX_BITS[text.charCodeAt(at)] ?? -1
    if (six < 0) return undefined
    bits = ((bits & 0xff) << 6) | six
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[length++] = bits >> held
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined
}

/** WHY once: making one takes longer than reading a short text. It keeps nothing between texts. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of UTF-8; undefined for other bytes. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
