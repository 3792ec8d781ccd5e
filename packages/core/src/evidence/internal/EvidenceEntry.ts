/**
 * The contents of the journal entries of evidence, and the records that follow from them. Pure.
 *
 * An entry names the file as attestations do, so that an erasure finds it. The reason of a verification has another
 * name there, since `reason` is the name of a personal member.
 */
import type { EvidenceJudgement, EvidenceRecord, EvidenceSubject } from "../EvidenceRecord.js"
import type { KeptStatement } from "../KeptStatement.js"

/** The columns of a record. */
interface Columns {
  readonly [name: string]: unknown
}

/** A record that follows from an entry. */
export interface EntryRecord {
  readonly table: "evidence_document" | "evidence_subject" | "evidence_link" | "vex_statement"
  readonly key: string
  readonly columns: Columns
}

/** The kinds of entries of evidence. */
export const KINDS = [
  "evidence_accepted",
  "evidence_awaits",
  "evidence_linked",
  "vex_stated"
] as const

/** The content of the entry of an accepted document. */
export const accepted = (record: Omit<EvidenceRecord, "sequence">): Columns => {
  const { verification, ...columns } = record
  const { reason, ...result } = verification
  const { digest: fingerprint, filename, size } = record
  return {
    ...columns,
    verification: { ...result, cause: reason },
    attachments: [{ filename, fingerprint, size }]
  }
}

/** The content of the entry of a document that finds artifacts by its subjects. */
export const awaits = (
  { digest, position }: Pick<EvidenceRecord, "digest" | "position">,
  judgement: EvidenceJudgement,
  added: ReadonlyArray<Pick<EvidenceSubject, "fingerprint">>
): Columns => ({
  digest,
  position,
  ...judgement,
  fingerprints: added.map(({ fingerprint }) => fingerprint).sort()
})

/** The content of the entry of some statements of one document. */
export const stated = (statements: ReadonlyArray<KeptStatement>): Columns => {
  const [first] = statements
  return first === undefined
    ? {}
    : {
        digest: first.digest,
        position: first.position,
        trusted: first.trusted,
        flows: first.flows,
        sequence: first.sequence,
        statements: statements.map(
          ({
            digest: _d,
            flows: _f,
            org_id: _o,
            position: _p,
            sequence: _s,
            trusted: _t,
            ...own
          }) => own
        )
      }
}

const membersOf = (value: unknown): Columns =>
  typeof value === "object" && value !== null ? { ...value } : {}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The records that an entry adds; none for an entry of another kind. */
export const recordsOf = (
  {
    kind,
    org_id,
    sequence
  }: {
    readonly kind: string
    readonly org_id: string
    readonly sequence: number
  },
  content: Columns
): ReadonlyArray<EntryRecord> => {
  const { attachments: _files, attestations, fingerprints, statements, ...columns } = content
  const place = `${columns.digest} ${columns.position}`
  switch (kind) {
    case "evidence_accepted": {
      const { cause, ...result } = membersOf(columns.verification)
      const verification = { ...result, reason: cause }
      const record = { ...columns, verification, sequence }
      return [{ table: "evidence_document", key: place, columns: record }]
    }
    case "evidence_awaits":
      return listOf(fingerprints).map((fingerprint) => ({
        table: "evidence_subject",
        key: `${fingerprint} ${place} ${columns.name}`,
        columns: { org_id, fingerprint, ...columns }
      }))
    case "evidence_linked":
      return listOf(attestations).map((attestation_id) => ({
        table: "evidence_link",
        key: `${place} ${attestation_id}`,
        columns: { org_id, ...columns, attestation_id }
      }))
    case "vex_stated":
      return listOf(statements)
        .map(membersOf)
        .map((statement) => ({
          table: "vex_statement",
          key: `${place} ${statement.ordinal}`,
          columns: { org_id, ...columns, ...statement }
        }))
    default:
      return []
  }
}
