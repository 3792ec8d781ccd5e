/** Patterns for one path segment: `*`, `?`, `[…]` with ranges and `^`, and `\` to escape any of them. Pure. */

/** Whether a text has a character with a special meaning in patterns. */
export const hasMeta = (text: string): boolean => /[*?[\\]/.test(text)

/** One element of a pattern: a star, or a test of one character. */
type Element = "star" | ((character: string) => boolean)

/** Parses a class `[…]`: its test, and the position after it; undefined if it is not closed. */
const classAt = (
  characters: ReadonlyArray<string>,
  start: number
): { readonly test: (character: string) => boolean; readonly end: number } | undefined => {
  const isNegated = characters[start + 1] === "^"
  const ranges: Array<readonly [number, number]> = []
  let at = start + (isNegated ? 2 : 1)
  const next = (): number | undefined => {
    if (characters[at] === "\\") at++
    const character = characters[at++]
    return character?.codePointAt(0)
  }
  for (;;) {
    if (characters[at] === "]" && ranges.length > 0) break
    const low = next()
    if (low === undefined) return undefined
    if (characters[at] !== "-") ranges.push([low, low])
    else {
      at++
      const high = next()
      if (high === undefined) return undefined
      ranges.push([low, high])
    }
  }
  const test = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0
    return ranges.some(([low, high]) => low <= code && code <= high) !== isNegated
  }
  return { test, end: at }
}

/** The elements of a pattern; undefined if it is malformed. */
export const compile = (pattern: string): ReadonlyArray<Element> | undefined => {
  const characters = [...pattern]
  const elements: Array<Element> = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ""
    if (character === "*") elements.push("star")
    else if (character === "?") elements.push(() => true)
    else if (character === "[") {
      const found = classAt(characters, at)
      if (found === undefined) return undefined
      elements.push(found.test)
      at = found.end
    } else {
      const literal = character === "\\" ? characters[++at] : character
      if (literal === undefined) return undefined
      elements.push((each) => each === literal)
    }
  }
  return elements
}

/** Whether a whole name matches, in time proportional at most to the product of both lengths. */
export const matches = (elements: ReadonlyArray<Element>, name: string): boolean => {
  const characters = [...name]
  let element = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < characters.length) {
    const current = elements[element]
    if (current === "star") {
      star = element++
      resume = at
    } else if (current?.(characters[at] ?? "") === true) {
      element++
      at++
    } else if (star >= 0) {
      element = star + 1
      at = ++resume
    } else return false
  }
  while (elements[element] === "star") element++
  return element === elements.length
}
