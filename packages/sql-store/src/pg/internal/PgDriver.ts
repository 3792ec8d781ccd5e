/**
 * `Driver` and `SqlClient` on a pool of `pg`, by its public API: clients, pools, named queries and `Submittable`.
 *
 * WHY not the client of `@effect/sql-pg`: it cannot name statements or send several in one round trip, cancels with a
 * connection of the pool, which has none to spare when all are busy and whose role may not cancel, and loses a
 * connection that opens for an interrupted caller.
 */
import type * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Pg from "pg"
import * as ConnectionShares from "../../internal/shared/ConnectionShares.js"
import { Driver } from "../../internal/transaction/Driver.js"
import * as CopyOut from "./CopyOut.js"
import * as PgCompiler from "./PgCompiler.js"
import * as PgConnection from "./PgConnection.js"
import type { ServerWatch } from "./ServerWatch.js"
import type { PooledClient, WatchedPool } from "./WatchedPool.js"

const INT8_OID = 20

/** Whole numbers of 64 bits come as text; ours are within the range of exact doubles. */
export const TYPES: Pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8_OID ? Number : Pg.types.getTypeParser(oid, format))
}

/** What a driver works with. */
export interface PgDriverOptions {
  readonly pool: WatchedPool
  /** Connections that are kept apart to cancel statements; their role may cancel those of the pool. */
  readonly canceller: WatchedPool
  readonly watch: ServerWatch
}

const CANCEL = "select pg_cancel_backend($1)"

/** WHY it never fails: cancelling is best-effort, and the server ends a statement by its own limits too. */
const cancelBy = (canceller: WatchedPool) => (backend: number | undefined) =>
  backend === undefined || canceller.ending
    ? Effect.void
    : Effect.ignore(
        Effect.scoped(
          Effect.flatMap(canceller.reserve, (client) =>
            Effect.tryPromise(() => client.query(CANCEL, [backend]))
          )
        )
      )

/** WHY not from the address: the driver also reads the environment. */
const spanAttributes = (pool: WatchedPool): ReadonlyArray<readonly [string, unknown]> => {
  const { database, host, port } = new Pg.Client(pool.options)
  return [
    ["db.system.name", "postgresql"],
    ["db.namespace", database],
    ["server.address", host],
    ["server.port", port]
  ]
}

/** The driver of a pool, and the client that compiles statements and runs those of no org. */
export const make = ({
  pool,
  canceller,
  watch
}: PgDriverOptions): Effect.Effect<
  Context.Context<SqlClient.SqlClient | Driver>,
  never,
  Reactivity.Reactivity
> =>
  Effect.gen(function* () {
    const connectionsMax = pool.options.max
    const options = {
      nameOf: PgConnection.makeNames(),
      types: TYPES,
      watch,
      cancel: cancelBy(canceller)
    }
    const connectionOf = (client: PooledClient) => PgConnection.make(client, options)
    const client = Effect.mapError(
      pool.reserve,
      (cause) => new SqlError({ cause, message: "Failed to acquire connection" })
    )
    const shares = ConnectionShares.make({
      ...ConnectionShares.limitsOf(connectionsMax),
      waitMillis: pool.free
    })
    const acquirer = Effect.map(client, connectionOf)
    const sql = yield* SqlClient.make({
      acquirer,
      compiler: PgCompiler.make(),
      spanAttributes: spanAttributes(pool)
    })
    const copyOut = CopyOut.make({
      connectionsMax,
      watch,
      reserve: (org) =>
        Effect.map(Effect.zipRight(shares.take(org), client), (reserved) => ({
          client: reserved,
          connection: connectionOf(reserved)
        }))
    })
    return Context.make(SqlClient.SqlClient, sql).pipe(
      Context.add(Driver, {
        reserve: (org) => Effect.zipRight(shares.take(org), acquirer),
        copyOut
      })
    )
  })
