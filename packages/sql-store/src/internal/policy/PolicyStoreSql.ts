/** `PolicyStore` on PostgreSQL. A policy has the text of its latest version, so that no read needs both. */
import { EnvironmentName, type OrgId, PolicyId } from "@attestry/core/Identifier"
import { Policy, PolicyVersionRecord } from "@attestry/core/Policy"
import { MarkedConsumersMax, PolicyStore } from "@attestry/core/PolicyStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, policy_id as id, name, description, version, policy_yaml, reads, created_by,
  created_at, last_modified_at`

const VERSION_COLUMNS = `org_id, policy_id, version, comment, policy_yaml, dump, created_by, timestamp`

const Consumer = Schema.Struct({ policy_id: PolicyId, environment: EnvironmentName })

/** `PolicyStore` on PostgreSQL. */
export const layer: Layer.Layer<PolicyStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    PolicyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const markedMax = yield* MarkedConsumersMax
      const columns = sql.literal(COLUMNS)
      const texts = (values: ReadonlyArray<string>) =>
        sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`

      const versionColumns = sql.literal(VERSION_COLUMNS)
      const versionValues = (version: PolicyVersionRecord) =>
        sql`${version.org_id}::text, ${version.policy_id}::text, ${version.version}::int4,
        ${version.comment}::text, ${version.policy_yaml}::text,
        ${JSON.stringify(version.dump)}::json, ${version.created_by}::text,
        ${version.timestamp}::int8`

      const select = (operation: string, org: OrgId, condition: ReturnType<typeof texts>) => ({
        operation,
        org,
        statement: sql`select ${columns} from policy
          where org_id = ${org} and ${condition} order by name`
      })

      const versionsOf = (org: OrgId, ids: ReadonlyArray<PolicyId>) =>
        ids.length === 0
          ? Effect.succeed([])
          : rows.list(PolicyVersionRecord, {
              operation: "PolicyStore.listVersions",
              from: "list",
              org,
              statement: sql`select ${versionColumns} from policy_version
                where org_id = ${org} and policy_id in (select ${texts(ids)})
                order by policy_id, version`
            })

      const versionsAt = (
        org: OrgId,
        keys: ReadonlyArray<{ readonly id: string; readonly version: number }>
      ) =>
        rows.all(PolicyVersionRecord, {
          operation: "PolicyStore.listVersions",
          org,
          statement: sql`select ${versionColumns} from policy_version
            where org_id = ${org} and (policy_id, version) in (
              select k.id, k.version
              from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (id text, version int4))`
        })

      return PolicyStore.of({
        findByName: ({ org, name }, locking) =>
          rows.first(Policy, {
            operation: "PolicyStore.findByName",
            org,
            statement: sql`select ${columns} from policy
            where org_id = ${org} and name = ${name} ${forUpdate(sql, locking)}`
          }),
        holdByNames: (org, names) =>
          rows.all(Policy, {
            operation: "PolicyStore.holdByNames",
            org,
            // WHY ordered: two transactions that lock the same policies never deadlock.
            statement: sql`select ${columns} from policy
            where org_id = ${org} and name in (select ${texts(names)})
            order by name for share`
          }),
        list: (org, ids) => {
          if (ids === undefined)
            return rows.list(Policy, {
              ...select("PolicyStore.list", org, sql`true`),
              from: "list"
            })
          if (ids.length === 0) return Effect.succeed([])
          // WHY not as a list: what reads policies by id decides by them, and a damaged one must fail it.
          return rows.all(
            Policy,
            select("PolicyStore.list", org, sql`policy_id in (select ${texts(ids)})`)
          )
        },
        listVersions: (org, which) =>
          "keys" in which ? versionsAt(org, which.keys) : versionsOf(org, which.policies),
        listConsumers: (org, ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : rows.all(Consumer, {
                operation: "PolicyStore.listConsumers",
                org,
                statement: sql`select p.id as policy_id, e.name as environment
                from environment e, jsonb_array_elements_text(e.policies) as p (id)
                where e.org_id = ${org} and e.policies <> '[]' and e.archived_at is null
                  and p.id in (select ${texts(ids)})
                order by e.name`
              }),
        insert: (policy, version) =>
          rows.wrote({
            operation: "PolicyStore.insert",
            org: policy.org_id,
            statement: sql`with added as (
                insert into policy (org_id, policy_id, name, description, version,
                  policy_yaml, reads, created_by, created_at, last_modified_at)
                values (${policy.org_id}, ${policy.id}, ${policy.name}, ${policy.description},
                  ${policy.version}, ${policy.policy_yaml},
                  ${JSON.stringify(policy.reads)}::jsonb, ${policy.created_by},
                  ${policy.created_at}, ${policy.last_modified_at})
                on conflict (org_id, name) do nothing returning policy_id
              )
              insert into policy_version (${versionColumns})
              select ${versionValues(version)} from added
              returning policy_id`
          }),
        update: (policy, version) =>
          version === undefined
            ? Effect.as(
                rows.run({
                  operation: "PolicyStore.update",
                  org: policy.org_id,
                  statement: sql`update policy set description = ${policy.description},
                last_modified_at = ${policy.last_modified_at}
              where org_id = ${policy.org_id} and policy_id = ${policy.id}`
                }),
                0
              )
            : rows.count({
                operation: "PolicyStore.update",
                org: policy.org_id,
                statement: sql`with saved as (
              update policy set description = ${policy.description},
                version = ${policy.version}, policy_yaml = ${policy.policy_yaml},
                reads = ${JSON.stringify(policy.reads)}::jsonb,
                last_modified_at = ${policy.last_modified_at}
              where org_id = ${policy.org_id} and policy_id = ${policy.id}
            ), added as (
              insert into policy_version (${versionColumns}) select ${versionValues(version)}
            )
            select from mark_consumers(${policy.org_id}, ${policy.id}, null, ${markedMax}::int4)`
              })
      })
    })
  )
