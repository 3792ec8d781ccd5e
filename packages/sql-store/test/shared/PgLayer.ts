/** A fresh, migrated database, dropped when the scope closes; see `GlobalPostgres`. */
import { randomBytes } from "node:crypto"
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import pg from "pg"
import { inject } from "vitest"
import type { Driver } from "../../src/internal/transaction/Driver.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as SqlStore from "../../src/SqlStore.js"
import { execute, withClient, withDatabase } from "./PgServer.js"

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** One database, opened as its owner, which bypasses row-level security. */
export class TestDatabase extends Context.Tag("@attestry/sql-store/test/TestDatabase")<
  TestDatabase,
  {
    readonly url: Redacted.Redacted<string>
    readonly query: (
      text: string,
      values?: ReadonlyArray<unknown>
    ) => Effect.Effect<ReadonlyArray<Row>, unknown>
  }
>() {}

/** The address of another database of the same server. */
export const sibling = (
  url: Redacted.Redacted<string>,
  database: string
): Redacted.Redacted<string> => Redacted.make(withDatabase(Redacted.value(url), database))

const freshName = (): string => `attestry_test_${randomBytes(6).toString("hex")}`

/** Runs a statement as the role that made the server's databases. */
const administer = (statement: string): Effect.Effect<void> =>
  Effect.promise(() => execute(inject("postgres").url, statement))

/** The name of a database that is dropped with the scope. */
const create = (options: string): Effect.Effect<string, never, Scope.Scope> => {
  const name = freshName()
  return Effect.acquireRelease(administer(`create database ${name} ${options}`), () =>
    administer(`drop database ${name} with (force)`)
  ).pipe(Effect.as(name))
}

const urlOf = (name: string): string => withDatabase(inject("postgres").url, name)

/** A connection of its own, closed with the scope. */
export const connect = (
  url: Redacted.Redacted<string>
): Effect.Effect<pg.Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) })
      client.on("error", () => undefined)
      await client.connect()
      await client.query("set search_path to attestry, pg_temp")
      return client
    }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

/** Opens a migrated database of any server. */
export const open = (
  url: Redacted.Redacted<string>
): Effect.Effect<TestDatabase["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* connect(url)
    return TestDatabase.of({
      url,
      query: (statement, values = []) =>
        Effect.map(
          Effect.tryPromise({
            try: () => client.query<Row>(statement, [...values]),
            catch: (cause) => cause
          }),
          ({ rows }) => rows
        )
    })
  })

const fresh = (options: string) =>
  Effect.flatMap(create(options), (name) => open(Redacted.make(urlOf(name))))

/** A migrated database without anything in it. */
export const layerDatabase: Layer.Layer<TestDatabase> = Layer.scoped(
  TestDatabase,
  Effect.suspend(() => fresh(`template ${inject("postgres").template}`))
)

/** A database that has not been migrated. */
export const layerEmpty: Layer.Layer<TestDatabase> = Layer.scoped(
  TestDatabase,
  Effect.suspend(() => fresh(""))
)

const asPlainOwner = (name: string): string => {
  const { plainOwner } = inject("postgres")
  return urlOf(name).replace(/^([a-z]+:\/\/)[^@]*@/, `$1${plainOwner}:${plainOwner}@`)
}

/** Makes the plain owner with its database, unless a test has; tests of other workers wait. */
const makePlainOwner = async (): Promise<void> => {
  const { plainOwner, url } = inject("postgres")
  await withClient(url, async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [plainOwner])
    const { rows } = await client.query("select from pg_database where datname = $1", [plainOwner])
    if (rows.length > 0) return
    await client.query(`create role ${plainOwner} login nosuperuser nocreaterole
      password '${plainOwner}'`)
    await client.query(`grant attestry_app to ${plainOwner}`)
    const making = `${plainOwner}_new`
    await client.query(`create database ${making} owner ${plainOwner}`)
    await Effect.runPromise(PgStore.migrate({ url: Redacted.make(asPlainOwner(making)) }))
    await client.query(`alter database ${making} rename to ${plainOwner}`)
  })
}

/**
 * A migrated database whose owner is no superuser and may make no roles, as on managed servers; the application role
 * exists and is granted.
 */
export const layerPlainOwner: Layer.Layer<TestDatabase> = Layer.scoped(
  TestDatabase,
  Effect.gen(function* () {
    yield* Effect.promise(makePlainOwner)
    const { plainOwner } = inject("postgres")
    const name = yield* create(`template ${plainOwner} owner ${plainOwner}`)
    return yield* open(Redacted.make(asPlainOwner(name)))
  })
)

/** Every port and the client under it, as the application role, on the database that is given. */
export const layerOn = (
  options: PgStore.PgStoreOptions
): Layer.Layer<Ports | SqlClient | Driver, StoreError> =>
  SqlStore.layer.pipe(Layer.provideMerge(PgStore.layerClient(options)))

/** Every port and the client under it, on a database that a layer makes. */
export const layerFrom = (
  database: Layer.Layer<TestDatabase>,
  options: Omit<PgStore.PgStoreOptions, "url">
): Layer.Layer<Ports | SqlClient | Driver | TestDatabase, StoreError> =>
  Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => layerOn({ ...options, url }))).pipe(
    Layer.provideMerge(database)
  )

/** Every port, the client under it with so many connections, and the database itself: all fresh. */
export const layerWith = (
  options: Omit<PgStore.PgStoreOptions, "url">
): Layer.Layer<Ports | SqlClient | Driver | TestDatabase, StoreError> =>
  layerFrom(layerDatabase, options)

/** Every port, the client under it, and the database itself: all of it fresh. */
export const layer: Layer.Layer<Ports | SqlClient | Driver | TestDatabase, StoreError> = layerWith(
  {}
)

/** The same, on a database whose owner has no privileges beyond it. */
export const layerOnPlainOwner: Layer.Layer<Ports | SqlClient | Driver | TestDatabase, StoreError> =
  layerFrom(layerPlainOwner, {})
