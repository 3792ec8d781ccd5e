/** Migrations follow the rules of `schema/README.md`, and a migration that breaks one is found. */
import { assert, it } from "@effect/vitest"
import * as SchemaFiles from "../../src/schema/internal/SchemaFiles.js"
import { problemsOf } from "./MigrationRules.js"

it("are followed by every migration", () => {
  const { migrations } = SchemaFiles.read()
  assert.deepStrictEqual(migrations.flatMap(problemsOf), [])
  const numbers = migrations.map(({ number }) => number)
  assert.deepStrictEqual(
    numbers,
    numbers.map((_, at) => at + 2)
  )
})

const problems = (sql: string): ReadonlyArray<string> =>
  problemsOf({
    number: 2,
    name: "it",
    sql: sql.startsWith("--") ? sql : `-- Adds something.\n${sql}`
  })

const ALLOWED = [
  "create table thing (org_id text not null); create index thing_by_org on thing (org_id);",
  "alter table flow add column owner text; grant update (owner) on flow to attestry_app;",
  "alter table flow add column owner text not null default '';",
  "alter table flow add constraint named check (name <> '') not valid;",
  "create index concurrently flow_by_owner on flow (org_id, owner);",
  "-- So that owners are found.\ncreate unique index concurrently flow_by_owner on flow (org_id, owner);",
  "insert into form (name, number) values ('leaf', 1);",
  "do $$ begin alter table flow alter column name set statistics 0; end $$;",
  "create policy p on flow for update using (true);",
  "create function f() returns void language sql as $$ update flow set name = name $$;" +
    " revoke all on function f from public;",
  "-- Contracts 0002_owner: no server uses it since 0.3.0.\nalter table flow drop column owner;"
]

const REFUSED: ReadonlyArray<readonly [string, string]> = [
  ["--\nselect 1;", "it has no comment at its top"],
  ["alter table flow drop column name;", "it drops"],
  ["drop function f();", "it drops"],
  ["alter table flow rename column name to title;", "it renames"],
  ["alter table flow alter column name type varchar;", "it retypes a column"],
  ["alter table flow alter column owner set not null;", "it requires a value"],
  ["alter table flow add column owner text not null;", "it adds a column without a default"],
  [
    "alter table flow add constraint named check (name <> '');",
    "it adds a constraint that is checked at once"
  ],
  ["revoke select on flow from attestry_app;", "it revokes"],
  [
    "alter table flow add column a text; alter table trail add column a text;",
    "it locks flow and trail"
  ],
  ["lock table flow, trail; alter table trail add column a text;", "it locks flow and trail"],
  ["create index i on trail (org_id);", "it builds an index while writers wait"],
  [
    "create index concurrently i on trail (org_id); select 1;",
    "it does more than build an index beside writers"
  ],
  [
    "create table thing (); create index concurrently i on thing (a);",
    "it does more than build an index beside writers"
  ],
  ["set local lock_timeout = '1h'; create table thing ();", "it sets a time limit"],
  ["update flow set owner = '';", "it rewrites rows"],
  ["delete from flow;", "it rewrites rows"],
  ["truncate flow;", "it rewrites rows"],
  ["insert into owner select org_id, owner from flow;", "it rewrites rows"],
  ["with old as (delete from flow returning *) select * from old;", "it rewrites rows"],
  ["do $$ begin update flow set owner = ''; end $$;", "it rewrites rows"],
  ["do $fill$\nbegin\n  insert into owner\n    select 1;\nend $fill$;", "it rewrites rows"]
]

it.each(ALLOWED)("allow %s", (sql) => {
  assert.deepStrictEqual(problems(sql), [])
})

it.each(REFUSED)("refuse %s", (sql, problem) => {
  assert.deepStrictEqual(problems(sql), [problem])
})
