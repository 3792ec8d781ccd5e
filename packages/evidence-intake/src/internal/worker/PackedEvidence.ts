/**
 * Carries what was read from a thread to the event loop: as bytes, which a message moves, and which turns of the loop
 * decode piece by piece.
 *
 * WHY: a message with 200,000 components as objects holds the event loop until all of them are copied.
 */
import { setImmediate as nextTurn } from "node:timers/promises"
import type { IgnoredLine, ReadDocument, ReadEvidence } from "@attestry/core/EvidenceReader"

/** After how many characters of JSON a part takes no more items of a list. */
export const PART_LENGTH = 65_536
/** After how many decoded bytes other work has its turn. */
export const TURN_BYTES = 262_144

/** The lists of a document that can be long. */
interface Lists {
  readonly components: ReadDocument["components"]
  readonly findings: ReadDocument["findings"]
  readonly statements: ReadDocument["statements"]
}

const NO_LISTS: Lists = { components: [], findings: [], statements: [] }

/** A piece of what was read, in order: a document without its lists, items of its lists, ignored lines. */
type Part =
  | { readonly _tag: "Document"; readonly document: Omit<ReadDocument, keyof Lists> }
  | { readonly _tag: "Items"; readonly items: Lists }
  | { readonly _tag: "Ignored"; readonly ignored: ReadonlyArray<IgnoredLine> }

const slicesOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const slices: Array<ReadonlyArray<A>> = []
  let begin = 0
  let length = 0
  for (const [index, item] of items.entries()) {
    length += JSON.stringify(item).length
    if (length < PART_LENGTH && index < items.length - 1) continue
    slices.push(items.slice(begin, index + 1))
    begin = index + 1
    length = 0
  }
  return slices
}

const partsOf = ({
  components,
  findings,
  statements,
  ...document
}: ReadDocument): ReadonlyArray<Part> => [
  { _tag: "Document", document },
  ...[
    ...slicesOf(components).map((slice): Lists => ({ ...NO_LISTS, components: slice })),
    ...slicesOf(findings).map((slice): Lists => ({ ...NO_LISTS, findings: slice })),
    ...slicesOf(statements).map((slice): Lists => ({ ...NO_LISTS, statements: slice }))
  ].map((items): Part => ({ _tag: "Items", items }))
]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What was read as parts, each with memory of its own, which a message can move. */
export const pack = ({
  documents,
  ignored
}: ReadEvidence): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const parts: ReadonlyArray<Part> = [...documents.flatMap(partsOf), { _tag: "Ignored", ignored }]
  return parts.map((part) => encoder.encode(JSON.stringify(part)))
}

/** A document whose lists still grow. */
interface Growing {
  readonly document: Omit<ReadDocument, keyof Lists>
  readonly components: Array<ReadDocument["components"][number]>
  readonly findings: Array<ReadDocument["findings"][number]>
  readonly statements: Array<ReadDocument["statements"][number]>
}

const grow = (last: Growing | undefined, { components, findings, statements }: Lists): void => {
  last?.components.push(...components)
  last?.findings.push(...findings)
  last?.statements.push(...statements)
}

/** What was read, decoded in turns of the event loop. */
export const unpack = async (parts: ReadonlyArray<Uint8Array>): Promise<ReadEvidence> => {
  const growing: Array<Growing> = []
  let ignored: ReadonlyArray<IgnoredLine> = []
  let decoded = 0
  for (const bytes of parts) {
    decoded += bytes.byteLength
    if (decoded > TURN_BYTES) {
      await nextTurn()
      decoded = bytes.byteLength
    }
    // WHY: only `pack` of this module makes the bytes.
    const part = JSON.parse(decoder.decode(bytes)) as Part
    if (part._tag === "Document")
      growing.push({ document: part.document, components: [], findings: [], statements: [] })
    else if (part._tag === "Items") grow(growing.at(-1), part.items)
    else ignored = part.ignored
  }
  const documents = growing.map(
    ({ document, ...lists }): ReadDocument => ({ ...document, ...lists })
  )
  return { documents, ignored }
}
