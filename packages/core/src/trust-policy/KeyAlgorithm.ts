/**
 * The algorithm that a public key names, for display. It reads the identifier at the beginning of the key; whether the
 * rest is a key is known where cryptography is, not in core.
 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PublicKeyText from "./internal/PublicKeyText.js"

const ALL = ["ed25519", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", "rsa"] as const

/** The algorithm of a public key. */
export const KeyAlgorithm = Schema.Literal(...ALL).annotations({ identifier: "KeyAlgorithm" })
/** The algorithm of a public key. */
export type KeyAlgorithm = typeof KeyAlgorithm.Type

const EC = "2a8648ce3d0201"

/** Identifiers in hexadecimal, as DER has them; those of elliptic curves are followed by that of the curve. */
const IDENTIFIERS: { readonly [algorithm in KeyAlgorithm]: ReadonlyArray<string> } = {
  ed25519: ["2b6570"],
  "ecdsa-p256": [EC, "2a8648ce3d030107"],
  "ecdsa-p384": [EC, "2b81040022"],
  "ecdsa-p521": [EC, "2b81040023"],
  rsa: ["2a864886f70d010101"]
}

const SEQUENCE = 0x30
const IDENTIFIER = 0x06

/** The position of the content of an element of this kind; none if there is another one. */
const contentAt = (bytes: Uint8Array, at: number, kind: number): number | undefined => {
  const length = bytes[at + 1]
  if (bytes[at] !== kind || length === undefined) return undefined
  return at + 2 + (length < 0x80 ? 0 : length - 0x80)
}

/** Whether the identifiers stand one after another from a position. */
const hasAt = (bytes: Uint8Array, at: number, identifiers: ReadonlyArray<string>): boolean => {
  let from = at
  for (const identifier of identifiers) {
    const content = contentAt(bytes, from, IDENTIFIER)
    const end = from + 2 + (bytes[from + 1] ?? 0)
    if (content === undefined) return false
    if (Base64.encodeHex(bytes.slice(content, end)) !== identifier) return false
    from = end
  }
  return true
}

/** The algorithm of a key in PEM; null for one that is not known. */
export const of = (publicKey: string): KeyAlgorithm | null => {
  const read = PublicKeyText.read(publicKey)
  const bytes = "problem" in read ? undefined : Option.getOrUndefined(Base64.decode(read.body))
  if (bytes === undefined) return null
  const outer = contentAt(bytes, 0, SEQUENCE)
  const inner = outer === undefined ? undefined : contentAt(bytes, outer, SEQUENCE)
  return inner === undefined
    ? null
    : (ALL.find((algorithm) => hasAt(bytes, inner, IDENTIFIERS[algorithm])) ?? null)
}
