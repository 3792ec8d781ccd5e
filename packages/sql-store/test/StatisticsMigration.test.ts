/** A database that was analyzed loses its statistics for good, and nothing else changes. */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Migrations from "../src/Migrations.js"
import { APPLICATION_ROLE } from "../src/migrations/internal/TenantTable.js"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

/** Runs the migrations up to one of them. */
const migrateTo = (last: keyof typeof Migrations.migrations) =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* query("create schema if not exists attestry")
    yield* query(`grant usage on schema attestry to ${APPLICATION_ROLE}`)
    const loader = Migrator.fromRecord(
      Object.fromEntries(Object.entries(Migrations.migrations).filter(([name]) => name <= last))
    )
    const run = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`set search_path to attestry, pg_temp`
      yield* Migrator.make({})({ loader, table: Migrations.TABLE })
    })
    yield* Effect.provide(run, PgClient.layer({ url, maxConnections: 1 }))
  })

const WRITTEN = [
  "insert into attestry.org (org_id, name, created_at) select i, i, 0 from generate_series(1, 50) i",
  `insert into attestry.flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
      created_at, last_modified_at)
    select org_id, 'flow', 'flow', '', 'private', '', 't', '{}', 0, 0 from attestry.org`,
  `insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
      last_modified_at)
    select org_id, 'trail', 'flow', 'trail', '{}', '{}', 'test', 0, 0 from attestry.org`,
  `insert into attestry.attestation (org_id, attestation_id, flow_id, trail_id, sequence, name, type, is_compliant,
      is_override, slots, digest, body, attachments, created_by, created_at)
    select org_id, 'attestation', 'flow', 'trail', 1, 'decision', 'decision', true, false, '{}', 'd',
      json_build_object('control', org_id), '[]', 'test', 0 from attestry.org`
]

/** Indexes that the same migration makes. */
const MADE = "('snapshot_by_event', 'environment_archived')"

const ours = (oid: string) =>
  `${oid} in (select oid from pg_class where relnamespace = 'attestry'::regnamespace)`

const STATISTICS = `select distinct starelid::regclass::text as name from pg_statistic
  where ${ours("starelid")} order by 1`

/** Everything about tables that is not what they are planned by. */
const SHAPES = [
  "select * from pg_policies where schemaname = 'attestry' order by tablename, policyname",
  `select attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attcollation, attnotnull, attacl,
      attidentity, pg_get_expr(adbin, adrelid)
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${ours("attrelid")} and attnum > 0 and not attisdropped
      and (select relname not in ${MADE} from pg_class where oid = attrelid) order by 1, 2`,
  `select indexdef from pg_indexes where schemaname = 'attestry' and indexname not in ${MADE} order by 1`,
  `select conname, conrelid::regclass::text, pg_get_constraintdef(oid), convalidated from pg_constraint
    where ${ours("conrelid")} order by 1, 2`,
  `select relname, relacl, relrowsecurity, relforcerowsecurity, reloptions from pg_class
    where relnamespace = 'attestry'::regnamespace and relkind <> 'i'
      and relname <> '${Migrations.TABLE}' order by 1`,
  `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  "select * from attestry.attestation order by org_id"
]

it.live("forgets what was gathered, gathers nothing more, and leaves the rest as it was", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* query("set search_path to public")
    yield* migrateTo("0067_own_org_functions")
    for (const text of WRITTEN) yield* query(text)
    yield* query("analyze")
    assert.include(
      (yield* query(STATISTICS)).map(({ name }) => name),
      "attestry.attestation_by_control"
    )
    const shapes = yield* Effect.forEach(SHAPES, (text) => query(text))
    yield* migrateTo("0068_no_statistics")
    assert.deepStrictEqual(yield* Effect.forEach(SHAPES, (text) => query(text)), shapes)
    assert.deepStrictEqual(yield* query(STATISTICS), [])
    yield* PgStore.migrate({ url })
    yield* query("analyze")
    assert.deepStrictEqual(yield* query(STATISTICS), [])
  }).pipe(Effect.provide(PgLayer.layerEmpty))
)
