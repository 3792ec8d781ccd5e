/**
 * Does the server answer, and does the database exist?
 *
 * One connection asks both; a missing database is created. Tables and roles are not made here.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import pg from "pg"

/** How to reach one database of the server; fits a `pg` pool once the password is unwrapped. */
export interface Connection {
  /** The folder of the Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted<string>
  readonly database: string
}

/** The server refused a connection or a statement; `code` is its SQLSTATE, if it gave one. */
export class DatabaseRefused extends Schema.TaggedError<DatabaseRefused>()("DatabaseRefused", {
  code: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `the database refused: ${this.reason}: see the server's log`
  }
}

/** WHY so long: the server runs, so that only a busy machine delays it. */
const connectTimeoutMs = 60_000
const noSuchDatabase = "3D000"
const maintenanceDatabase = "postgres"

const call = <A>(run: () => Promise<A>): Effect.Effect<A, DatabaseRefused> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new DatabaseRefused({
        code: cause instanceof Error && "code" in cause ? String(cause.code) : "",
        reason: cause instanceof Error ? cause.message : String(cause)
      })
  })

const connect = (connection: Connection): Effect.Effect<pg.Client, DatabaseRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const client = new pg.Client({
        ...connection,
        password: Redacted.value(connection.password),
        connectionTimeoutMillis: connectTimeoutMs
      })
      // WHY: an error event without a listener would end the whole process.
      client.on("error", () => undefined)
      return client
    }),
    (client) => Effect.ignore(call(() => client.end()))
  ).pipe(Effect.tap((client) => call(() => client.connect())))

const create = (connection: Connection): Effect.Effect<void, DatabaseRefused> =>
  connect({ ...connection, database: maintenanceDatabase }).pipe(
    Effect.flatMap((client) =>
      call(() => client.query(`create database ${pg.escapeIdentifier(connection.database)}`))
    ),
    Effect.scoped
  )

/** The same as a connection string. */
export const toUrl = ({
  database,
  host,
  password,
  port,
  user
}: Connection): Redacted.Redacted<string> =>
  Redacted.make(
    `postgresql://${user}:${Redacted.value(password)}@/${encodeURIComponent(database)}` +
      `?host=${encodeURIComponent(host)}&port=${port}`
  )

/** Returns when the database accepts connections, and creates it first if it is missing. */
export const ensure = (connection: Connection): Effect.Effect<void, DatabaseRefused> =>
  connect(connection).pipe(
    Effect.scoped,
    Effect.catchIf(
      ({ code }) => code === noSuchDatabase,
      () => create(connection)
    ),
    Effect.asVoid
  )
