/** Rows of the journal, as they are stored and as they are shown. */
import { JournalEntry } from "@attestry/core/JournalEntry"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { ByteColumn } from "../shared/ByteColumn.js"
import * as TenantQueries from "../shared/TenantQueries.js"

/** The columns of an entry, for a statement that reads the journal alone or joins a table without them. */
export const columns = (sql: SqlClient): Fragment =>
  sql.literal(`journal.org_id, journal.sequence, kind, at,
      jsonb_build_object('type', subject_type, 'id', subject_id) as subject,
      jsonb_strip_nulls(jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name,
        'credential', actor_credential, 'break_glass', actor_break_glass)) as actor,
      content, encode(digest, 'hex') as digest`)

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const written = new TextEncoder()

/**
 * WHY here and not in the database: there, bytes that are no text fail the statement, and with it every
 * other entry that it reads.
 */
const TextOfBytes = Schema.transformOrFail(ByteColumn, Schema.String, {
  strict: true,
  decode: (bytes, _options, ast) =>
    ParseResult.try({
      try: () => strict.decode(bytes),
      catch: () => new ParseResult.Type(ast, bytes, "is not UTF-8")
    }),
  encode: (text) => ParseResult.succeed(written.encode(text))
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The columns of an entry as the database gives them. */
export const Columns = Schema.Struct({ ...JournalEntry.fields, content: ByteColumn })

/** A row whose content is a text; nothing where it is none. */
const withText = <A extends { readonly content: Uint8Array }>(
  row: A
): (Omit<A, "content"> & { readonly content: string }) | undefined => {
  try {
    return { ...row, content: strict.decode(row.content) }
  } catch {
    return undefined
  }
}

/** The same where the content is JSON. */
export const withJson = <A extends { readonly content: Uint8Array }>(
  row: A
): (Omit<A, "content"> & { readonly content: string }) | undefined => {
  const read = withText(row)
  return read !== undefined && isJson(read.content) ? read : undefined
}

/** An entry as it is stored, for verification. */
export const Stored = TenantQueries.readBy(
  Schema.Struct({ ...JournalEntry.fields, content: TextOfBytes }),
  { stored: Columns, read: withText }
)

/** The fields of an entry whose content is shown and must be JSON. */
export const shownFields = {
  ...JournalEntry.fields,
  content: TextOfBytes.pipe(Schema.filter(isJson, { message: () => "is not JSON" }))
}

/** An entry whose content is shown. */
export const Shown = TenantQueries.readBy(Schema.Struct(shownFields), {
  stored: Columns,
  read: withJson
})

/** The name of a damaged row of the journal. */
export const nameOf: TenantQueries.NameOf = ({ sequence }) => ({
  kind: "entry",
  table: "journal",
  key: String(sequence)
})
