/** Migrations run once, from any number of servers, and never in part. */
import { StoreError } from "@attestry/core/StoreError"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import * as Migrations from "../src/Migrations.js"
import { APPLICATION_ROLE } from "../src/migrations/internal/TenantTable.js"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

const migrate = Effect.flatMap(PgLayer.TestDatabase, ({ url }) => PgStore.migrate({ url }))

const done = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  query(`select migration_id, name, created_at from ${Migrations.TABLE} order by 1`)
)

const namesOf = (rows: ReadonlyArray<PgLayer.Row>) =>
  rows.map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)

/** Everything that migrations make, as one text per thing. */
const schema = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  query(`select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, c.relrowsecurity and c.relforcerowsecurity) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'attestry'::regnamespace and c.relkind = 'r'
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'attestry'::regnamespace
    union all select pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'attestry'::regnamespace
    union all select format('%s %s', c.relname, c.relacl) from pg_class c
    where c.relnamespace = 'attestry'::regnamespace and c.relkind in ('r', 'S')
    union all select indexdef from pg_indexes where schemaname = 'attestry'
    order by 1`)
)

const schemaOfTemplate = Effect.provide(schema, PgLayer.layerDatabase)

/** Runs the first migrations only, as a server that was killed after them has left the database. */
const migrateFirst = (count: number) =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* query("create schema attestry")
    yield* query(`grant usage on schema attestry to ${APPLICATION_ROLE}`)
    const loader = Migrator.fromRecord(
      Object.fromEntries(Object.entries(Migrations.migrations).slice(0, count))
    )
    const client = PgClient.layer({ url, maxConnections: 1 })
    const run = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`set search_path to attestry, pg_temp`
      yield* Migrator.make({})({ loader, table: Migrations.TABLE })
    })
    yield* Effect.provide(run, client)
  })

const onEmpty = Effect.provide(PgLayer.layerEmpty)

it.live("migrates an empty database to the latest version", () =>
  Effect.gen(function* () {
    yield* migrate
    assert.deepStrictEqual(namesOf(yield* done), Object.keys(Migrations.migrations))
    const last = Object.keys(Migrations.migrations).at(-1) ?? ""
    assert.strictEqual(Migrations.latest, Number.parseInt(last, 10))
    assert.deepStrictEqual(yield* schema, yield* schemaOfTemplate)
  }).pipe(onEmpty)
)

it.live("lets two servers migrate one empty database at once", () =>
  Effect.gen(function* () {
    yield* Effect.all([migrate, migrate], { concurrency: 2 })
    assert.deepStrictEqual(yield* schema, yield* schemaOfTemplate)
  }).pipe(onEmpty)
)

/** The address of the same database for a role that owns nothing and may only work as the application. */
const asGuest = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  const guest = `attestry_guest_${process.pid}`
  yield* Effect.acquireRelease(
    query(`create role ${guest} login password '${guest}'; grant ${APPLICATION_ROLE} to ${guest}`),
    // WHY: a test that cannot clean up fails.
    () => Effect.orDie(query(`drop role ${guest}`))
  )
  const address = Redacted.value(url).replace(/^([a-z]+:\/\/)[^@]*@/, `$1${guest}:${guest}@`)
  return Redacted.make(address)
})

it.live("lets a role that may not migrate start on a database that is up to date, only", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const url = yield* asGuest
    yield* PgStore.migrate({ url })
    yield* query(`delete from ${Migrations.TABLE} where migration_id = $1`, [Migrations.latest])
    assert.instanceOf(yield* Effect.flip(PgStore.migrate({ url })), StoreError)
  }).pipe(Effect.scoped, Effect.provide(PgLayer.layerDatabase))
)

