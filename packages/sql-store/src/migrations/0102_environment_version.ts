/**
 * Versions of the settings of environments, written by triggers as those of flows (B-361), and before from the journal.
 *
 * WHY no description: it decides nothing, and can be erased. WHY the numbers of what the journal has are 0 and below:
 * versions of settings are read by their instants alone.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { READ } from "./internal/KnowledgeFill.js"
import * as KnowledgeTables from "./internal/KnowledgeTables.js"
import { protect, withoutStatistics } from "./internal/TenantTable.js"

const SETTINGS = [
  ...["name", "include_scaling", "require_provenance", "included", "tags"],
  "archived_at"
]

/** The columns of an alias, as a list. */
const of = (alias: string): string => SETTINGS.map((name) => `${alias}.${name}`).join(", ")

const LISTED = SETTINGS.join(", ")
const CHANGED = `row(${of("old")}) is distinct from row(${of("new")})`

const COLUMNS = `org_id, environment_id, known, at, ${LISTED}`

const APPEND = `
  begin
    insert into environment_version (${COLUMNS})
      values (new.org_id, new.environment_id, nextval('knowledge_sequence'), new.last_modified_at,
        ${of("new")});
    return null;
  end`

/** Row-level security shows one org at a time, to the owner too. What stands ends each history. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      insert into environment_version (${COLUMNS})
        select each, j.subject_id, -(row_number() over (order by j.sequence desc)), j.at,
          c.said ->> 'name',
          coalesce((c.said ->> 'include_scaling')::boolean, false),
          coalesce((c.said ->> 'require_provenance')::boolean, false),
          nullif(c.said -> 'included', 'null'), c.said -> 'tags', (c.said ->> 'archived_at')::int8
        from journal j cross join lateral (select knowledge_content(j.content) as said) c
        where j.org_id = each and j.subject_type = 'environment'
          and j.kind in ('environment_created', 'environment_updated', 'environment_renamed',
            'environment_tagged', 'environment_archived')
          and c.said ->> 'name' is not null
          and jsonb_typeof(c.said -> 'tags') = 'object';
      insert into environment_version (${COLUMNS})
        select e.org_id, e.environment_id, 0, e.last_modified_at, ${of("e")}
        from environment e left join lateral (select v.* from environment_version v
          where v.org_id = each and v.environment_id = e.environment_id
          order by v.known desc limit 1) v on true
        where e.org_id = each and row(${of("v")}) is distinct from row(${of("e")});
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** Versions of the settings of environments. */
export const environmentVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* KnowledgeTables.wait(sql)
  yield* sql`create table environment_version (
    org_id text collate "C" not null,
    environment_id text collate "C" not null,
    known int8 not null,
    at int8 not null,
    name text collate "C" not null,
    include_scaling boolean not null,
    require_provenance boolean not null,
    included jsonb,
    tags jsonb not null,
    archived_at int8,
    primary key (org_id, environment_id, known)
  )`
  yield* protect(sql, "environment_version", "select, insert")
  yield* sql`${sql.literal(READ)}`
  yield* sql`${sql.literal(FILL)}`
  yield* sql`drop function knowledge_content(bytea)`
  yield* sql`create function environment_version_append() returns trigger
    language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(APPEND)} $$`
  yield* sql`revoke all on function environment_version_append() from public`
  yield* sql`create trigger environment_version_created after insert on environment
    for each row execute function environment_version_append()`
  yield* sql`create trigger environment_version_changed after update of ${sql.literal(LISTED)}
    on environment for each row
    when (${sql.literal(CHANGED)})
    execute function environment_version_append()`
  yield* withoutStatistics(sql)
})
