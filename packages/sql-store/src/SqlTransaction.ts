/** `Transaction` on PostgreSQL, at READ COMMITTED; the database's clock is the one clock. */
import { Transaction } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlOrg from "./shared/SqlOrg.js"

/** `Transaction` on PostgreSQL. */
export const layer: Layer.Layer<Transaction, never, SqlOrg.SqlOrg> = Layer.effect(
  Transaction,
  Effect.map(SqlOrg.SqlOrg, ({ transaction }) => ({
    run: (org, work) => transaction(org, (now) => work({ now }))
  }))
)

/** What every adapter of this package needs. */
export const layerOrg: Layer.Layer<SqlOrg.SqlOrg, never, SqlClient.SqlClient> = Layer.effect(
  SqlOrg.SqlOrg,
  Effect.map(SqlClient.SqlClient, SqlOrg.make)
)