it.live("grants the application the version table where an earlier start has stopped before", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* query(`revoke select on ${Migrations.TABLE} from ${APPLICATION_ROLE}`)
    yield* migrate
    assert.deepStrictEqual(yield* schema, yield* schemaOfTemplate)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.live("does nothing to a database that is up to date", () =>
  Effect.gen(function* () {
    const [before, made] = [yield* schema, yield* done]
    yield* migrate
    assert.deepStrictEqual([yield* schema, yield* done], [before, made])
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.live("undoes a migration that was killed, and continues with it the next time", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* migrateFirst(2)
    const locking = yield* PgLayer.connect(url)
    yield* Effect.promise(() => locking.query("begin; lock table org in access exclusive mode"))
    const fiber = yield* Effect.fork(Effect.flip(migrate))
    const waiting = query(`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    const [blocked] = yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
    yield* query("select pg_terminate_backend($1)", [blocked?.pid])
    const failed = yield* Fiber.join(fiber)
    assert.strictEqual(failed instanceof StoreError && failed.operation, "migrate")
    yield* Effect.promise(() => locking.query("rollback"))
    assert.deepStrictEqual(namesOf(yield* done), Object.keys(Migrations.migrations).slice(0, 2))
    yield* migrate
    assert.deepStrictEqual(namesOf(yield* done), Object.keys(Migrations.migrations))
    assert.deepStrictEqual(yield* schema, yield* schemaOfTemplate)
  }).pipe(Effect.scoped, onEmpty)
)

it.live("fails with StoreError when there is no database", () =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const failed = yield* Effect.flip(PgStore.migrate({ url: PgLayer.sibling(url, "missing") }))
    assert.strictEqual(failed.operation, "migrate")
  }).pipe(onEmpty)
)

it.live("evaluates environments again whose last report is older than the clock of flows", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* migrateFirst(Object.keys(Migrations.migrations).indexOf("0061_flow_clock"))
    yield* query("insert into org values ('acme', 'acme', 1)")
    yield* query(`insert into environment (org_id, environment_id, name, type, description,
        include_scaling, policies, require_provenance, tags, created_at, last_modified_at,
        body_digest, rows_digest)
      values ('acme', 'e1', 'prod', 'docker', '', false, '[]', false, '{}', 1, 1, 'body', 'rows')`)
    yield* migrate
    const found =
      "select document ->> 'body_digest' as body from environments_by_name('acme', '{prod}')"
    const kept =
      "select body_digest as body, rows_digest as rows, flows_seen as seen from environment"
    assert.deepStrictEqual(yield* query(found), [{ body: null }])
    assert.deepStrictEqual(yield* query(kept), [{ body: "body", rows: "rows", seen: "-1" }])
    yield* query("select lock_environment('acme', 'prod', null, null, null)")
    assert.deepStrictEqual(yield* query(kept), [{ body: null, rows: null, seen: "0" }])
  }).pipe(onEmpty)
)

it.live(
  "keeps idempotency keys, their row-level security and their grants under the new name",
  () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* migrateFirst(Object.keys(Migrations.migrations).indexOf("0070_idempotency"))
      yield* query("insert into org values ('acme', 'acme', 1)")
      const row = {
        ...{ org_id: "acme", request: "r", token: "t", content: "c", outcome: "Answered" },
        ...{ ends_at: "9", code: 201, media_type: "application/json", answer: "{}" }
      }
      yield* query("insert into kept_answer values ($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
        ...Object.values(row)
      ])
      yield* migrate
      const stored = { ...row, entries: null }
      assert.deepStrictEqual(yield* query("select * from idempotency"), [stored])
      yield* query("set role attestry_app")
      assert.deepStrictEqual(yield* query("select * from idempotency"), [])
      yield* query("select set_config('attestry.org_id', 'acme', false)")
      assert.deepStrictEqual(yield* query("select * from idempotency"), [stored])
      yield* query("update idempotency set token = 'u'")
      yield* query("select idempotency_prune(10)")
      assert.deepStrictEqual(yield* query("select * from idempotency"), [])
    }).pipe(onEmpty)
)
