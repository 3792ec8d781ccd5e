/** The one text of a JSON value by RFC 8785: members in order, no spaces. Digests of the journal are of this text. */

const print = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0
  )
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${print(each)}`).join(",")}}`
}

/** The text of a value that JSON can express. */
export const canonicalText = print

/** Bytes in hexadecimal. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
