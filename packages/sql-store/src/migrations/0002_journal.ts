/** The journal: rows that the application may add and read, and not change. DECISION S2 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, protect } from "./internal/TenantTable.js"

/** The journal. */
export const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create sequence journal_sequence as int8`
  yield* sql`grant usage on sequence journal_sequence to ${sql(APPLICATION_ROLE)}`
  yield* sql`create table journal (
    org_id text collate "C" not null references org,
    sequence int8 not null default nextval('journal_sequence'),
    kind text not null,
    subject_type text not null,
    subject_id text collate "C" not null,
    actor_kind text not null,
    actor_id text not null,
    actor_name text not null,
    at int8 not null,
    content bytea not null,
    digest bytea not null,
    primary key (org_id, sequence)
  )`
  yield* sql`create index journal_by_subject on journal (org_id, subject_type, subject_id, sequence)`
  yield* protect(sql, "journal", "select, insert")
})
