/**
 * What verifying records against the journal can find. Each finding names the table, as the store calls it
 * (`TableAuditStore.tableOf`), the key, and what differs.
 */

/** A difference between stored records and what the journal says. */
export type TableFinding =
  /** The journal says that there is a record, and there is none. */
  | { readonly _tag: "RecordMissing"; readonly table: string; readonly key: string }
  /** There is a record that the journal does not say of. */
  | { readonly _tag: "RecordUnexpected"; readonly table: string; readonly key: string }
  /** A record has values that it can never have; the column is told where it is known. */
  | {
      readonly _tag: "RecordUnreadable"
      readonly table: string
      readonly key: string
      readonly column?: string
    }
  /** A column has another value than the journal says. */
  | {
      readonly _tag: "RecordChanged"
      readonly table: string
      readonly key: string
      readonly column: string
    }
  /** The content of a file is gone. */
  | { readonly _tag: "FileMissing"; readonly fingerprint: string }
  /** The content of a file has another fingerprint. */
  | { readonly _tag: "FileChanged"; readonly fingerprint: string; readonly bytes: number }
  /** Evaluating again gives another value than is stored. */
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
