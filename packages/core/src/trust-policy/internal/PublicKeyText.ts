/**
 * The text of a public key in PEM: its frame, its alphabet and its size.
 *
 * Whether the bytes are a key of a supported kind is known where cryptography is, not in core. No message contains the
 * text, which may be a private key by mistake.
 */
import { PEM_BEGIN, PEM_END, PUBLIC_KEY_LENGTH_MAX } from "./TrustPolicySyntax.js"

/** A key in the form of PEM, or the reason why a value has not this form. */
export type PublicKeyText =
  | {
      /** The key with a line break after each line and without other space. */
      readonly text: string
      /** The base64 between the first and the last line. */
      readonly body: string
    }
  | { readonly problem: string }

const EXPECTED = `expected a public key in PEM, from \`${PEM_BEGIN}\` to \`${PEM_END}\``

const BASE64 = /^[a-zA-Z0-9+/]+={0,2}$/

/** Reads the value of `public_key`. */
export const read = (value: unknown): PublicKeyText => {
  if (typeof value !== "string") return { problem: `${EXPECTED}, as a text after \`|\`` }
  if (value.length > PUBLIC_KEY_LENGTH_MAX)
    return { problem: `longer than ${PUBLIC_KEY_LENGTH_MAX} characters: no key is as long` }
  if (value.includes("PRIVATE KEY"))
    return { problem: "this is a private key: replace the key pair, and write the public key" }
  const lines = value.split("\n").flatMap((line) => line.trim() || [])
  if (lines[0] !== PEM_BEGIN || lines.at(-1) !== PEM_END)
    return { problem: `${EXPECTED}, each on a line of its own` }
  const body = lines.slice(1, -1).join("")
  return BASE64.test(body) && body.length % 4 === 0
    ? { text: `${lines.join("\n")}\n`, body }
    : { problem: "the text between the first and the last line is not base64: copy the key again" }
}
