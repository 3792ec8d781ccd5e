/** `ServiceAccountStore` on PostgreSQL. A foreign key deletes the keys of an account with it. */
import { ServiceAccount } from "@attestry/core/ServiceAccount"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** `ServiceAccountStore` on PostgreSQL. */
export const layer: Layer.Layer<
  ServiceAccountStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.effect(
  ServiceAccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* TenantQueries.make

    const columns = sql.literal(`org_id, service_account_id as id, name, privilege, description,
        creating_user_id, created_at`)

    return ServiceAccountStore.of({
      findByName: ({ org, name }, locking) =>
        rows.first(ServiceAccount, {
          operation: "ServiceAccountStore.findByName",
          org,
          statement: sql`select ${columns} from service_account
            where org_id = ${org} and name = ${name} ${forUpdate(sql, locking)}`
        }),
      list: (org) =>
        rows.list(ServiceAccount, {
          operation: "ServiceAccountStore.list",
          from: "list",
          org,
          statement: sql`select ${columns} from service_account
              where org_id = ${org} order by name`
        }),
      insert: (account) =>
        rows.wrote({
          operation: "ServiceAccountStore.insert",
          org: account.org_id,
          statement: sql`insert into service_account (org_id, service_account_id, name, privilege,
                  description, creating_user_id, created_at)
                values (${account.org_id}, ${account.id}, ${account.name}, ${account.privilege},
                  ${account.description}, ${account.creating_user_id}, ${account.created_at})
                on conflict (org_id, name) do nothing returning service_account_id`
        }),
      update: (account) =>
        rows.run({
          operation: "ServiceAccountStore.update",
          org: account.org_id,
          statement: sql`update service_account
                set privilege = ${account.privilege}, description = ${account.description}
                where org_id = ${account.org_id} and service_account_id = ${account.id}`
        }),
      remove: (account) =>
        rows.run({
          operation: "ServiceAccountStore.remove",
          org: account.org_id,
          statement: sql`delete from service_account
                where org_id = ${account.org_id} and service_account_id = ${account.id}`
        })
    })
  })
)
