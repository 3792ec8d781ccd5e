/** What a reader of one format returns: the part of a document that the format decides. */
import type { EvidenceFacts, Subject } from "@attestry/core/EvidenceFacts"
import type { EvidenceDocument } from "../EvidenceDocument.js"

/** The members of facts that the caller of a reader fills in. */
type Filled = "digest" | "size" | "subjects" | "subject_count"

/** Facts without the members that every file has; distributes over kinds. */
export type KindFacts = EvidenceFacts extends infer Facts
  ? Facts extends EvidenceFacts
    ? Omit<Facts, Filled>
    : never
  : never

/** The content of a document, as a reader of one format returns it. */
export interface ReadContent
  extends Partial<Pick<EvidenceDocument, "components" | "findings" | "statements" | "parameters">> {
  readonly facts: KindFacts
  /** The subjects that the content names itself, such as the root of a bill of materials. */
  readonly subjects: ReadonlyArray<Subject>
}
