/** Text of unknown origin on one line: nothing in it can end a line, a header or a direction. */

// Control characters, line and paragraph separators, and marks that turn the direction of reading.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** The text on one line. A lone surrogate becomes U+FFFD, as every encoder would make it. */
export const oneLine = (text: string): string =>
  text
    .replace(INVISIBLE, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .trim()

/** The text cut to a number of characters; an ellipsis stands for the rest. */
export const shorten = (text: string, lengthMax: number): string => {
  const characters = Array.from(text)
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax - 1).join("")}…`
}
