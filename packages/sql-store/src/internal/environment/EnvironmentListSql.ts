/** Which environments a list shows, in SQL, as `EnvironmentList` says it of values. */
import { fromWord } from "@attestry/core/EnvironmentKind"
import type { EnvironmentQuery } from "@attestry/core/EnvironmentList"
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, type OrgId } from "@attestry/core/Identifier"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as Tags from "@attestry/core/Tags"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlPage from "../shared/SqlPage.js"
import * as TagsSql from "../shared/TagsSql.js"
import type { TenantQueries } from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import * as EnvironmentRow from "./EnvironmentRow.js"

/**
 * The attached policies that count. WHY not the function of the totals: it is called, and this is part of the
 * statement.
 */
const ENFORCED = "(e.policies - array(select jsonb_object_keys(e.policy_modes)))"

/** What is asked for beside active environments of the org. */
const filtersOf = (
  sql: SqlClient,
  { name, types, tags, verdict, silent, physical, enforcing, sort }: EnvironmentQuery
): ReadonlyArray<Fragment> => [
  // Names have no letters but those of ASCII, which both change to lower case alike.
  ...(name === undefined ? [] : [sql`strpos(lower(e.name), ${name.toLowerCase()}) > 0`]),
  ...(types === undefined ? [] : [sql`e.type = any (${types.map(fromWord)})`]),
  ...(tags === undefined
    ? []
    : [
        sql.or([
          sql`false`,
          ...tags.map((each) => TagsSql.has(sql, sql`e.tags`, Tags.filterOf(each)))
        ])
      ]),
  ...(verdict === undefined ? [] : [sql`coalesce(e.verdict, 'Unknown') = ${verdict}`]),
  ...(silent === undefined ? [] : [sql`(e.silent_since is not null) = ${silent}`]),
  ...(physical === undefined ? [] : [sql`e.type <> 'logical'`]),
  ...(enforcing === undefined
    ? []
    : [
        sql`jsonb_exists_any(${sql.literal(ENFORCED)}, ${[...enforcing.policies]}) = ${enforcing.is}`
      ]),
  ...(sort === "due_at" ? [sql`e.due_at is not null`] : [])
]

/** The environments of an org as the table `e`, all or those in some spaces. */
export const environments = (
  sql: SqlClient,
  org: OrgId,
  within: ReadonlyArray<PlaceId> | undefined
): Fragment =>
  within === undefined
    ? sql`environment e`
    : PlacedThings.rowsOf(
        sql,
        { table: "environment", key: "environment_id", name: "e" },
        { org, kind: "environment", spaces: within }
      )

/** Active physical environments by the set of policies that they enforce, with their numbers. */
const sets = (sql: SqlClient, org: OrgId, within?: ReadonlyArray<PlaceId>): Fragment =>
  within === undefined
    ? sql`(select t.subject::jsonb as policies, sum(t.rows)::int8 as rows from list_total t
        where t.org_id = ${org} and t.list = 'enforced' group by t.subject) k`
    : sql`(select ${sql.literal(ENFORCED)} as policies, count(*) as rows
        from ${environments(sql, org, within)}
        where e.org_id = ${org} and e.archived_at is null and e.type <> 'logical' group by 1) k`

/** The column `total` of a list that has no other filters than the policies that are enforced. */
const keptEnforcing = (
  sql: SqlClient,
  org: OrgId,
  { enforcing }: Pick<EnvironmentQuery, "enforcing">
): Fragment =>
  enforcing === undefined
    ? sql`(select coalesce(sum(k.rows), 0)::int8 from ${sets(sql, org)}) as total`
    : sql`(select coalesce(sum(k.rows), 0)::int8 from ${sets(sql, org)}
        where jsonb_exists_any(k.policies, ${[...enforcing.policies]}) = ${enforcing.is}) as total`

/** How many environments a list has: kept where it has few filters, else counted. */
const totalOf = (
  sql: SqlClient,
  org: OrgId,
  { from, query }: { readonly query: EnvironmentQuery; readonly from: Fragment }
): Fragment => {
  const { enforcing: _, physical, sort: __, descending: ___, ...others } = query
  const isKept = Object.values(others).every((filter) => filter === undefined)
  if (!isKept || query.sort === "due_at") return SqlPage.total(sql, from)
  if (physical === true) return keptEnforcing(sql, org, query)
  return query.enforcing === undefined
    ? SqlPage.keptTotal(sql, { list: "environment", org, subjects: SqlPage.WHOLE })
    : SqlPage.total(sql, from)
}

