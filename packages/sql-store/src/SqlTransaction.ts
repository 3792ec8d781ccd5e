/** `Transaction` on PostgreSQL, at READ COMMITTED; the database's clock is the one clock. */
import { Transaction } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConnectionShares } from "./shared/ConnectionShares.js"
import { Pipeline } from "./shared/Pipeline.js"
import * as TenantTransaction from "./shared/TenantTransaction.js"

/** `Transaction` on PostgreSQL. */
export const layer: Layer.Layer<Transaction, never, TenantTransaction.TenantTransaction> =
  Layer.effect(
    Transaction,
    Effect.map(TenantTransaction.TenantTransaction, ({ transaction }) => ({
      run: (org, work) => transaction(org, (now) => work({ now }))
    }))
  )

/** What every adapter of this package needs. */
export const layerOrg: Layer.Layer<
  TenantTransaction.TenantTransaction,
  never,
  SqlClient.SqlClient
> = Layer.effect(
  TenantTransaction.TenantTransaction,
  Effect.map(
    Effect.all([SqlClient.SqlClient, Pipeline, ConnectionShares]),
    ([sql, { run }, shares]) => TenantTransaction.make(sql, run, shares)
  )
)
