/** Where the findings of a scan count, and which of them are known. Pure. */
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import type { FlowName } from "../../shared/Identifier.js"
import type { ScanFinding } from "../EvidenceFacts.js"
import type { EvidenceRecord } from "../EvidenceRecord.js"
import type { KeptStatement } from "../KeptStatement.js"
import * as SubjectLinks from "../SubjectLinks.js"
import type { ReadDraft } from "./EvidenceReading.js"
import * as VexRecords from "./VexRecords.js"

type Listing = Pick<EvidenceRecord, "facts">

/** Whether facts list fewer findings than a scan has. */
export const isCut = ({ facts }: Listing): boolean =>
  (facts.kind === "scan" || facts.kind === "snyk") && facts.truncated.includes("findings")

const listed = ({ facts }: Listing): ReadonlyArray<ScanFinding> =>
  facts.kind === "scan" || facts.kind === "snyk" ? facts.findings : []

/**
 * A document that the org has. `read` are the documents of its file as they are read today; their findings count where
 * facts list fewer, unless another version of the reader made the facts.
 */
export const ofRecord = (record: EvidenceRecord, read: ReadonlyArray<ReadDraft>): ReadDraft => {
  const found = read.find(({ draft }) => draft.position === record.position)
  const isSame = found?.draft.reader === record.reader && isCut(record)
  return {
    draft: record,
    components: [],
    findings: isSame ? found.findings : listed(record),
    statements: []
  }
}

/** The statements of documents that are not kept yet; those of a later document count as newer. */
export const besideOf = (documents: ReadonlyArray<ReadDraft>): ReadonlyArray<KeptStatement> =>
  documents
    .filter(({ draft }) => draft.state === "verified")
    .flatMap(({ draft, statements }) => {
      const sequence = Number.MAX_SAFE_INTEGER - documents.length + draft.position
      return VexRecords.keptOf({ ...draft, sequence }, statements)
    })

/** The named target of a scan, and the statements beside it. */
interface ScanTarget {
  readonly fingerprint: Fingerprint | null
  readonly flow: FlowName | null
  readonly beside: ReadonlyArray<KeptStatement>
}

/** A scan with the images that it counts for: the named one, or those that it names itself. */
export const of = (
  { draft, findings }: ReadDraft,
  { beside, fingerprint, flow }: ScanTarget
): VexRecords.Scanned => ({
  findings,
  images: fingerprint === null ? SubjectLinks.fingerprintsOf(draft.subjects) : [fingerprint],
  flow,
  beside
})
