/** `AgentAccountStore` on PostgreSQL. */
import { AgentAccountStore } from "@attestry/core/AgentAccountStore"
import { AgentAccounts } from "@attestry/core/AgentAccounts"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** `AgentAccountStore` on PostgreSQL. */
export const layer: Layer.Layer<AgentAccountStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    AgentAccountStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      return AgentAccountStore.of({
        find: (org) =>
          rows.first(AgentAccounts, {
            operation: "AgentAccountStore.find",
            org,
            statement: sql`select accounts from agent_accounts where org_id = ${org}`
          }),
        put: (org, { accounts }) =>
          rows.run({
            operation: "AgentAccountStore.put",
            org,
            statement: sql`insert into agent_accounts (org_id, accounts)
            values (${org}, ${JSON.stringify(accounts)}::jsonb)
            on conflict (org_id) do update set accounts = excluded.accounts`
          })
      })
    })
  )
