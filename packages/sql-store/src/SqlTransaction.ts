/** `Transaction` on PostgreSQL, at READ COMMITTED; the database's clock is the one clock. */
import { Transaction } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConnectionShares } from "./shared/ConnectionShares.js"
import { RoundTrip } from "./shared/RoundTrip.js"
import * as SqlOrg from "./shared/SqlOrg.js"

/** `Transaction` on PostgreSQL. */
export const layer: Layer.Layer<Transaction, never, SqlOrg.SqlOrg> = Layer.effect(
  Transaction,
  Effect.map(SqlOrg.SqlOrg, ({ transaction, transactionAfter }) => ({
    run: (org, work) => transaction(org, (now) => work({ now })),
    runAfter: (org, first, work) =>
      transactionAfter(org, first, (found, now) => work(found, { now }))
  }))
)

/** What every adapter of this package needs. */
export const layerOrg: Layer.Layer<SqlOrg.SqlOrg, never, SqlClient.SqlClient> = Layer.effect(
  SqlOrg.SqlOrg,
  Effect.map(
    Effect.all([SqlClient.SqlClient, RoundTrip, ConnectionShares]),
    ([sql, { run }, shares]) => SqlOrg.make(sql, run, shares)
  )
)
