/** Builds of `ReadModels` on PostgreSQL: the rows that the trigger `build_recorded` keeps beside artifacts. */

import { Artifact } from "@attestry/core/Artifact"
import type { OrgId } from "@attestry/core/Identifier"
import { offsetOf, type Page } from "@attestry/core/Page"
import type { BuildFilter, ReadModels } from "@attestry/core/ReadModels"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `r.org_id, r.artifact_id as id, r.flow_id, r.trail_id, r.sequence, r.slot, r.fingerprint, r.report,
  r.repo_id, r.created_by, r.created_at`

const ORDER = "b.created_at desc, b.fingerprint"

const Instant = Schema.Struct({ created_at: Timestamp })

const within = (sql: SqlClient.SqlClient, org: OrgId, { flows, from, repos, to }: BuildFilter) =>
  sql.and([
    sql`b.org_id = ${org} and b.created_at >= ${from} and b.created_at <= ${to}`,
    ...(flows === undefined || repos === undefined
      ? []
      : [sql`b.flow_id = any(${[...flows]}::text[])`])
  ])

/** The repositories or the flows whose builds are read, each by its own index; undefined for all builds. */
const placesOf = (sql: SqlClient.SqlClient, { flows, repos }: BuildFilter) => {
  const column = repos === undefined ? "b.flow_id" : "b.repo_id"
  const ids = repos ?? flows
  return ids === undefined
    ? undefined
    : {
        from: sql`unnest(${[...ids]}::text[]) as n (id)`,
        isThere: sql`${sql.literal(column)} = n.id`
      }
}

/** All builds that pass the filter, as `b`. */
const wanted = (sql: SqlClient.SqlClient, org: OrgId, filter: BuildFilter) => {
  const places = placesOf(sql, filter)
  return places === undefined
    ? sql`build b where ${within(sql, org, filter)}`
    : sql`${places.from} cross join lateral (
        select b.created_at from build b where ${within(sql, org, filter)} and ${places.isThere}
        offset 0) b`
}

/** The builds of one page: of each place as many as the page ends with, in the order of its index. */
const cut = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { filter, page }: { readonly filter: BuildFilter; readonly page: Page }
) => {
  const order = sql.literal(ORDER)
  const whole = sql`${within(sql, org, filter)}`
  const places = placesOf(sql, filter)
  return places === undefined
    ? sql`select b.artifact_id, b.created_at, b.fingerprint from build b where ${whole}
        order by ${order} ${SqlPage.clause(sql, page)}`
    : sql`select b.* from ${places.from} cross join lateral (
          select b.artifact_id, b.created_at, b.fingerprint from build b
          where ${whole} and ${places.isThere}
          order by ${order} limit ${offsetOf(page) + page.perPage}) b
        order by ${order} ${SqlPage.clause(sql, page)}`
}

/** Builds of `ReadModels` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "builds" | "buildInstants">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columns = sql.literal(COLUMNS)
  const order = sql.literal(ORDER)

  return {
    builds: (org, filter, page) => {
      const total = SqlPage.total(sql, wanted(sql, org, filter))
      return SqlPage.read(rows, Artifact, {
        operation: "ReadModels.builds",
        org,
        page,
        // WHY lateral and `offset`: each record is looked up by its key, after the page is cut.
        items: sql`select ${columns}, ${total}
              from (${cut(sql, org, { filter, page })}) b
              cross join lateral (select * from artifact r where r.org_id = ${org}
                and r.artifact_id = b.artifact_id offset 0) r
              order by ${order}`,
        count: sql`select ${total}`
      })
    },
    buildInstants: (org, filter) =>
      Effect.map(
        rows.all(Instant, {
          operation: "ReadModels.buildInstants",
          org,
          statement: sql`select b.created_at from ${wanted(sql, org, filter)}
                order by b.created_at`
        }),
        (found) => found.map(({ created_at }) => created_at)
      )
  }
})
