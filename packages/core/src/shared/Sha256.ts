/**
 * SHA-256, without waiting and without a platform.
 *
 * Hashing a node of a tree takes a few microseconds, about what the call of a platform's own function takes. Long
 * contents go through the port `Secrets`.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** The number of bytes of a digest. */
export const BYTES = 32

/** The digest of bytes. */
export const digest = (bytes: Uint8Array): Uint8Array => sha256(bytes)

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => utf8ToBytes(text)

/** The digest of the UTF-8 of a text. */
export const digestText = (text: string): Uint8Array => sha256(utf8ToBytes(text))
