/** Flows, trails and artifact records. What a client said is kept as one JSON value next to the keys. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect } from "./TenantTable.js"

/** Flows, trails and artifact records. */
export const evidence = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table flow (
    org_id text collate "C" not null references org,
    flow_id text collate "C" not null,
    name text collate "C" not null,
    description text not null,
    visibility text not null check (visibility in ('public', 'private')),
    template text not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, flow_id),
    unique (org_id, name)
  )`
  yield* protect(sql, "flow", "select, insert, update")
  yield* sql`create table trail (
    org_id text collate "C" not null,
    trail_id text collate "C" not null,
    flow_id text collate "C" not null,
    name text collate "C" not null,
    details jsonb not null,
    created_by text not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, trail_id),
    unique (org_id, flow_id, name),
    foreign key (org_id, flow_id) references flow
  )`
  yield* protect(sql, "trail", "select, insert, update")
  yield* sql`create table artifact (
    org_id text collate "C" not null,
    artifact_id text collate "C" not null,
    flow_id text collate "C" not null,
    trail_id text collate "C" not null,
    sequence int8 not null,
    slot text collate "C" not null,
    fingerprint text collate "C" not null,
    report jsonb not null,
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, artifact_id),
    foreign key (org_id, trail_id) references trail
  )`
  yield* sql`create index artifact_by_slot on artifact (org_id, trail_id, slot, sequence)`
  yield* protect(sql, "artifact", "select, insert")
})
