/** Signing secrets of `NotificationStore` on PostgreSQL. */

import type { NotificationStore } from "@attestry/core/NotificationStore"
import { SigningSecret } from "@attestry/core/SigningSecret"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, secret, created_at, case when previous_secret is not null then
  jsonb_build_object('secret', previous_secret, 'signs_until', previous_signs_until) end as previous`

/** Signing secrets of `NotificationStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "findSecret" | "insertSecret" | "updateSecret">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    findSecret: (org, locking) =>
      rows.first(SigningSecret, {
        operation: "NotificationStore.findSecret",
        org,
        statement: sql`select ${sql.literal(COLUMNS)} from signing_secret
            where org_id = ${org} ${forUpdate(sql, locking)}`
      }),
    insertSecret: ({ org_id, secret, created_at, previous }) =>
      rows.wrote({
        operation: "NotificationStore.insertSecret",
        org: org_id,
        statement: sql`insert into signing_secret values (${org_id}, ${secret}, ${created_at},
                  ${previous?.secret ?? null}, ${previous?.signs_until ?? null})
                on conflict do nothing returning org_id`
      }),
    updateSecret: ({ org_id, secret, created_at, previous }) =>
      rows.run({
        operation: "NotificationStore.updateSecret",
        org: org_id,
        statement: sql`update signing_secret set secret = ${secret},
                  created_at = ${created_at}, previous_secret = ${previous?.secret ?? null},
                  previous_signs_until = ${previous?.signs_until ?? null}
                where org_id = ${org_id}`
      })
  }
})
