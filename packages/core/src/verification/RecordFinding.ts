/** What verifying records against the journal can find. Each finding names the table, the key, and what differs. */

/** A difference between stored records and what the journal says. */
export type RecordFinding =
  /** The journal says that there is a record, and there is none. */
  | { readonly _tag: "RecordMissing"; readonly table: string; readonly key: string }
  /** There is a record that the journal does not say of. */
  | { readonly _tag: "RecordUnexpected"; readonly table: string; readonly key: string }
  /** A column has another value than the journal says. */
  | {
      readonly _tag: "RecordChanged"
      readonly table: string
      readonly key: string
      readonly column: string
    }
  /** The content of a file is gone, or has another fingerprint. */
  | { readonly _tag: "FileChanged"; readonly fingerprint: string }

/** A finding in one line. */
export const print = (finding: RecordFinding): string => {
  switch (finding._tag) {
    case "RecordMissing":
      return `${finding.table} ${finding.key}: the record is missing`
    case "RecordUnexpected":
      return `${finding.table} ${finding.key}: the journal does not know the record`
    case "RecordChanged":
      return `${finding.table} ${finding.key}: \`${finding.column}\` is not what the journal says`
    case "FileChanged":
      return `file ${finding.fingerprint}: its content has another fingerprint`
  }
}
