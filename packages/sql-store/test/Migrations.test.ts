/** The schema is made once, from any number of servers, and never in part; migrations run beside writers. */
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import * as Migrations from "../src/Migrations.js"
import * as PgStore from "../src/pg/PgStore.js"
import * as SchemaFiles from "../src/schema/internal/SchemaFiles.js"
import { APPLICATION_ROLE } from "../src/schema/internal/SchemaNames.js"
import * as SchemaUpgrade from "../src/schema/internal/SchemaUpgrade.js"
import * as SchemaFacts from "./schema/SchemaFacts.js"
import * as PgLayer from "./shared/PgLayer.js"

const migrate = Effect.flatMap(PgLayer.TestDatabase, ({ url }) => PgStore.migrate({ url }))

const done = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  query(`select migration_id, name, created_at from ${Migrations.TABLE} order by 1`)
)

const schemaOfTemplate = Effect.provide(SchemaFacts.read, PgLayer.layerDatabase)

const onEmpty = Effect.provide(PgLayer.layerEmpty)
const onMigrated = Effect.provide(PgLayer.layerDatabase)

/** Upgrades the database with these migrations after those that there are. */
const upgrade = (...added: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const { schema, migrations } = SchemaFiles.read()
    const latest = Migrations.latest()
    const more = added.map((sql, at) => ({ number: latest + 1 + at, name: `added_${at}`, sql }))
    const run = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      SchemaUpgrade.run(sql, { schema, migrations: [...migrations, ...more] })
    )
    yield* Effect.provide(run, PgStore.layerOwner({ url }))
  })

describe("a new database", () => {
  it.live("gets the schema, and the numbers of all migrations", () =>
    Effect.gen(function* () {
      yield* migrate
      const numbers = (yield* done).map(({ migration_id }) => migration_id)
      const { migrations } = SchemaFiles.read()
      assert.deepStrictEqual(numbers, [1, ...migrations.map(({ number }) => number)])
      assert.strictEqual(Migrations.latest(), numbers.at(-1))
      assert.deepStrictEqual(yield* SchemaFacts.read, yield* schemaOfTemplate)
    }).pipe(onEmpty)
  )

  it.live("is made once by two servers that start at once", () =>
    Effect.gen(function* () {
      yield* Effect.all([migrate, migrate], { concurrency: 2 })
      assert.deepStrictEqual(yield* SchemaFacts.read, yield* schemaOfTemplate)
    }).pipe(onEmpty)
  )

  it.live("has nothing of a schema whose making was killed, and gets it the next time", () =>
    Effect.gen(function* () {
      const { query, url } = yield* PgLayer.TestDatabase
      const locking = yield* PgLayer.connect(url)
      yield* query("create schema attestry")
      yield* Effect.promise(() => locking.query("begin; create table attestry.flow ()"))
      const fiber = yield* Effect.fork(Effect.flip(migrate))
      const waiting = query(`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'`)
      const [blocked] = yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
      yield* query("select pg_terminate_backend($1)", [blocked?.pid])
      const failed = yield* Fiber.join(fiber)
      assert.strictEqual(failed instanceof StoreError && failed.operation, "migrate")
      yield* Effect.promise(() => locking.query("rollback"))
      assert.deepStrictEqual(yield* done, [])
      yield* migrate
      assert.deepStrictEqual(yield* SchemaFacts.read, yield* schemaOfTemplate)
    }).pipe(Effect.scoped, onEmpty)
  )

  it.live("that is not there fails with StoreError", () =>
    Effect.gen(function* () {
      const { url } = yield* PgLayer.TestDatabase
      const failed = yield* Effect.flip(PgStore.migrate({ url: PgLayer.sibling(url, "missing") }))
      assert.strictEqual(failed.operation, "migrate")
    }).pipe(onEmpty)
  )
})

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

/** The column that a migration of a test adds to flows. */
const ADDED = `select from pg_attribute where attrelid = 'attestry.flow'::regclass and attname = 'added'`

