/**
 * `Transaction` on PostgreSQL, at READ COMMITTED, and snapshots at REPEATABLE READ; the database's clock is the one
 * clock.
 */
import * as RecordedEntries from "@attestry/core/RecordedEntries"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TenantTransaction } from "./TenantTransaction.js"

/** `Transaction` on PostgreSQL. */
export const layer: Layer.Layer<Transaction, never, TenantTransaction> = Layer.effect(
  Transaction,
  Effect.map(TenantTransaction, ({ transaction, snapshot }) => ({
    run: (org, work) =>
      RecordedEntries.within((attempt) => transaction(org, (now) => attempt({ now })), work),
    snapshot
  }))
)
