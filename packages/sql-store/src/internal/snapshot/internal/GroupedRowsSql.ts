/**
 * One page of the rows of a snapshot by their identities, and all rows in groups.
 *
 * PostgreSQL orders and counts, so that thousands of rows need not be read to show twenty.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { offsetOf, type Page } from "@attestry/core/Page"
import type { ReadModels } from "@attestry/core/ReadModels"
import type { GroupedRows } from "@attestry/core/Snapshot"
import type { StoreError } from "@attestry/core/StoreError"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { codeUnits } from "../../shared/CodeUnitOrder.js"
import type { TenantQueries } from "../../shared/TenantQueries.js"
import type { TenantTransaction } from "../../transaction/TenantTransaction.js"
import * as StoredDocument from "../StoredDocument.js"
import { RowRow } from "../StoredRow.js"
import { storedRows } from "./ListedRowsSql.js"

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

const OPERATION = "ReadModels.groupedRows"

const Located = Schema.Struct({ index: Schema.Int, bucket: Schema.Int })

const EMPTY: GroupedRows = { page: [], groups: [] }

/** Reads rows within the current transaction. */
const within =
  (sql: SqlClient.SqlClient, rows: TenantQueries) =>
  (
    ref: EnvironmentRef,
    head: typeof Located.Type,
    page: Page
  ): Effect.Effect<GroupedRows, StoreError> =>
    Effect.gen(function* () {
      const operation = OPERATION
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

/** `ReadModels.groupedRows` on PostgreSQL. */
export const make =
  (
    sql: SqlClient.SqlClient,
    rows: TenantQueries,
    { transaction }: TenantTransaction["Type"]
  ): ReadModels["Type"]["groupedRows"] =>
  (ref, index, page) =>
    transaction(ref.org, () =>
      Effect.flatMap(
        rows.first(Located, {
          operation: OPERATION,
          org: ref.org,
          statement: sql`select index, bucket from snapshot where org_id = ${ref.org}
            and environment_id = ${ref.environment} and index = ${index}`
        }),
        Option.match({
          onNone: () => Effect.succeed(EMPTY),
          onSome: (found) => within(sql, rows)(ref, found, page)
        })
      )
    )
