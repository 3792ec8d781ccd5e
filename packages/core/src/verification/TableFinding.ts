/**
 * The findings of the verification of records against the journal. Each finding names the table, as the store calls
 * it (`TableAuditStore.tableOf`), the key, and what differs.
 */

/** A difference between stored records and the journal. */
export type TableFinding =
  /** The journal has a record that is not stored. */
  | { readonly _tag: "RecordMissing"; readonly table: string; readonly key: string }
  /** A record is stored that the journal does not have. */
  | { readonly _tag: "RecordUnexpected"; readonly table: string; readonly key: string }
  /** A record has values that no writer can have written. The column is named if it is known. */
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
  /** The content of a file has another fingerprint. */
  | { readonly _tag: "FileChanged"; readonly fingerprint: string; readonly bytes: number }
  /** Evaluating again gives a value that differs from the stored one. */
  | {
      readonly _tag: "VerdictChanged"
      readonly table: string
      readonly key: string
      readonly column: string
    }

/** The finding about a record that cannot be read, or about a whole kind (`*`) where no record can be named. */
export const unreadable = (table: string, key: string): TableFinding => ({
  _tag: "RecordUnreadable",
  table,
  key
})

/** A finding by a kind of records, with the name that the store has for the kind. */
export const named = (finding: TableFinding, tableOf: (kind: string) => string): TableFinding =>
  "table" in finding ? { ...finding, table: tableOf(finding.table) } : finding

/** A finding in one line. */
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
