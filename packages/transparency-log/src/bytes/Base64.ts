/**
 * Base64 and hexadecimal with exactly one spelling for each value (RFC 4648).
 *
 * Other spellings, such as white space or bits after the last byte, are refused.
 */

import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Digests from "#digests"

const exactly =
  (
    decode: (text: string) => Either.Either<Uint8Array, unknown>,
    encode: (bytes: Uint8Array) => string
  ) =>
  (text: string): Option.Option<Uint8Array> =>
    Option.filter(Either.getRight(decode(text)), (bytes) => encode(bytes) === text)

/** The padded form of RFC 4648 section 4. */
export const encode = (bytes: Uint8Array): string => Digests.base64(bytes)

/** Reads exactly the output of `encode`. */
export const decode = exactly(Encoding.decodeBase64, encode)

/** The form of RFC 4648 section 5, without padding. */
export const encodeUrl = (bytes: Uint8Array): string => Digests.base64Url(bytes)

/** The same form, of the UTF-8 of a text. */
export const encodeTextUrl = (text: string): string => Digests.base64Url(text)

/** Reads exactly the output of `encodeUrl`. */
export const decodeUrl = (text: string): Option.Option<Uint8Array> =>
  Option.fromNullable(Digests.fromBase64Url(text))

/** Lower-case hexadecimal. */
export const encodeHex = (bytes: Uint8Array): string => Digests.hex(bytes)

/** Reads exactly the output of `encodeHex`. */
export const decodeHex = exactly(Encoding.decodeHex, encodeHex)

const MARK = [0xef, 0xbb, 0xbf]

/** Decodes UTF-8; returns none for invalid bytes, and for a byte order mark, which other readers leave out. */
export const textOf = (bytes: Uint8Array): Option.Option<string> =>
  MARK.every((byte, at) => bytes[at] === byte)
    ? Option.none()
    : Option.fromNullable(Digests.textOf(bytes))
