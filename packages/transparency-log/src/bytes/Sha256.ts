/** SHA-256 as a plain function: Node's own on Node, portable code elsewhere. */

import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Digests from "#digests"

/** The number of bytes of a digest. */
export const BYTES = 32

/** The digest of bytes. */
export const digest = (bytes: Uint8Array): Uint8Array => Digests.sha256(bytes)

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => Digests.utf8(text)

/** The digest of the UTF-8 of a text. */
export const digestText = (text: string): Uint8Array => Digests.sha256(text)

/** The digest of the UTF-8 of a text, in Base64 for URLs without padding. */
export const digestUrl = (text: string): string => Digests.sha256Url(text)

/** The first bytes of the digest of bytes followed by the UTF-8 of a text, in Base64 for URLs without padding. */
export const digestUrlStart = (before: Uint8Array, text: string, length: number): string =>
  Digests.sha256UrlStart(before, text, length)

/** A digest of bytes that come in pieces. */
export interface Running {
  readonly update: (piece: Uint8Array) => Running
  /** The digest of all pieces; the value is not used afterwards. */
  readonly digest: () => Uint8Array
}

/** Begins a digest. */
export const begin = (): Running => {
  const hash = sha256.create()
  const running: Running = {
    update: (piece) => {
      hash.update(piece)
      return running
    },
    digest: () => hash.digest()
  }
  return running
}

/** A key of 32 bytes that is derived from another by HKDF (RFC 5869), for one salt and one purpose. */
export const derive = (
  key: Uint8Array,
  { salt, info }: { readonly salt: string; readonly info: string }
): Uint8Array => hkdf(sha256, key, utf8ToBytes(salt), utf8ToBytes(info), BYTES)
