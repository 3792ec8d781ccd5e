/** Makes characters visible that could hide or reorder text: control, bidirectional and zero-width characters. */

/** A part of a text: shown as it is, or as the name of a hidden character. */
export interface Part {
  readonly text: string
  readonly isRevealed: boolean
}

/** Control and format characters, other separators, private use, lone surrogates and unassigned code points. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\u{115F}\u{1160}\u{3164}\u{FFA0}]/u

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Whether a text has hidden characters. */
export const hasHidden = (text: string): boolean => HIDDEN.test(text)

/** The parts of a text, in order; a single part if it has no hidden characters. */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  if (!HIDDEN.test(text)) return [{ text, isRevealed: false }]
  const parts: Array<{ text: string; isRevealed: boolean }> = []
  for (const character of text) {
    const isRevealed = HIDDEN.test(character)
    const last = parts.at(-1)
    if (isRevealed) parts.push({ text: nameOf(character), isRevealed })
    else if (last === undefined || last.isRevealed) parts.push({ text: character, isRevealed })
    else last.text += character
  }
  return parts
}

/** A text with the names of its hidden characters, for titles and labels. */
export const plain = (text: string): string =>
  partsOf(text)
    .map((part) => part.text)
    .join("")
