/** Canonical JSON text by RFC 8785: members sorted, no whitespace. Digests of the journal are computed over it. */

const print = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0
  )
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${print(each)}`).join(",")}}`
}

/** The canonical text of a JSON value. */
export const canonicalText = print

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
