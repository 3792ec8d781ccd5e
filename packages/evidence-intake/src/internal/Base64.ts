/**
 * Base64 as DSSE has it: the standard or the URL alphabet, padded, and nothing else. Line breaks, white space, mixed
 * alphabets and unused bits that are set are refused, so that one text stands for one value.
 */

/** The bytes of a text; null if it is not base64. */
export const decode = (text: string): Uint8Array | null => {
  const isUrl = text.includes("-") || text.includes("_")
  const bytes = Buffer.from(text, "base64")
  const standard = bytes.toString("base64")
  const again = isUrl ? standard.replaceAll("+", "-").replaceAll("/", "_") : standard
  return again === text ? new Uint8Array(bytes) : null
}
