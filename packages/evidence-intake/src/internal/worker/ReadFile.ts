/** Reads a file and verifies its documents: the work of a thread, as a function of its task. */
import type { ReadDocument } from "@attestry/core/EvidenceReader"
import * as Either from "effect/Either"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import * as EvidenceReader from "../../EvidenceReader.js"
import * as EvidenceVerifier from "../../verification/EvidenceVerifier.js"
import * as TrustRoot from "../../verification/TrustRoot.js"
import type { ReaderEquipment, ReaderResult, ReaderTask } from "./ReaderTask.js"

/** Trust roots by their names. A file that is not a trust root throws, so that no thread starts with it. */
export const rootsOf = ({
  roots
}: Pick<ReaderEquipment, "roots">): ReadonlyMap<string, TrustRoot.TrustRoot> =>
  new Map(
    Array.from(roots, ([name, text]) => [name, Either.getOrThrow(TrustRoot.parse(text))] as const)
  )

const verified = (
  document: EvidenceDocument,
  material: EvidenceVerifier.TrustMaterial
): ReadDocument => {
  const { components, facts, findings, line, predicateType, statements, subjects } = document
  const { buildLevel, verification } = EvidenceVerifier.verify(document, material)
  return {
    line,
    facts,
    subjects,
    verification,
    buildLevel,
    predicateType,
    components,
    findings,
    statements
  }
}

/** The documents of a file with the results of their verification, or why the file is not read. */
export const readFile = (
  { bytes, now, trust }: ReaderTask,
  {
    fileBytes,
    roots
  }: Pick<ReaderEquipment, "fileBytes"> & {
    readonly roots: ReadonlyMap<string, TrustRoot.TrustRoot>
  }
): ReaderResult =>
  Either.match(EvidenceReader.read(bytes, { fileBytes }), {
    onLeft: ({ kind, line, message }) => ({ _tag: "Refused", kind, message, line }),
    onRight: ({ documents, ignored }) => ({
      _tag: "Read",
      evidence: {
        documents: documents.map((document) => verified(document, { policy: trust, roots, now })),
        ignored
      }
    })
  })
