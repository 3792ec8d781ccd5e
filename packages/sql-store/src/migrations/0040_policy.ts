/** Policies and their versions. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect } from "./internal/TenantTable.js"

/** Policies and their versions. */
export const policy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table policy (
    org_id text collate "C" not null references org,
    policy_id text collate "C" not null,
    name text collate "C" not null,
    description text not null,
    version int4 not null,
    policy_yaml text not null,
    reads jsonb not null,
    created_by text not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, policy_id),
    unique (org_id, name)
  )`
  yield* protect(sql, "policy", "select, insert, update")
  yield* sql`create table policy_version (
    org_id text collate "C" not null,
    policy_id text collate "C" not null,
    version int4 not null,
    comment text not null,
    policy_yaml text not null,
    dump json not null,
    created_by text not null,
    timestamp int8 not null,
    primary key (org_id, policy_id, version),
    foreign key (org_id, policy_id) references policy
  )`
  // WHY no update: versions never change.
  yield* protect(sql, "policy_version", "select, insert")
})
