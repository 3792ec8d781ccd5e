/**
 * The findings of the verification of records against the journal. Each finding names the table, as the store calls
 * it (`AuditStore.tableOf`), the key, and what differs.
 */

/** A difference between stored records and the journal. */
export type TableFinding =
  /** The journal has a record that is not stored. */
  | { readonly _tag: "RecordMissing"; readonly table: string; readonly key: string }
  /** A stored record is not in the journal. */
  | { readonly _tag: "RecordUnexpected"; readonly table: string; readonly key: string }
  /** A record has values that no version of the server writes. Names the column if it is known. */
  | {
      readonly _tag: "RecordUnreadable"
      readonly table: string
      readonly key: string
      readonly column?: string
    }
  /** A column differs from the journal. */
  | {
      readonly _tag: "RecordChanged"
      readonly table: string
      readonly key: string
      readonly column: string
    }
  /** The content of a file is missing. */
  | { readonly _tag: "FileMissing"; readonly fingerprint: string }
  /** The content of a file does not have its fingerprint. */
  | { readonly _tag: "FileChanged"; readonly fingerprint: string; readonly bytes: number }
  /** A recomputed value differs from the stored one. */
  | {
      readonly _tag: "VerdictChanged"
      readonly table: string
      readonly key: string
      readonly column: string
    }

/** The finding for an unreadable record, or for a whole kind (`*`) if the record is not known. */
export const unreadable = (table: string, key: string): TableFinding => ({
  _tag: "RecordUnreadable",
  table,
  key
})

/** A finding with the store's name for the kind of record. */
export const named = (finding: TableFinding, tableOf: (kind: string) => string): TableFinding =>
  "table" in finding ? { ...finding, table: tableOf(finding.table) } : finding

/** A finding as one line of text. */
export const print = (finding: TableFinding): string => {
  switch (finding._tag) {
    case "RecordMissing":
      return `${finding.table} ${finding.key}: the record is missing`
    case "RecordUnexpected":
      return `${finding.table} ${finding.key}: the journal does not know the record`
    case "RecordUnreadable":
      return finding.column === undefined
        ? `${finding.table} ${finding.key}: the record cannot be read`
        : `${finding.table} ${finding.key}: \`${finding.column}\` cannot be read`
    case "RecordChanged":
      return `${finding.table} ${finding.key}: \`${finding.column}\` is not what the journal says`
    case "FileMissing":
      return `file ${finding.fingerprint}: its content is missing`
    case "FileChanged":
      return `file ${finding.fingerprint}: its content of ${finding.bytes} bytes has another fingerprint`
    case "VerdictChanged":
      return `${finding.table} ${finding.key}: \`${finding.column}\` is not what evaluating again gives`
  }
}
