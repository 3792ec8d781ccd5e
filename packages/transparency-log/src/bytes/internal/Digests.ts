/** `#digests` everywhere but on Node: SHA-256 and Base64 without a platform. */
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Encoding from "effect/Encoding"

/** The SHA-256 of bytes, or of the UTF-8 of a text. */
export const sha256 = (content: Uint8Array | string): Uint8Array =>
  portableSha256(typeof content === "string" ? utf8ToBytes(content) : content)

/** The SHA-256 of the UTF-8 of a text, in Base64 for URLs. */
export const sha256Url = (text: string): string => Encoding.encodeBase64Url(sha256(text))

/** The first bytes of the SHA-256 of bytes followed by the UTF-8 of a text, in Base64 for URLs. */
export const sha256UrlStart = (before: Uint8Array, text: string, length: number): string =>
  Encoding.encodeBase64Url(
    portableSha256.create().update(before).update(utf8ToBytes(text)).digest().slice(0, length)
  )

/** The UTF-8 of a text. */
export const utf8 = (text: string): Uint8Array => utf8ToBytes(text)

/** Base64 with padding (RFC 4648 section 4). */
export const base64 = (bytes: Uint8Array): string => Encoding.encodeBase64(bytes)

/** Base64 for URLs, without padding (RFC 4648 section 5), of bytes or of the UTF-8 of a text. */
export const base64Url = (content: Uint8Array | string): string => Encoding.encodeBase64Url(content)

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => Encoding.encodeHex(bytes)
