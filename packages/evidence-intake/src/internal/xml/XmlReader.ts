/**
 * Reads XML without anything that reaches outside of it or grows: no entities, no internal subset of a DTD, no external
 * DTD, and limits on depth, names, attributes and their number.
 *
 * The parser works on a stack of its own, so deep documents are refused before anything recurses.
 */
import * as Either from "effect/Either"
import { SaxesParser } from "saxes"
import { EvidenceProblem } from "../../EvidenceProblem.js"
import type { XmlElement } from "../Format.js"

/** The most levels of elements. */
export const DEPTH_MAX = 64
/** The most attributes of an element, with declarations of namespaces. */
export const ATTRIBUTES_MAX = 256
/** The most characters of the name of an element or attribute, with its prefix. */
export const NAME_CHARACTERS_MAX = 1_024
/**
 * The most elements and attributes together. Each takes up to 130 bytes of memory, so 2 million take half of the heap
 * of the thread that reads.
 */
export const NODES_MAX = 2_000_000

/** An element that is being read. */
interface OpenElement {
  readonly name: string
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Array<XmlElement>
  text: string
}

/** Why the parser stopped; never leaves this module. */
class Refusal extends Error {}

/** Whether a document type declaration has an internal subset: an open bracket outside of quotes. */
const hasInternalSubset = (doctype: string): boolean => {
  let quote = ""
  for (const character of doctype) {
    if (quote !== "") quote = character === quote ? "" : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === "[") return true
  }
  return false
}

/** Builds elements from the events of the parser. */
const makeBuilder = (nodesMax: number) => {
  const open: Array<OpenElement> = []
  const names = new Map<string, string>()
  const top: Array<XmlElement> = []
  const noAttributes: ReadonlyMap<string, string> = new Map()
  let nodes = 0
  let attributes = 0

  /** Names repeat in every element; one copy of each is kept. */
  const shared = (name: string): string => {
    const known = names.get(name)
    if (known === undefined) names.set(name, name)
    return known ?? name
  }

  const count = (name: string): void => {
    if (name.length > NAME_CHARACTERS_MAX)
      throw new Refusal(`a name of this XML has more than ${NAME_CHARACTERS_MAX} characters`)
    nodes += 1
    if (nodes > nodesMax)
      throw new Refusal(`this XML has more than ${nodesMax} elements and attributes`)
  }

  const beginElement = (name: string): void => {
    count(name)
    attributes = 0
    if (open.length >= DEPTH_MAX)
      throw new Refusal(`this XML has more than ${DEPTH_MAX} levels of elements`)
  }

  const countAttribute = (name: string): void => {
    count(name)
    attributes += 1
    if (attributes > ATTRIBUTES_MAX)
      throw new Refusal(`an element of this XML has more than ${ATTRIBUTES_MAX} attributes`)
  }

  const pushElement = (element: Omit<OpenElement, "children" | "text">): void => {
    const { name, namespace } = element
    const attributes = element.attributes.size === 0 ? noAttributes : element.attributes
    open.push({
      name: shared(name),
      namespace: shared(namespace),
      attributes,
      children: [],
      text: ""
    })
  }

  const endElement = (): void => {
    const element = open.pop()
    if (element !== undefined) (open.at(-1)?.children ?? top).push(element)
  }

  const addText = (text: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  }

  return { beginElement, countAttribute, pushElement, endElement, addText, shared, top }
}

const parseWith = (text: string, nodesMax: number): XmlElement => {
  const builder = makeBuilder(nodesMax)
  const parser = new SaxesParser({ xmlns: true })
  parser.on("error", () => {
    throw new Refusal(`this is not well-formed XML at line ${parser.line}, column ${parser.column}`)
  })
  parser.on("doctype", (doctype) => {
    if (hasInternalSubset(doctype))
      throw new Refusal("XML with an internal subset in its document type is not read")
  })
  parser.on("opentagstart", ({ name }) => builder.beginElement(name))
  parser.on("attribute", ({ name }) => builder.countAttribute(name))
  parser.on("opentag", (tag) => {
    const attributes = new Map<string, string>()
    for (const { name, prefix, value } of Object.values(tag.attributes)) {
      const isDeclaration = prefix === "xmlns" || name === "xmlns"
      if (!isDeclaration) attributes.set(builder.shared(name), value)
    }
    builder.pushElement({
      name: tag.local,
      namespace: tag.uri,
      attributes
    })
  })
  parser.on("closetag", builder.endElement)
  parser.on("text", builder.addText)
  parser.on("cdata", builder.addText)
  parser.write(text).close()
  const root = builder.top[0]
  if (root === undefined) throw new Refusal("this XML has no element")
  return root
}

/**
 * Reads a document and returns its root element. Attributes have their names as written, with prefix; declarations of
 * namespaces are left out. An external DTD may be named and is never read.
 */
export const parse = (
  text: string,
  nodesMax: number = NODES_MAX
): Either.Either<XmlElement, EvidenceProblem> =>
  Either.try({
    try: () => parseWith(text, nodesMax),
    // WHY: the parser reports by throwing alone, and whatever it throws means that it cannot read the text.
    catch: (cause) =>
      new EvidenceProblem({
        kind: "unreadable",
        message: cause instanceof Refusal ? cause.message : "this is not well-formed XML",
        line: null
      })
  })
