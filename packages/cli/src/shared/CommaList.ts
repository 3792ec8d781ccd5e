/**
 * A list in one value of a flag, `a,b`, by the rules of a line of CSV: `"a,b"` is one element, `""` within quotes is a
 * quote. Pure.
 */

const ELEMENT = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

/** The elements of a list; undefined where one is empty or a quote stands alone. */
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
