/** Rows of the journal, as they are stored and as they are shown. */
import { JournalEntry } from "@attestry/core/JournalEntry"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** The columns of an entry, for a statement that reads the journal alone or joins a table without them. */
export const columns = (sql: SqlClient): Fragment =>
  sql.literal(`journal.org_id, journal.sequence, kind, at,
      jsonb_build_object('type', subject_type, 'id', subject_id) as subject,
      jsonb_strip_nulls(jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name,
        'credential', actor_credential)) as actor,
      content, encode(digest, 'hex') as digest`)

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const written = new TextEncoder()

/**
 * WHY here and not in the database: there, bytes that are no text fail the statement, and with it every
 * other entry that it reads.
 */
const TextOfBytes = Schema.transformOrFail(Schema.Uint8ArrayFromSelf, Schema.String, {
  strict: true,
  decode: (bytes, _options, ast) =>
    ParseResult.try({
      try: () => strict.decode(bytes),
      catch: () => new ParseResult.Type(ast, bytes, "is not UTF-8")
    }),
  encode: (text) => ParseResult.succeed(written.encode(text))
})

/** An entry as it is stored, for verification. */
export const Stored = Schema.Struct({ ...JournalEntry.fields, content: TextOfBytes })

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** An entry whose content is shown and must be JSON. */
export const Told = Schema.Struct({
  ...JournalEntry.fields,
  content: TextOfBytes.pipe(Schema.filter(isJson, { message: () => "is not JSON" }))
})
