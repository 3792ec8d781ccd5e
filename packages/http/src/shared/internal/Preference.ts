/** Reads the `Prefer` header as RFC 7240 says: several preferences, in any case, quoted or not. */
import type { IncomingRequest } from "../HttpMessage.js"

/** The header with preferences. */
export const HEADER = "Prefer"

/** The header of a response that says which preference it honours. */
export const APPLIED = "Preference-Applied"

/** The preference for what a write made. */
export const REPRESENTATION = "return=representation"

/** The parts of a text between separators that are not in quotes. */
const split = (text: string, separator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let isQuoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (mark === "\\" && isQuoted) at++
    else if (mark === '"') isQuoted = !isQuoted
    else if (mark === separator && !isQuoted) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text

/** One preference without its parameters, as `name=value` in lower case. */
const printed = (preference: string): string => {
  const [pair = ""] = split(preference, ";")
  const [name = "", value = ""] = split(pair, "=")
  return `${name.trim()}=${unquoted(value.trim()).trim()}`.toLowerCase()
}

/** Whether a request prefers the representation; of several `return` preferences the first counts. */
export const isRepresentation = ({ headers }: Pick<IncomingRequest, "headers">): boolean => {
  const given = headers(HEADER.toLowerCase())
  if (given.length === 0) return false
  const preferences = split(given.join(","), ",").map(printed)
  return preferences.find((each) => each.startsWith("return=")) === REPRESENTATION
}