describe("a database that exists", () => {
  it.live("lets a role that may not migrate start when it is up to date, only", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const url = yield* asGuest
      yield* PgStore.migrate({ url })
      yield* query(`delete from ${Migrations.TABLE} where migration_id = $1`, [Migrations.latest()])
      assert.instanceOf(yield* Effect.flip(PgStore.migrate({ url })), StoreError)
    }).pipe(Effect.scoped, onMigrated)
  )

  it.live("is left alone when it is up to date", () =>
    Effect.gen(function* () {
      const [before, made] = [yield* SchemaFacts.read, yield* done]
      yield* migrate
      assert.deepStrictEqual([yield* SchemaFacts.read, yield* done], [before, made])
    }).pipe(onMigrated)
  )

  it.live("gets the grant on the version table where an earlier start has stopped before", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* query(`revoke select on ${Migrations.TABLE} from ${APPLICATION_ROLE}`)
      yield* migrate
      const granted = `select has_table_privilege('${APPLICATION_ROLE}', '${Migrations.TABLE}', 'select') as has`
      assert.deepStrictEqual(yield* query(granted), [{ has: true }])
    }).pipe(onMigrated)
  )

  it.live("of a version before the first release is refused with a sentence", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* query(`update ${Migrations.TABLE} set name = 'identity' where migration_id = 1`)
      const failed = yield* Effect.flip(migrate)
      assert.include(String(failed.cause), "before the first release")
    }).pipe(onMigrated)
  )

  it.live("gets the migrations that it lacks, each once", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* upgrade("create table added_a (); create table added_b ()")
      yield* upgrade("create table added_a ()", "create table added_c ()")
      const tables = yield* query(`select relname as name from pg_class
        where relname like 'added%' and relkind = 'r' order by 1`)
      assert.deepStrictEqual(
        tables.map(({ name }) => name),
        ["added_a", "added_b", "added_c"]
      )
    }).pipe(onMigrated)
  )

  it.live("has nothing of a migration that failed", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* Effect.flip(upgrade("create table added_a (); select 1 / 0"))
      assert.deepStrictEqual(yield* query("select from pg_class where relname = 'added_a'"), [])
    }).pipe(onMigrated)
  )

  it.live("lets writers go on while a migration waits for a lock", () =>
    Effect.gen(function* () {
      const { query, url } = yield* PgLayer.TestDatabase
      const writer = yield* PgLayer.connect(url)
      yield* Effect.promise(() => writer.query("begin; lock table flow in row exclusive mode"))
      const fiber = yield* Effect.fork(upgrade("alter table flow add column added int4"))
      const waiting = query(`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%add column added%'`)
      yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
      // A statement that comes after the migration waits behind it for the lock timeout, and no longer.
      yield* query("select count(*) from flow")
      yield* Effect.promise(() => writer.query("commit"))
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* query("select added from flow"), [])
    }).pipe(Effect.scoped, onMigrated)
  )

  it.live(
    "MIGRATE-1: gets its migration although a table is held, and writers wait 400 ms at most",
    () =>
      Effect.gen(function* () {
        const { query, url } = yield* PgLayer.TestDatabase
        const [holder, writer] = [yield* PgLayer.connect(url), yield* PgLayer.connect(url)]
        const onHolder = (text: string) => Effect.promise(() => holder.query(text))
        yield* onHolder("begin; lock table flow in row exclusive mode")
        yield* Effect.promise(() => writer.query("set lock_timeout to '400ms'"))
        const written: Array<unknown> = []
        const write = Effect.promise(async () => {
          written.push(await writer.query("lock table flow in row exclusive mode").catch(String))
        })
        const inTransaction = Effect.promise(() => writer.query("begin")).pipe(
          Effect.zipRight(write),
          Effect.zipRight(Effect.promise(() => writer.query("rollback")))
        )
        const writing = yield* Effect.fork(
          Effect.forever(Effect.zipRight(inTransaction, Effect.sleep("20 millis")))
        )
        const upgrading = yield* Effect.fork(upgrade("alter table flow add column added int4"))
        yield* Effect.sleep("5 seconds")
        assert.deepStrictEqual(yield* query(ADDED), [])
        yield* onHolder("commit")
        yield* Fiber.join(upgrading)
        yield* Fiber.interrupt(writing)
        assert.strictEqual((yield* query(ADDED)).length, 1)
        assert.isAbove(written.length, 10)
        assert.deepStrictEqual(
          written.filter((result) => typeof result === "string"),
          []
        )
      }).pipe(Effect.scoped, onMigrated)
  )

  it.live("gets an index beside writers, also where an earlier start has left it invalid", () =>
    Effect.gen(function* () {
      const { query, url } = yield* PgLayer.TestDatabase
      const valid = query(
        "select indisvalid as valid from pg_index where indexrelid = to_regclass('attestry.added_i')"
      )
      const build =
        "-- Finds flows.\ncreate index concurrently added_i on flow (org_id, description);"
      const holder = yield* PgLayer.connect(url)
      const onHolder = (text: string) => Effect.promise(() => holder.query(text))
      yield* onHolder("begin; lock table flow in row exclusive mode")
      const killed = yield* Effect.fork(Effect.flip(upgrade(build)))
      yield* Effect.repeat(valid, { until: (rows) => rows.length > 0 })
      // Writers go on while it waits for the transaction that was there before.
      yield* query("begin; lock table flow in row exclusive mode; commit")
      yield* query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%concurrently added_i%' and pid <> pg_backend_pid()`)
      yield* Fiber.join(killed)
      yield* onHolder("commit")
      assert.deepStrictEqual(yield* valid, [{ valid: false }])
      yield* upgrade(build)
      assert.deepStrictEqual(yield* valid, [{ valid: true }])
      yield* query(`delete from ${Migrations.TABLE} where name = 'added_0'`)
      yield* upgrade(build)
      assert.deepStrictEqual(yield* valid, [{ valid: true }])
    }).pipe(Effect.scoped, onMigrated)
  )
})
