/** A small reader of XML for tests of formats: elements, attributes and text, no limits. */
import { SaxesParser } from "saxes"
import type { XmlElement } from "../../src/internal/Format.js"

interface Open {
  readonly element: XmlElement & { text: string }
  readonly children: Array<XmlElement>
}

/** The root element of a text. */
export const xml = (source: string): XmlElement => {
  const open: Array<Open> = []
  const roots: Array<XmlElement> = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on("opentag", ({ local, uri, attributes }) => {
    const children: Array<XmlElement> = []
    const pairs = Object.values(attributes).map(({ name, value }) => [name, value] as const)
    const element = {
      name: local,
      namespace: uri,
      attributes: new Map(pairs),
      children,
      text: ""
    }
    ;(open.at(-1)?.children ?? roots).push(element)
    open.push({ element, children })
  })
  parser.on("text", (text) => {
    const current = open.at(-1)
    if (current !== undefined) current.element.text += text
  })
  parser.on("closetag", () => {
    open.pop()
  })
  parser.write(source).close()
  return roots[0]!
}
