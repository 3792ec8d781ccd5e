/**
 * Contents by the author of their commit and by what built them, for exposures. DECISION B-403
 *
 * Written by triggers, so that processes of the release before write them too. WHY digests: values have any length and
 * an entry of an index has not; and where an author is erased from a report, no name is left here either.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect, withoutStatistics } from "./internal/TenantTable.js"

/** `builderOf` of core. */
export const BUILDER_PATTERN = "^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+"

/** The traits of a report, each with its value. */
const traitsOf = (report: string): string => `(values
    ('author', ${report} #>> '{git_commit_info,author}'),
    ('builder', substring(${report} ->> 'build_url' from '${BUILDER_PATTERN}'))) as t (kind, value)`

/** The digest by which a value is found. */
export const digestOf = (value: string): string => `sha256(convert_to(${value}, 'UTF8'))`

/** Writes the traits of the records `a`. */
export const insertOf = (records: string, order = ""): string => `
    insert into artifact_trait (org_id, kind, digest, fingerprint)
      select a.org_id, t.kind, ${digestOf("t.value")}, a.fingerprint
      from ${records} cross join lateral ${traitsOf("a.report")}
      where t.value is not null${order}
      on conflict do nothing;`

/** Of a report that has changed, the traits of its content are written anew. */
const WRITE = `
  begin
    if tg_op = 'UPDATE' then
      delete from artifact_trait where org_id = new.org_id and fingerprint = new.fingerprint;
      ${insertOf(`(select * from artifact a where a.org_id = new.org_id
        and a.fingerprint = new.fingerprint) a`)}
      return null;
    end if;
    ${insertOf("(select new.*) a")}
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
      ${insertOf("(select * from artifact a where a.org_id = each) a")}
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** Contents by author and builder. */
export const artifactTrait = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // WHY: no record is added between the fill and the trigger.
  yield* sql`lock table artifact in share row exclusive mode`
  yield* sql`create table artifact_trait (
    org_id text collate "C" not null,
    kind text collate "C" not null,
    digest bytea not null,
    fingerprint text collate "C" not null,
    primary key (org_id, kind, digest, fingerprint)
  )`
  yield* sql`create index artifact_trait_by_content on artifact_trait (org_id, fingerprint)`
  yield* protect(sql, "artifact_trait", "select, insert")
  yield* sql`${sql.literal(FILL)}`
  yield* sql`create function artifact_trait_write() returns trigger
    language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(WRITE)} $$`
  yield* sql`revoke all on function artifact_trait_write() from public`
  yield* sql`create trigger artifact_trait_write after insert or update of report on artifact
    for each row execute function artifact_trait_write()`
  yield* withoutStatistics(sql)
})
