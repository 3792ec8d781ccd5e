/** Environments that are behind a change of a policy, on PostgreSQL. */
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

type Store = Context.Tag.Service<EnvironmentStore>

const IdRow = Schema.Struct({ id: EnvironmentId })

const OrgRow = Schema.Struct({ id: OrgId, late_millis: Schema.Int })

/** These methods of `EnvironmentStore`. */
export const make = (
  sql: SqlClient,
  rows: TenantQueries.TenantQueries
): Pick<Store, "listBehind" | "listBehindOrgs" | "forgetChanges"> => ({
  listBehind: (org, { after, among, kind, limit }) =>
    Effect.map(
      rows.all(IdRow, {
        operation: "EnvironmentStore.listBehind",
        org,
        statement: sql`select b.environment_id as id from environment_behind b
          where b.org_id = ${org} and ${kind === "logical" ? sql`b.type = 'logical'` : sql`b.type <> 'logical'`}
            and b.environment_id > ${after ?? ""}
            and ${among === undefined ? sql`true` : sql`b.environment_id = any (${[...among]})`}
          order by b.environment_id limit ${limit}`
      }),
      (found) => found.map(({ id }) => ({ org, environment: id }))
    ),
  listBehindOrgs: sql`select id, late_millis from behind_orgs()`.pipe(
    Effect.flatMap(TenantQueries.decoderOf(OrgRow)),
    Effect.map((found) => found.map(({ id, late_millis }) => ({ id, lateMillis: late_millis }))),
    SqlFailure.toStoreError("EnvironmentStore.listBehindOrgs")
  ),
  forgetChanges: (org) =>
    rows.run({
      operation: "EnvironmentStore.forgetChanges",
      org,
      // INVARIANT: a change that comes meanwhile has another number, and is not forgotten.
      statement: sql`delete from policy_change c
        where c.org_id = ${org} and not exists (select from environment e
          where e.org_id = c.org_id and e.archived_at is null and e.flow_changes_seen < c.number
            and e.policies @> jsonb_build_array(c.policy_id))`
    })
})
