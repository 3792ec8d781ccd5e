/**
 * Every port on a PostgreSQL server: migrates as the owner, then works as the application role.
 *
 * The only import of `@effect/sql-pg`. A server that is away or silent is noticed within two seconds, and
 * nothing has to be restarted when it is back; one that is busy is waited for longer (`ServerWatch`).
 */
import type { Ports } from "@attestry/core/Ports"
import { StoreError } from "@attestry/core/StoreError"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Pg from "pg"
import * as Migrations from "../Migrations.js"
import * as SqlStore from "../SqlStore.js"
import * as ConnectionShares from "../shared/ConnectionShares.js"
import { CopyOut } from "../shared/CopyOut.js"
import { NamedStatements } from "../shared/NamedStatements.js"
import { Pipeline } from "../shared/Pipeline.js"
import * as CopyOutPg from "./internal/CopyOutPg.js"
import * as PoolMetrics from "./internal/PoolMetrics.js"
import * as PreparedQueries from "./internal/PreparedQueries.js"
import * as ServerWatch from "./internal/ServerWatch.js"
import * as SessionSettings from "./internal/SessionSettings.js"
import * as Statistics from "./internal/Statistics.js"
import * as WatchedClient from "./internal/WatchedClient.js"
import { FREE_CONNECTION_WAIT_MS, WatchedPool } from "./internal/WatchedPool.js"

/** Where a server is, and how it is used. */
export interface PgStoreOptions {
  readonly url: Redacted.Redacted<string>
  /** The address to migrate with, where that needs another role. */
  readonly migrationUrl?: Redacted.Redacted<string>
  readonly connectionsMax?: number
}

const CONNECTIONS_MAX = 10

const INT8_OID = 20

/** Whole numbers of 64 bits come as text; ours are within the range of exact doubles. */
const types: Pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8_OID ? Number : Pg.types.getTypeParser(oid, format))
}

interface ClientOptions {
  readonly url: Redacted.Redacted<string>
  readonly max: number
  readonly setup: string
  /** Whether the pool's figures are among the metrics. */
  readonly isMeasured?: boolean
}

const watchOf = (
  url: Redacted.Redacted<string>
): Effect.Effect<ServerWatch.ServerWatch, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const config = { connectionString: Redacted.value(url), application_name: "attestry-watch" }
      return ServerWatch.make((backends) => WatchedClient.working(config, backends))
    }),
    ({ close }) => Effect.sync(close)
  )

const pool = (
  { url, max, setup }: ClientOptions,
  watch: ServerWatch.ServerWatch
): Effect.Effect<Pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new WatchedPool({
          connectionString: Redacted.value(url),
          max,
          application_name: "attestry",
          types,
          setup,
          watch
        })
    ),
    (made) => Effect.promise(() => made.end())
  )

const named = (from: Pg.Pool): Context.Tag.Service<NamedStatements> => ({
  run: ({ name, text }, values) =>
    Effect.tryPromise({
      try: () => from.query({ name, text, values: [...values] }),
      catch: (cause) => new SqlError({ cause, message: `statement \`${name}\` failed` })
    }).pipe(Effect.map(({ rows }) => rows))
})

const CANCEL = /^SELECT pg_cancel_backend\(\d+\)$/

/**
 * WHY: the client cancels an interrupted query with one of the pool's own connections. The application
 * role may not cancel what the connection's role runs, and when all connections wait there is none to
 * cancel with; so cancelling, and nothing else, goes to a connection apart that keeps its own role.
 */
const cancellable = (made: Pg.Pool, canceller: Pg.Pool): Pg.Pool =>
  new Proxy(made, {
    get: (target, key) => {
      if (key === "query")
        return (text: string, done: () => void) =>
          (CANCEL.test(text) ? canceller : made).query(text, done)
      const value: unknown = Reflect.get(target, key)
      return typeof value === "function" ? value.bind(target) : value
    }
  })

const client = (
  options: ClientOptions
): Layer.Layer<SqlClient.SqlClient | NamedStatements | CopyOut, StoreError> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const watch = yield* watchOf(options.url)
      const made = yield* pool(options, watch)
      if (options.isMeasured === true) yield* PoolMetrics.measure(made)
      const canceller = yield* pool(
        { url: options.url, max: 1, setup: SessionSettings.SESSION },
        watch
      )
      const sql = yield* PgClient.fromPool({
        acquire: Effect.succeed(cancellable(made, canceller))
      })
      // WHY: the client forgets a connection that opens for an interrupted caller, and the pool waits for it for ever.
      const reserved = Object.assign(sql, { reserve: Effect.uninterruptible(sql.reserve) })
      const shares = ConnectionShares.make({
        ...ConnectionShares.limitsOf(options.max),
        waitMillis: FREE_CONNECTION_WAIT_MS
      })
      return Context.make(SqlClient.SqlClient, reserved).pipe(
        Context.add(NamedStatements, named(made)),
        Context.add(CopyOut, CopyOutPg.make(made, { connectionsMax: options.max, watch, shares })),
        Context.add(ConnectionShares.ConnectionShares, shares),
        Context.add(Pipeline, { run: PreparedQueries.run })
      )
    })
  ).pipe(
    Layer.provide(Reactivity.layer),
    Layer.mapError((cause) => new StoreError({ operation: "connect", cause }))
  )

/** Brings the database to this program's version, and gives it statistics where it has none. */
export const migrate = ({ url, migrationUrl }: PgStoreOptions): Effect.Effect<void, StoreError> =>
  Effect.provide(
    Effect.zipRight(Migrations.run, Statistics.gather),
    client({ url: migrationUrl ?? url, max: 2, setup: SessionSettings.SESSION })
  )

/** A client that works as the application role. */
export const layerClient = ({
  url,
  connectionsMax
}: PgStoreOptions): Layer.Layer<SqlClient.SqlClient | NamedStatements | CopyOut, StoreError> =>
  client({
    url,
    max: connectionsMax ?? CONNECTIONS_MAX,
    setup: SessionSettings.APPLICATION,
    isMeasured: true
  })

/** Every port, on a database that is brought to this program's version first. */
export const layer = (options: PgStoreOptions): Layer.Layer<Ports, StoreError> =>
  SqlStore.layer.pipe(
    Layer.provide(layerClient(options)),
    Layer.provide(Layer.effectDiscard(migrate(options)))
  )
