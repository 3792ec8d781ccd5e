/**
 * Builds: the first record of each fingerprint, in the order in which they are listed; and the columns and indexes
 * by which repositories are found. DECISION B-210, B-211
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

const BUILD = "org_id, fingerprint, artifact_id, repo_id, created_at"

/**
 * WHY a trigger: a record is a build or not when it is written, in the same statement and by every way to write it.
 *
 * INVARIANT: a first record waits for another first record of its fingerprint that is being written. A transaction
 * writes all its records in one statement, and here they are in order, so that no two wait for each other.
 */
const RECORDED = `
  begin
    insert into build (${BUILD})
      select distinct on (a.org_id, a.fingerprint) a.org_id, a.fingerprint, a.artifact_id, a.repo_id,
        a.created_at
      from added a order by a.org_id, a.fingerprint, a.sequence
      on conflict (org_id, fingerprint) do nothing;
    return null;
  end`

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      insert into build (${BUILD})
        select distinct on (a.fingerprint) a.org_id, a.fingerprint, a.artifact_id, a.repo_id,
          a.created_at
        from artifact a where a.org_id = each order by a.fingerprint, a.sequence;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** The pattern of `vcsInstance` in core; a host of more than 255 characters is none. */
const HOST = "^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?([^/?#@]{1,255})(?=[/?#]|$)"

const builds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table build (
    org_id text collate "C" not null,
    fingerprint text collate "C" not null,
    artifact_id text collate "C" not null,
    repo_id text collate "C",
    created_at int8 not null,
    primary key (org_id, fingerprint)
  )`
  yield* protect(sql, "build", "select, insert")
  yield* sql`create index build_by_time on build (org_id, created_at desc, fingerprint)`
  yield* sql`create index build_by_repo on build (org_id, repo_id, created_at desc, fingerprint)
    where repo_id is not null`
  yield* sql`${sql.literal(FILL)}`
  yield* sql`create function build_recorded() returns trigger
    language plpgsql set search_path = attestry, pg_temp
    as $$ ${sql.literal(RECORDED)} $$`
  yield* openFunctions(sql, ["build_recorded()"])
  yield* sql`create trigger build_recorded after insert on artifact
    referencing new table as added for each statement execute function build_recorded()`
})

/** WHY cut segments: an entry of an index is at most some 2,700 bytes, and a segment may be longer. */
const repos = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table repo add column vcs_instance text collate "C"
    generated always as (lower(substring(url from ${sql.literal(`'${HOST}'`)}) collate "C")) stored`
  yield* sql`create index repo_by_host on repo (org_id, vcs_instance, name, internal_id)
    where vcs_instance is not null`
  yield* sql`create index repo_by_namespace
    on repo (org_id, (left(namespace_path ->> 0, 128) collate "C"), name, internal_id)
    where namespace_path is not null`
  yield* sql`create index repo_by_repo_id on repo (org_id, repo_id)`
})

/** Builds, and repositories by host, namespace and the provider's id. */
export const build = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* builds
  yield* repos
  yield* withoutStatistics(sql)
})
