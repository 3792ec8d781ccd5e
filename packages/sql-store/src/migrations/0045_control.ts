/** Controls with their versions, and a way to the decisions about each. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect } from "./internal/TenantTable.js"

/** Controls with their versions, and a way to the decisions about each. */
export const control = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table control (
    org_id text collate "C" not null references org,
    identifier text collate "C" not null,
    name text collate "C" not null,
    description text,
    links jsonb not null,
    tags jsonb not null,
    version int4 not null,
    archived boolean not null,
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, identifier)
  )`
  yield* sql`create index control_by_name on control (org_id, archived, name, identifier)`
  yield* protect(sql, "control", "select, insert, update")
  yield* sql`create table control_version (
    org_id text collate "C" not null,
    identifier text collate "C" not null,
    version int4 not null,
    kind text not null check (kind in ('Created', 'Edited', 'Archived', 'Unarchived')),
    name text not null,
    description text,
    links jsonb not null,
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, identifier, version),
    foreign key (org_id, identifier) references control
  )`
  yield* protect(sql, "control_version", "select, insert")
  yield* sql`create index attestation_by_control on attestation
    (org_id, (body ->> 'control'), sequence) where type = 'decision'`
})
