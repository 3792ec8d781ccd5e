/** `#digests` on Node: its own functions take a fraction of the time of portable code. */
import { Buffer, isUtf8 } from "node:buffer"
import { hash } from "node:crypto"

/** WHY not the buffer itself: its `slice` shares memory, which that of `Uint8Array` does not. */
const plain = ({ buffer, byteOffset, length }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length)

const buffered = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** WHY by a text of single bytes: a buffer that comes from outside of V8 costs more than hashing a short text. */
const digestOf = (content: Uint8Array | string, length?: number): Buffer =>
  Buffer.from(hash("sha256", content, "binary").slice(0, length), "binary")

/** The SHA-256 of bytes, or of the UTF-8 of a text. */
export const sha256 = (content: Uint8Array | string): Uint8Array => plain(digestOf(content))

/** The SHA-256 of the UTF-8 of a text, in Base64 for URLs. */
export const sha256Url = (text: string): string => hash("sha256", text, "base64url")

/** The first bytes of the SHA-256 of bytes with the UTF-8 of a text behind them, in Base64 for URLs. */
export const sha256UrlStart = (before: Uint8Array, text: string, length: number): string =>
  digestOf(Buffer.concat([before, Buffer.from(text)]), length).toString("base64url")

/** The UTF-8 of a text. */
export const utf8 = (text: string): Uint8Array => plain(Buffer.from(text))

/** Base64 with padding (RFC 4648 section 4). */
export const base64 = (bytes: Uint8Array): string => buffered(bytes).toString("base64")

/** Base64 for URLs, without padding (RFC 4648 section 5), of bytes or of the UTF-8 of a text. */
export const base64Url = (content: Uint8Array | string): string =>
  (typeof content === "string" ? Buffer.from(content) : buffered(content)).toString("base64url")

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => buffered(bytes).toString("hex")

/** The bytes of Base64 for URLs, without padding; undefined for any other spelling. */
export const fromBase64Url = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? plain(bytes) : undefined
}

/** The text of UTF-8; undefined for other bytes. */
export const textOf = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? buffered(bytes).toString() : undefined
