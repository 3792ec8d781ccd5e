/** `TrustPolicyStore` on PostgreSQL. */
import { TrustPolicyStore } from "@attestry/core/TrustPolicyStore"
import { TrustPolicyVersion } from "@attestry/core/TrustPolicyVersion"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = "org_id, version, text, comment, created_by, at"

/** `TrustPolicyStore` on PostgreSQL. */
export const layer: Layer.Layer<TrustPolicyStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    TrustPolicyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      return TrustPolicyStore.of({
        append: ({ at, comment, created_by, org_id, text, version }) =>
          rows.wrote({
            operation: "TrustPolicyStore.append",
            org: org_id,
            statement: sql`insert into trust_policy_version (${columns})
              values (${org_id}, ${version}, ${text}, ${comment}, ${created_by}, ${at}::int8)
              on conflict (org_id, version) do nothing returning version`
          }),
        findLatest: (org) =>
          rows.first(TrustPolicyVersion, {
            operation: "TrustPolicyStore.findLatest",
            org,
            statement: sql`select ${columns} from trust_policy_version
              where org_id = ${org} order by version desc limit 1`
          }),
        find: (org, version) =>
          rows.first(TrustPolicyVersion, {
            operation: "TrustPolicyStore.find",
            org,
            statement: sql`select ${columns} from trust_policy_version
              where org_id = ${org} and version = ${version}::int4`
          }),
        list: (org) =>
          rows.list(TrustPolicyVersion, {
            operation: "TrustPolicyStore.list",
            from: "list",
            org,
            statement: sql`select ${columns} from trust_policy_version
              where org_id = ${org} order by version desc`
          })
      })
    })
  )