/** The environments `e` of a list, and how many there are as the column `total`. */
const rowsOf = (
  sql: SqlClient,
  org: OrgId,
  query: EnvironmentQuery
): { readonly from: Fragment; readonly total: Fragment } => {
  const where = sql.and([
    sql`e.org_id = ${org}`,
    sql`e.archived_at is null`,
    ...filtersOf(sql, query)
  ])
  const from = sql`${environments(sql, org, query.within)} where ${where}`
  return { from, total: totalOf(sql, org, { query, from }) }
}

/** The order of a list. */
const orderOf = (sql: SqlClient, { sort = "name", descending }: EnvironmentQuery) => {
  const direction = SqlPage.direction(sql, descending === true ? "desc" : "asc")
  return sort === "name"
    ? sql`e.name ${direction}`
    : sql`coalesce(${sql(`e.${sort}`)}, 0) ${direction}, e.name`
}

/** Reads one page. */
export const page =
  (
    sql: SqlClient,
    rows: TenantQueries,
    marked: ReturnType<typeof EnvironmentRow.toMarked>
  ): Context.Tag.Service<EnvironmentStore>["page"] =>
  (org, query, asked) => {
    const { from, total } = rowsOf(sql, org, query)
    const found = SqlPage.read(rows, EnvironmentRow.Listed, {
      operation: "EnvironmentStore.page",
      org,
      page: asked,
      items: sql`select ${sql.literal(EnvironmentRow.LISTED)}, ${total}
        from ${from}
        order by ${orderOf(sql, query)} ${SqlPage.clause(sql, asked)}`,
      count: sql`select ${total}`
    })
    return Effect.map(found, (paged) => ({
      items: paged.items.flatMap(EnvironmentRow.toListed(marked)),
      total: paged.total
    }))
  }

const CountRow = Schema.Struct({ total: Schema.Int, enforcing: Schema.Array(Schema.Int) })

/** Counts environments by the policies that they enforce. */
export const countEnforcing =
  (sql: SqlClient, rows: TenantQueries): Context.Tag.Service<EnvironmentStore>["countEnforcing"] =>
  (org, asked, within) =>
    Effect.map(
      rows.all(CountRow, {
        operation: "EnvironmentStore.countEnforcing",
        org,
        statement: sql`with k as materialized (select k.policies, k.rows from ${sets(sql, org, within)})
          select coalesce((select sum(k.rows) from k), 0)::int8 as total,
            array(select coalesce((select sum(k.rows) from k where jsonb_exists_any(k.policies,
                array(select jsonb_array_elements_text(a.policies)))), 0)::int4
              from jsonb_array_elements(${JSON.stringify(asked)}::jsonb) with ordinality a (policies, at)
              order by a.at) as enforcing`
      }),
      ([counted]) => counted ?? { total: 0, enforcing: asked.map(() => 0) }
    )

/** Reads all environments of an org, or those of some ids or spaces. */
export const list =
  (
    sql: SqlClient,
    rows: TenantQueries,
    marked: ReturnType<typeof EnvironmentRow.toMarked>
  ): Context.Tag.Service<EnvironmentStore>["list"] =>
  (org, ids, within) =>
    Effect.map(
      rows.list(EnvironmentRow.Listed, {
        operation: "EnvironmentStore.list",
        org,
        from: "list",
        statement: sql`select ${sql.literal(EnvironmentRow.LISTED)}
          from ${environments(sql, org, within)} where e.org_id = ${org}
            and ${
              ids === undefined
                ? sql`e.archived_at is null`
                : sql`e.environment_id = any (${[...ids]})`
            }`
      }),
      (found) => found.flatMap(EnvironmentRow.toListed(marked))
    )

const IdRow = Schema.Struct({ id: EnvironmentId })

/** The active environments, of all or of some ids, whose rows are not evaluated by what is known now. */
export const listStale =
  (sql: SqlClient, rows: TenantQueries): Context.Tag.Service<EnvironmentStore>["listStale"] =>
  (org, ids) =>
    Effect.map(
      rows.all(IdRow, {
        operation: "EnvironmentStore.listStale",
        org,
        statement: sql`select e.environment_id as id from environment e
          where e.org_id = ${org} and e.archived_at is null
            ${ids === undefined ? sql`` : sql`and e.environment_id = any (${[...ids]})`}
            and (e.body_digest is null or e.rows_digest is null or e.is_pending
              or has_flow_changes(e) or exists (select from environment_behind b
                where b.org_id = e.org_id and b.environment_id = e.environment_id))`
      }),
      (found) => new Set(found.map(({ id }) => id))
    )
