/** Coming decays of `NotificationStore` on PostgreSQL: across orgs through a function, within one by statements. */
import { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const RefRow = Schema.Struct({ org: OrgId, environment: EnvironmentId })

/** Coming decays of `NotificationStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "listDecaying" | "markDecay">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    listDecaying: (withinSeconds) =>
      sql`select * from decaying_environments(${withinSeconds})`.pipe(
        Effect.flatMap(Schema.decodeUnknown(Schema.Array(RefRow))),
        SqlFailure.toStoreError("NotificationStore.listDecaying")
      ),
    markDecay: ({ environment, org }, dueAt) =>
      rows.wrote({
        operation: "NotificationStore.markDecay",
        org,
        statement: sql`with passed as (
            delete from decay_notice where org_id = ${org} and environment_id = ${environment}
              and due_at < ${dueAt} and due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8
          )
          insert into decay_notice (org_id, environment_id, due_at)
            values (${org}, ${environment}, ${dueAt}) on conflict do nothing returning due_at`
      })
  }
})
