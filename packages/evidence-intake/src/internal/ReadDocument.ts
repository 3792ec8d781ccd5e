/** A document as it was read, before the members that only the file decides are known. */
import type { EvidenceDocument } from "../EvidenceDocument.js"
import type { ReadContent } from "./ReadContent.js"

/** A document that was read; `content` has all of its subjects. */
export interface ReadDocument extends Pick<EvidenceDocument, "signed" | "predicateType"> {
  readonly content: ReadContent
}

/** A document without a signature around it. */
export const unsigned = (content: ReadContent): ReadDocument => ({
  content,
  signed: { kind: "none" },
  predicateType: null
})

/** The same document as one of an outer format, which facts name. */
export const inFormat = (
  document: ReadDocument,
  format: ReadContent["facts"]["format"]
): ReadDocument => ({
  ...document,
  content: { ...document.content, facts: { ...document.content.facts, format } }
})
