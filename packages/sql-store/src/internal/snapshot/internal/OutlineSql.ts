/**
 * One page of the rows of a snapshot by their identities, and all rows in groups.
 *
 * PostgreSQL orders and counts, so that thousands of rows need not be read to show twenty.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { offsetOf, type Page } from "@attestry/core/Page"
import type { SnapshotOutline } from "@attestry/core/Snapshot"
import type { StoreError } from "@attestry/core/StoreError"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { codeUnits } from "../../shared/CodeUnitOrder.js"
import type { TenantQueries } from "../../shared/TenantQueries.js"
import * as StoredDocument from "../StoredDocument.js"
import { RowRow } from "../StoredRow.js"
import { type ListedHead, storedRows } from "./ListedRowsSql.js"

const GroupRow = Schema.Struct({
  verdict: RowRow.fields.verdict,
  decisions: RowRow.fields.decisions,
  exited: Schema.Boolean,
  rows: Schema.Int
})

const IdentityRow = Schema.Struct({
  name: RowRow.fields.name,
  fingerprint: RowRow.fields.fingerprint
})

/** The order of `find`: what runs before what exited, then as `byNewest` of core. */
const ORDER = `l.exited, ${StoredDocument.newestIn("l.doc")} desc, ${codeUnits("l.name")}, l.fingerprint`

/** Reads outlines within the current transaction. */
export const make =
  (sql: SqlClient.SqlClient, rows: TenantQueries) =>
  (
    ref: EnvironmentRef,
    head: Pick<ListedHead, "index" | "bucket">,
    page: Page
  ): Effect.Effect<SnapshotOutline, StoreError> =>
    Effect.gen(function* () {
      const operation = "SnapshotStore.outline"
      const { org } = ref
      // WHY lateral and `offset`: as in `storedRows`.
      const groups = yield* rows.all(GroupRow, {
        operation,
        org,
        statement: sql`select g.verdict, g.exited, g.rows, d.decisions
          from (select l.decisions_digest, l.verdict, l.exited, count(*)::int4 as rows
            from (${storedRows(sql, ref, head)}) l
            group by l.decisions_digest, l.verdict, l.exited) g
          left join lateral (select d.decisions from snapshot_decisions d
            where d.org_id = ${org} and d.digest = g.decisions_digest offset 0) d on true`
      })
      const identities = yield* rows.all(IdentityRow, {
        operation,
        org,
        statement: sql`select l.name, l.fingerprint from (${storedRows(sql, ref, head)}) l
          order by ${sql.literal(ORDER)} limit ${page.perPage} offset ${offsetOf(page)}`
      })
      return {
        page: identities,
        groups: groups.map(({ verdict, decisions, exited, rows: count }) => ({
          verdict,
          rows: count,
          isExited: exited,
          decisions: decisions ?? []
        }))
      }
    })
