/** Copies of recorded values, of `AuditStore` on PostgreSQL. */
import { type AuditStore, COMMIT_MEMBERS, erasedLogin } from "@attestry/core/AuditStore"
import { EnvironmentId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const SnapshotKey = Schema.Struct({ environment: EnvironmentId, index: Schema.Int })

const Delivery = Schema.Struct({ id: Schema.String, notification: Schema.Unknown })

/** Copies of recorded values, of `AuditStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    AuditStore["Type"],
    | "withholdAnswers"
    | "listDeliveries"
    | "putDelivery"
    | "eraseTexts"
    | "listCommits"
    | "eraseAddresses"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const contains = (text: Fragment, parts: ReadonlyArray<string>) =>
    sql`exists (select from unnest(${[...parts]}::text[]) p (part)
          where strpos(${text}, p.part) > 0)`

  return {
    withholdAnswers: (org, parts) =>
      rows.run({
        operation: "AuditStore.withholdAnswers",
        org,
        statement: sql`update idempotency set outcome = 'Withheld', code = null,
                media_type = null, answer = null
              where org_id = ${org} and outcome = 'Answered' and ${contains(sql`answer`, parts)}`
      }),
    listDeliveries: (org, parts) =>
      rows.all(Delivery, {
        operation: "AuditStore.listDeliveries",
        org,
        statement: sql`select delivery_id as id, notification from outbox
              where org_id = ${org} and ${contains(sql`notification::text`, parts)}`
      }),
    putDelivery: (org, { id, notification }) =>
      rows.run({
        operation: "AuditStore.putDelivery",
        org,
        statement: sql`select delivery_erase(${id}, ${JSON.stringify(notification)}::jsonb)`
      }),
    eraseTexts: (org, erased) => {
      const [texts, left] = [sql`${[...erased.texts]}::text[]`, erased.left]
      return rows.run({
        operation: "AuditStore.eraseTexts",
        org,
        statement:
          "environment" in erased
            ? sql`select allow_list_period_erase(${erased.environment}, ${texts}, ${left})`
            : "trail" in erased
              ? sql`select commits_erase(${erased.trail}, ${texts}, ${left})`
              : "number" in erased
                ? sql`select creator_erase(${erased.number}, ${texts}, ${left})`
                : sql`select person_erase(${erased.user}, ${texts}, ${left},
                    ${erasedLogin(erased.user)})`
      })
    },
    listCommits: (org, { trail, texts }) =>
      rows.all(SnapshotKey, {
        operation: "AuditStore.listCommits",
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
    eraseAddresses: (org, { target, urls, emails, at }) =>
      rows.run({
        operation: "AuditStore.eraseAddresses",
        org,
        statement: sql`select addresses_erase(${target}, ${[...urls]}::text[],
              ${[...emails]}::text[], ${at})`
      })
  }
})
