/**
 * Contents of snapshots that are stored once, under their digests, and match neither them nor the rows that name them.
 */

import type { ContentMisfit } from "@attestry/core/AuditStore"
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as TenantQueries from "../shared/TenantQueries.js"

/** A table of contents, its column, and the column of the records that name one. */
const CONTENTS = [
  { table: "snapshot_policies", column: "policies", by: "snapshot", name: "policies_digest" },
  { table: "snapshot_flows", column: "flows", by: "snapshot_row", name: "flows_digest" },
  { table: "snapshot_decisions", column: "decisions", by: "snapshot_row", name: "decisions_digest" }
] as const

type Content = (typeof CONTENTS)[number]

const Row = Schema.Struct({
  key: Schema.String,
  problem: Schema.Literal("changed", "unexpected", "missing")
})

/** The most mismatches of a table, which is the most findings of a verification. */
const MISFITS_MAX = 1_000

const statementOf = (sql: SqlClient, { table, column, by, name }: Content) => sql`
  with named as materialized (
    select distinct r.${sql(name)} as digest from ${sql(by)} r
      where r.org_id = current_setting('attestry.org_id', true) and r.${sql(name)} is not null)
  select encode(coalesce(c.digest, n.digest), 'hex') as key,
    case when c.digest is null then 'missing' when n.digest is null then 'unexpected'
      else 'changed' end as problem
  from (select * from ${sql(table)} where org_id = current_setting('attestry.org_id', true)) c
    full join named n on n.digest = c.digest
  where c.digest is null or n.digest is null
    or c.digest <> sha256(convert_to(c.${sql(column)}::text, 'UTF8'))
  order by 1 limit ${MISFITS_MAX}`

/** The mismatches of an org, by table and digest. */
export const list = (
  rows: TenantQueries.TenantQueries,
  sql: SqlClient,
  org: OrgId
): Effect.Effect<ReadonlyArray<ContentMisfit>, StoreError> =>
  Effect.map(
    Effect.forEach(CONTENTS, (content) =>
      Effect.map(
        rows.all(Row, {
          operation: "AuditStore.listMisfits",
          org,
          statement: statementOf(sql, content)
        }),
        (found) => found.map((misfit): ContentMisfit => ({ table: content.table, ...misfit }))
      )
    ),
    (found) => found.flat()
  )
