/**
 * Bytes, lines, columns and unprintable characters of a text.
 *
 * Independent of YAML. Columns count UTF-16 code units, as editors do.
 */

import * as Sorted from "./Sorted.js"

/** A position in a text; both numbers start at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The number of bytes in UTF-8; a lone surrogate counts as its replacement, three. */
export const byteLength = (text: string): number => {
  let bytes = 0
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(offset + 1))) {
      bytes += 4
      offset++
    } else bytes += 3
  }
  return bytes
}

/** Finds the position of an offset by bisection; lines end with a line feed. */
export const positions = (text: string): ((offset: number) => Position) => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = Math.max(1, Sorted.placeAfter(starts, offset, Sorted.byValue))
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

/** Characters that the YAML specification does not count as printable, with lone surrogates. */
const UNPRINTABLE =
  /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu

/** The offsets of the first unprintable characters, at most `countMax` of them. */
export const unprintables = (text: string, countMax: number): ReadonlyArray<number> => {
  const offsets: Array<number> = []
  for (const match of text.matchAll(UNPRINTABLE)) {
    if (offsets.length === countMax) break
    offsets.push(match.index ?? 0)
  }
  return offsets
}

/** The name of the character at an offset: `U+0000`. */
export const characterName = (text: string, offset: number): string =>
  `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0")}`
