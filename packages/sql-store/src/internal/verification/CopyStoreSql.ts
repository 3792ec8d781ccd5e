/** `CopyStore` on PostgreSQL. */
import { CopyStore, erasedLogin } from "@attestry/core/CopyStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Delivery = Schema.Struct({ id: Schema.String, notification: Schema.Unknown })

/** `CopyStore` on PostgreSQL. */
export const layer: Layer.Layer<CopyStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    CopyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const contains = (text: Fragment, parts: ReadonlyArray<string>) =>
        sql`exists (select from unnest(${[...parts]}::text[]) p (part)
          where strpos(${text}, p.part) > 0)`

      return CopyStore.of({
        withholdAnswers: (org, parts) =>
          rows.run({
            operation: "CopyStore.withholdAnswers",
            org,
            statement: sql`update idempotency set outcome = 'Withheld', code = null,
                media_type = null, answer = null
              where org_id = ${org} and outcome = 'Answered' and ${contains(sql`answer`, parts)}`
          }),
        listDeliveries: (org, parts) =>
          rows.all(Delivery, {
            operation: "CopyStore.listDeliveries",
            org,
            statement: sql`select delivery_id as id, notification from outbox
              where org_id = ${org} and ${contains(sql`notification::text`, parts)}`
          }),
        putDelivery: (org, { id, notification }) =>
          rows.run({
            operation: "CopyStore.putDelivery",
            org,
            statement: sql`select delivery_erase(${id}, ${JSON.stringify(notification)}::jsonb)`
          }),
        eraseAllowances: (org, { environment, texts, left }) =>
          rows.run({
            operation: "CopyStore.eraseAllowances",
            org,
            statement: sql`select allowance_erase(${environment}, ${[...texts]}::text[], ${left})`
          }),
        eraseCreator: (org, { number, texts, left }) =>
          rows.run({
            operation: "CopyStore.eraseCreator",
            org,
            statement: sql`select creator_erase(${number}, ${[...texts]}::text[], ${left})`
          }),
        erasePerson: (org, { user, texts, left }) =>
          rows.run({
            operation: "CopyStore.erasePerson",
            org,
            statement: sql`select person_erase(${user}, ${[...texts]}::text[], ${left},
              ${erasedLogin(user)})`
          })
      })
    })
  )
