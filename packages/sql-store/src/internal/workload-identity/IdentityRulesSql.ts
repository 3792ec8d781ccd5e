/** Identity rules of `WorkloadIdentityStore` on PostgreSQL. A foreign key deletes the rules of an account with it. */
import { IdentityRule } from "@attestry/core/IdentityRule"
import { ServiceAccount } from "@attestry/core/ServiceAccount"
import type { AccountRules, WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Rules = Schema.Struct({ rules: Schema.Array(IdentityRule) })

const AccountRow = Schema.Struct({ ...ServiceAccount.fields, rules: Schema.Array(IdentityRule) })

const toAccountRules = ({ rules, ...account }: typeof AccountRow.Type): AccountRules => ({
  account,
  rules
})

/** Identity rules of `WorkloadIdentityStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    WorkloadIdentityStore["Type"],
    "listRules" | "listAccounts" | "replaceRules" | "useToken" | "removeEndedKeys"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    listRules: ({ org_id: org, id }) =>
      Effect.map(
        rows.first(Rules, {
          operation: "WorkloadIdentityStore.listRules",
          org,
          statement: sql`select rules from identity_rule
              where org_id = ${org} and service_account_id = ${id}`
        }),
        Option.match({ onNone: () => [], onSome: ({ rules }) => rules })
      ),
    listAccounts: (org, issuer) =>
      Effect.map(
        rows.all(AccountRow, {
          operation: "WorkloadIdentityStore.listAccounts",
          org,
          // WHY no join: by old statistics it compares every account with every rule.
          statement: sql`select a.org_id, a.service_account_id as id, a.name, a.privilege,
                a.description, a.creating_user_id, a.created_at,
                (select r.rules from identity_rule r where r.org_id = a.org_id
                  and r.service_account_id = a.service_account_id) as rules
              from service_account a
              where a.org_id = ${org} and a.service_account_id = any(array(
                select r.service_account_id from identity_rule r where r.org_id = ${org}
                  and r.rules @> ${JSON.stringify([{ issuer }])}::jsonb))
              order by a.name`
        }),
        (found) => found.map(toAccountRules)
      ),
    replaceRules: ({ org_id: org, id }, rules) =>
      Effect.zipRight(
        rows.run({
          operation: "WorkloadIdentityStore.replaceRules",
          org,
          statement: sql`insert into identity_rule (org_id, service_account_id, rules)
              values (${org}, ${id}, ${JSON.stringify(rules)}::jsonb)
              on conflict (org_id, service_account_id) do update set rules = excluded.rules`
        }),
        rows.run({
          operation: "WorkloadIdentityStore.name",
          org,
          statement: sql`select oidc_issuer_name(${org}, ${id},
              (select coalesce(array_agg(value), '{}') from jsonb_array_elements_text(
                ${JSON.stringify(rules.map(({ issuer }) => issuer))}::jsonb)))`
        })
      ),
    useToken: ({ org, token, endsAt }) =>
      Effect.zipRight(
        rows.run({
          operation: "WorkloadIdentityStore.forgetUses",
          org,
          statement: sql`delete from identity_token_use where org_id = ${org}
              and ends_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8`
        }),
        rows.wrote({
          operation: "WorkloadIdentityStore.useToken",
          org,
          statement: sql`insert into identity_token_use (org_id, token, ends_at)
              values (${org}, ${token}, ${endsAt}) on conflict do nothing returning token`
        })
      ),
    removeEndedKeys: ({ org_id: org, id }, before) =>
      rows.run({
        operation: "WorkloadIdentityStore.removeEndedKeys",
        org,
        statement: sql`select api_key_forget(${org}, ${id}, ${before})`
      })
  }
})
