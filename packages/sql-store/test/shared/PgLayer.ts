/** A fresh, migrated database for whoever asks, dropped when the scope closes; see `GlobalPostgres`. */
import { randomBytes } from "node:crypto"
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import pg from "pg"
import { inject } from "vitest"
import * as PgStore from "../../src/pg/PgStore.js"
import * as SqlStore from "../../src/SqlStore.js"
import { execute, withDatabase } from "./PgServer.js"

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** One database, opened as its owner: past row-level security, for looking and for meddling. */
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

const create = (template: string | undefined): Effect.Effect<string, never, Scope.Scope> => {
  const server = inject("postgres")
  const name = `attestry_test_${randomBytes(6).toString("hex")}`
  const copying = template === undefined ? "" : ` template ${template}`
  return Effect.acquireRelease(
    Effect.promise(() => execute(server.url, `create database ${name}${copying}`)),
    () => Effect.promise(() => execute(server.url, `drop database ${name} with (force)`))
  ).pipe(Effect.as(withDatabase(server.url, name)))
}

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

const open = (text: string) =>
  Effect.gen(function* () {
    const url = Redacted.make(text)
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

/** A migrated database without anything in it. */
export const layerDatabase: Layer.Layer<TestDatabase> = Layer.scoped(
  TestDatabase,
  Effect.suspend(() => Effect.flatMap(create(inject("postgres").template), open))
)

/** A database that has not been migrated. */
export const layerEmpty: Layer.Layer<TestDatabase> = Layer.scoped(
  TestDatabase,
  Effect.suspend(() => Effect.flatMap(create(undefined), open))
)

/** Every port and the client under it, as the application role, on the database that is given. */
export const layerOn = (
  url: Redacted.Redacted<string>
): Layer.Layer<Ports | SqlClient, StoreError> =>
  SqlStore.layer.pipe(Layer.provideMerge(PgStore.layerClient({ url })))

/** Every port, the client under it, and the database itself: all of it fresh. */
export const layer: Layer.Layer<Ports | SqlClient | TestDatabase, StoreError> = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) => layerOn(url))
).pipe(Layer.provideMerge(layerDatabase))
