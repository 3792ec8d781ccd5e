/**
 * Creates the schema in a new database, or runs the migrations that an existing one lacks.
 *
 * One server does so at a time: the others wait for an advisory lock and then find nothing to do. Creating the schema
 * is one transaction, and so is each migration: a server that is killed leaves nothing half done (P-MIG).
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Migration, SchemaFiles } from "./SchemaFiles.js"
import { APPLICATION_ROLE, SCHEMA } from "./SchemaNames.js"

/** The table of the migrations that have run. */
export const TABLE = "attestry_migrations"

/** The schema of the first release. */
const FIRST = { number: 1, name: "first_release" }

/** The number of the newest migration. */
export const latestOf = ({ migrations }: SchemaFiles): number =>
  Math.max(FIRST.number, ...migrations.map(({ number }) => number))

/** A database that a version before the first release has made; no migration leads from it. */
export class UnreleasedSchema extends Data.TaggedError("UnreleasedSchema") {
  override readonly message =
    "this database was made by a version before the first release, which cannot be upgraded: use an empty database"
}

/** A number that no other program locks: the letters of the name. */
const LOCK = 0x61747374

/** How long a migration waits for a lock while writers go on; then it lets go of everything, and tries again. */
const LOCK_TIMEOUT = "200ms"

/** How often a migration is tried, within about five minutes. */
const ATTEMPTS_MAX = 600

const RETRIES = Schedule.intersect(Schedule.spaced("300 millis"), Schedule.recurs(ATTEMPTS_MAX - 1))

/** A migration that builds one index, with the index's name. */
const INDEX = /^(?:\s|--.*\n)*create\s+(?:unique\s+)?index\s+concurrently\s+([a-z_][a-z0-9_]*)\s/

const LOCK_NOT_AVAILABLE = "55P03"

const isLockTimeout = ({ cause }: SqlError): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  cause.code === LOCK_NOT_AVAILABLE

/**
 * A role and a schema can be there already: made by another database of the cluster, or earlier. An owner
 * that may neither make nor grant roles needs both to exist already.
 */
const prepare = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`do $$ begin
      if not exists (select from pg_roles where rolname = '${sql.literal(APPLICATION_ROLE)}') then
        create role ${sql.literal(APPLICATION_ROLE)} nologin nosuperuser nobypassrls;
      end if;
    exception when duplicate_object or unique_violation then null; end $$`,
    sql`do $$ begin
      grant ${sql.literal(APPLICATION_ROLE)} to current_user;
    exception when insufficient_privilege then null; end $$`,
    sql`create schema if not exists ${sql(SCHEMA)}`,
    sql`grant usage on schema ${sql(SCHEMA)} to ${sql(APPLICATION_ROLE)}`,
    sql`create table if not exists ${sql(TABLE)} (
      migration_id int4 primary key,
      created_at timestamptz not null default now(),
      name text not null
    )`,
    sql`grant select on ${sql(TABLE)} to ${sql(APPLICATION_ROLE)}`
  ])

interface Ran {
  readonly number: number
  readonly name: string
}

const ranOf = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<Ran>, SqlError> =>
  sql<Ran>`select migration_id as number, name from ${sql(TABLE)} order by migration_id`

/**
 * Whether nothing is left to do: the newest migration has run, and the application role can be used.
 *
 * WHY first: a role that may not migrate can start on a database that is up to date.
 */
const isDone = (sql: SqlClient.SqlClient, latest: number): Effect.Effect<boolean> =>
  sql<Ran>`select migration_id as number, name from ${sql(TABLE)}
    where has_table_privilege(${APPLICATION_ROLE}, ${TABLE}, 'select')
      and pg_has_role(${APPLICATION_ROLE}, 'member')`.pipe(
    Effect.map((ran) => isReleased(ran) && ran.some(({ number }) => number >= latest)),
    // WHY: without the table everything is left.
    Effect.orElseSucceed(() => false)
  )

const isReleased = (ran: ReadonlyArray<Ran>): boolean => ran[0]?.name === FIRST.name

const record = (sql: SqlClient.SqlClient, { number, name }: Ran) =>
  sql`insert into ${sql(TABLE)} (migration_id, name) values (${number}, ${name})`

const create = (sql: SqlClient.SqlClient, { schema, migrations }: SchemaFiles) =>
  sql.withTransaction(
    Effect.gen(function* () {
      // WHY: functions call each other, and are created in the order of their names.
      yield* sql`set local check_function_bodies = off`
      yield* Effect.forEach(schema, (text) => sql.unsafe(text), { discard: true })
      yield* Effect.forEach([FIRST, ...migrations], (made) => record(sql, made), { discard: true })
    })
  )

/**
 * Builds an index beside writers. WHY outside of a transaction: PostgreSQL allows it nowhere else. So it is repeatable:
 * an index that was left unfinished is removed, and a finished one stays.
 *
 * WHY without a time limit for locks: it waits for open transactions, and writers do not wait for it.
 */
const buildIndex = (sql: SqlClient.SqlClient, migration: Migration, name: string) =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ readonly valid: boolean }>`select indisvalid as valid from pg_index
      where indexrelid = to_regclass(${`${SCHEMA}.${name}`})`
    if (found?.valid === false) yield* sql`drop index concurrently ${sql(SCHEMA)}.${sql(name)}`
    if (found?.valid !== true) yield* sql.unsafe(migration.sql)
    yield* record(sql, migration)
  })

/** The index that a migration builds beside writers, which must be all that it does. */
export const indexOf = ({ sql }: Migration): string | undefined => INDEX.exec(sql)?.[1]

const change = (sql: SqlClient.SqlClient, migration: Migration) =>
  sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`set local lock_timeout = '${sql.literal(LOCK_TIMEOUT)}'`
        yield* sql.unsafe(migration.sql)
        yield* record(sql, migration)
      })
    )
    .pipe(Effect.retry({ schedule: RETRIES, while: isLockTimeout }))

const migrate = (sql: SqlClient.SqlClient, migration: Migration) => {
  const index = indexOf(migration)
  return index === undefined ? change(sql, migration) : buildIndex(sql, migration, index)
}

/** Brings the database to the schema of these files; the client must be the owner. */
export const run = (
  sql: SqlClient.SqlClient,
  files: SchemaFiles
): Effect.Effect<void, SqlError | UnreleasedSchema> =>
  Effect.gen(function* () {
    if (yield* isDone(sql, latestOf(files))) return
    const lock = yield* sql.reserve
    yield* Effect.acquireRelease(lock.executeRaw(`select pg_advisory_lock(${LOCK})`, []), () =>
      Effect.ignore(lock.executeRaw(`select pg_advisory_unlock(${LOCK})`, []))
    )
    yield* prepare(sql)
    const ran = yield* ranOf(sql)
    if (ran.length === 0) return yield* create(sql, files)
    if (!isReleased(ran)) return yield* new UnreleasedSchema()
    const last = Math.max(...ran.map(({ number }) => number))
    yield* Effect.forEach(
      files.migrations.filter(({ number }) => number > last),
      (migration) => migrate(sql, migration),
      { discard: true }
    )
  }).pipe(Effect.scoped)
