/**
 * Patterns that need no engine: plain text with `.*` between its parts, anchored or not.
 *
 * The result equals that of the engine; other patterns are left to the engine.
 */

/** Literal parts in order, with any text between them. */
export interface Parts {
  readonly texts: ReadonlyArray<string>
  readonly atStart: boolean
  readonly atEnd: boolean
}

const META = "\\.+*?()|[]{}^$"

const isPlain = (character: string): boolean =>
  character >= " " && character <= "~" && !META.includes(character)

const isEscapable = (character: string | undefined): character is string =>
  character !== undefined && /^[!-/:-@[-`{-~]$/.test(character)

/** The parts of a body without anchors; undefined when it contains another operator. */
const split = (body: string): ReadonlyArray<string> | undefined => {
  const texts: Array<string> = []
  let text = ""
  for (let at = 0; at < body.length; at++) {
    const character = body.charAt(at)
    const escaped = character === "\\" ? body[at + 1] : undefined
    const next = body[escaped === undefined ? at + 1 : at + 2]
    if (body.startsWith(".*", at) && !"+*?{".includes(body[at + 2] ?? " ")) {
      texts.push(text)
      text = ""
      at++
    } else if (next !== undefined && "+*?{".includes(next)) return undefined
    else if (isPlain(character)) text += character
    else if (isEscapable(escaped)) {
      text += escaped
      at++
    } else return undefined
  }
  return [...texts, text]
}

/** The parts of a pattern of this kind; undefined for any other. */
export const read = (pattern: string): Parts | undefined => {
  const atStart = pattern.startsWith("^")
  const inner = atStart ? pattern.slice(1) : pattern
  const backslashes = /(\\*)\$$/.exec(inner)?.[1]
  const atEnd = backslashes !== undefined && backslashes.length % 2 === 0
  const texts = split(atEnd ? inner.slice(0, -1) : inner)
  if (texts === undefined) return undefined
  // WHY: without an anchor, `.*` at an edge matches everything.
  const from = atStart || texts.length === 1 ? 0 : texts.findIndex((text) => text !== "")
  const kept = from === -1 ? [""] : texts.slice(from)
  while (!atEnd && kept.length > 1 && kept.at(-1) === "") kept.pop()
  return { texts: kept, atStart, atEnd }
}

const one = (text: string, { atStart, atEnd }: Parts): ((input: string) => boolean) => {
  if (atStart && atEnd) return (input) => input === text
  if (atStart) return beginsWith(text)
  return atEnd ? (input) => input.endsWith(text) : (input) => input.includes(text)
}

/** WHY the last character first: names with a common beginning differ mostly at the end of the prefix. */
const beginsWith = (text: string): ((input: string) => boolean) => {
  const last = text.length - 1
  if (last < 0) return () => true
  const unit = text.charCodeAt(last)
  return (input) => input.charCodeAt(last) === unit && input.startsWith(text)
}

const several =
  ({ texts, atStart, atEnd }: Parts) =>
  (input: string): boolean => {
    const last = texts.length - 1
    let at = 0
    for (const [index, text] of texts.entries()) {
      if (index === last && atEnd) return input.length - at >= text.length && input.endsWith(text)
      const found =
        index === 0 && atStart ? (input.startsWith(text) ? 0 : -1) : input.indexOf(text, at)
      if (found === -1) return false
      at = found + text.length
    }
    return true
  }

/** Whether one line of a text contains the parts; anchors match at its first and last line. */
const onSomeLine = (
  lines: ReadonlyArray<string>,
  { atEnd, atStart }: Parts,
  test: (line: string) => boolean
): boolean => {
  if (atStart && atEnd) return false
  if (atStart) return test(lines[0] ?? "")
  return atEnd ? test(lines.at(-1) ?? "") : lines.some(test)
}

/** A test for a pattern of this kind; undefined for any other. */
export const make = (pattern: string): ((input: string) => boolean) | undefined => {
  const parts = read(pattern)
  if (parts === undefined) return undefined
  if (parts.texts.length === 1) return one(parts.texts[0] ?? "", parts)
  const test = several(parts)
  // WHY: `.` does not match a line feed, so a match lies in one line.
  return (input) =>
    input.includes("\n") ? onSomeLine(input.split("\n"), parts, test) : test(input)
}
