/** `ErasureStore` on PostgreSQL. */
import { COMMIT_MEMBERS, ErasureStore, erasedLogin } from "@attestry/core/ErasureStore"
import { EnvironmentId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const SnapshotKey = Schema.Struct({ environment: EnvironmentId, index: Schema.Int })

const Delivery = Schema.Struct({ id: Schema.String, notification: Schema.Unknown })

/** `ErasureStore` on PostgreSQL. */
export const layer: Layer.Layer<ErasureStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ErasureStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const contains = (text: Fragment, parts: ReadonlyArray<string>) =>
        sql`exists (select from unnest(${[...parts]}::text[]) p (part)
          where strpos(${text}, p.part) > 0)`

      return ErasureStore.of({
        withholdAnswers: (org, parts) =>
          rows.run({
            operation: "ErasureStore.withholdAnswers",
            org,
            statement: sql`update idempotency set outcome = 'Withheld', code = null,
                media_type = null, answer = null
              where org_id = ${org} and outcome = 'Answered' and ${contains(sql`answer`, parts)}`
          }),
        listDeliveries: (org, parts) =>
          rows.all(Delivery, {
            operation: "ErasureStore.listDeliveries",
            org,
            statement: sql`select delivery_id as id, notification from outbox
              where org_id = ${org} and ${contains(sql`notification::text`, parts)}`
          }),
        putDelivery: (org, { id, notification }) =>
          rows.run({
            operation: "ErasureStore.putDelivery",
            org,
            statement: sql`select delivery_erase(${id}, ${JSON.stringify(notification)}::jsonb)`
          }),
        eraseAllowedPeriods: (org, { environment, texts, left }) =>
          rows.run({
            operation: "ErasureStore.eraseAllowedPeriods",
            org,
            statement: sql`select allow_list_period_erase(${environment}, ${[...texts]}::text[], ${left})`
          }),
        listCommits: (org, { trail, texts }) =>
          rows.all(SnapshotKey, {
            operation: "ErasureStore.listCommits",
            org,
            statement: sql`with said as materialized (
                select f.digest from snapshot_flows f where f.org_id = ${org} and exists (
                  select from jsonb_array_elements(f.flows) v (view)
                  cross join unnest(${[...COMMIT_MEMBERS]}::text[]) m (name)
                  where v.view ->> 'trail_id' = ${trail}
                    and v.view -> 'git_commit_info' ->> m.name = any(${[...texts]}::text[])))
              select distinct r.environment_id as environment, r.first_index as index
                from snapshot_row r where r.org_id = ${org}
                  and r.flows_digest in (select s.digest from said s) order by 1, 2`
          }),
        eraseCommits: (org, { trail, texts, left }) =>
          rows.run({
            operation: "ErasureStore.eraseCommits",
            org,
            statement: sql`select commits_erase(${trail}, ${[...texts]}::text[], ${left})`
          }),
        eraseAddresses: (org, { target, urls, emails, at }) =>
          rows.run({
            operation: "ErasureStore.eraseAddresses",
            org,
            statement: sql`select addresses_erase(${target}, ${[...urls]}::text[],
              ${[...emails]}::text[], ${at})`
          }),
        eraseCreator: (org, { number, texts, left }) =>
          rows.run({
            operation: "ErasureStore.eraseCreator",
            org,
            statement: sql`select creator_erase(${number}, ${[...texts]}::text[], ${left})`
          }),
        erasePerson: (org, { user, texts, left }) =>
          rows.run({
            operation: "ErasureStore.erasePerson",
            org,
            statement: sql`select person_erase(${user}, ${[...texts]}::text[], ${left},
              ${erasedLogin(user)})`
          })
      })
    })
  )
