/**
 * Parses the header of a part of a form: its name, and the name of its file.
 *
 * An ambiguous header is malformed. File names are UTF-8 (RFC 7578), escaped by backslashes or, as browsers do, by
 * percent signs, or encoded in `filename*` (RFC 5987), which has precedence.
 */

/** The names in the header of a part. */
export interface PartInfo {
  readonly name: string
  readonly filename: string | undefined
}

/** A value and its parameters, names in lower case. */
export interface Parameterized {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

const SPACE = /[ \t]*/y
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
/** A value without quotes, in any script: some clients never quote. */
const BARE = /[^\s";,]+/y
const QUOTED = /"((?:[^"\\\r\n]|\\[^\r\n])*)"/y

const unquoted = (text: string): string =>
  // WHY only these two: some clients send a path with backslashes without escapes.
  text.replaceAll(/\\(["\\])/g, "$1")

/** Parses a header value such as `form-data; name="a"`; undefined when it is malformed or repeats a parameter. */
export const parseParameters = (text: string): Parameterized | undefined => {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found ?? undefined
  }
  const parameters = new Map<string, string>()
  take(SPACE)
  const type = take(/[^\s;,="]+/y)
  if (type === undefined) return undefined
  take(SPACE)
  while (at < text.length) {
    if (text[at] !== ";") return undefined
    at += 1
    take(SPACE)
    if (at === text.length) break
    const name = take(TOKEN)?.[0].toLowerCase()
    if (name === undefined || text[at] !== "=" || parameters.has(name)) return undefined
    at += 1
    const quoted = take(QUOTED)
    const value = quoted === undefined ? take(BARE)?.[0] : unquoted(quoted[1] ?? "")
    if (value === undefined) return undefined
    parameters.set(name, value)
    take(SPACE)
  }
  return { value: type[0].toLowerCase(), parameters }
}

/** The escapes of browsers for characters that would end a quoted name. */
const ESCAPES: { readonly [written: string]: string } = { "%22": '"', "%0D": "\r", "%0A": "\n" }

const withoutEscapes = (text: string): string =>
  text.replaceAll(/%(?:22|0D|0A)/gi, (written) => ESCAPES[written.toUpperCase()] ?? written)

const EXTENDED = /^(utf-8|iso-8859-1)'[^']*'((?:[^%]|%[0-9a-f]{2})*)$/i

/** The text of a value such as `UTF-8''na%C3%AFve.txt`; undefined when it is malformed. */
const parseExtended = (text: string): string | undefined => {
  const [, charset, encoded = ""] = EXTENDED.exec(text) ?? []
  if (charset === undefined) return undefined
  if (charset.toLowerCase() === "iso-8859-1") {
    return encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16))
    )
  }
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const DISPOSITION = "content-disposition"

const dispositionOf = (header: string): Parameterized | undefined => {
  let found: string | undefined
  for (const line of header.split("\r\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!/^[!-9;-~]+$/.test(name)) return undefined
    if (name !== DISPOSITION) continue
    if (found !== undefined) return undefined
    found = line.slice(colon + 1)
  }
  return found === undefined ? undefined : parseParameters(found)
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true })

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Parses the header lines of a part; undefined when they are malformed or ambiguous. */
export const parse = (bytes: Uint8Array): PartInfo | undefined => {
  const header = decoded(bytes)
  const disposition = header === undefined ? undefined : dispositionOf(header)
  const name = disposition?.parameters.get("name")
  if (disposition?.value !== "form-data" || name === undefined) return undefined
  const extended = disposition.parameters.get("filename*")
  const plain = disposition.parameters.get("filename")
  const filename =
    extended === undefined
      ? plain === undefined
        ? undefined
        : withoutEscapes(plain)
      : parseExtended(extended)
  return extended !== undefined && filename === undefined
    ? undefined
    : { name: withoutEscapes(name), filename }
}
