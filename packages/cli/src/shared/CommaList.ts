/**
 * Parses a comma-separated flag value by the rules of CSV: `"a,b"` is one element, and `""` inside quotes is a quote.
 * Pure.
 */

const ELEMENT = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

/** The elements; undefined if one is empty or a quote is not closed. */
export const parse = (text: string): ReadonlyArray<string> | undefined => {
  const elements: Array<string> = []
  ELEMENT.lastIndex = 0
  for (;;) {
    const [, quoted, plain, end] = ELEMENT.exec(text) ?? []
    const element = quoted?.replaceAll('""', '"') ?? plain
    if (element === undefined || element === "") return undefined
    elements.push(element)
    if (end === "") return elements
  }
}
