/** Which environments a list shows, in SQL, as `EnvironmentList` says it of values. */
import { fromWord } from "@attestry/core/EnvironmentKind"
import type { EnvironmentQuery } from "@attestry/core/EnvironmentList"
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { OrgId } from "@attestry/core/Identifier"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as Tags from "@attestry/core/Tags"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlPage from "../shared/SqlPage.js"
import * as TagsSql from "../shared/TagsSql.js"
import type { TenantQueries } from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import * as EnvironmentRow from "./EnvironmentRow.js"

/** What is asked for beside active environments of the org. */
const filtersOf = (
  sql: SqlClient,
  { name, types, tags, verdict, silent, sort }: EnvironmentQuery
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

/** The environments `e` of a list, and how many there are as the column `total`. */
const rowsOf = (
  sql: SqlClient,
  org: OrgId,
  query: EnvironmentQuery
): { readonly from: Fragment; readonly total: Fragment } => {
  const filters = filtersOf(sql, query)
  const where = sql.and([sql`e.org_id = ${org}`, sql`e.archived_at is null`, ...filters])
  const from = sql`${environments(sql, org, query.within)} where ${where}`
  return {
    from,
    total:
      filters.length === 0 && query.within === undefined
        ? SqlPage.keptTotal(sql, { list: "environment", org, subjects: SqlPage.WHOLE })
        : SqlPage.total(sql, from)
  }
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
    const found = SqlPage.read(rows, EnvironmentRow.Found, {
      operation: "EnvironmentStore.page",
      org,
      page: asked,
      items: sql`select ${sql.literal(EnvironmentRow.DOCUMENT)}, ${total}
        from ${from}
        order by ${orderOf(sql, query)} ${SqlPage.clause(sql, asked)}`,
      count: sql`select ${total}`
    })
    return Effect.map(found, (paged) => ({
      items: paged.items.flatMap((row) =>
        Option.toArray(Option.map(marked(row), ({ environment }) => environment))
      ),
      total: paged.total
    }))
  }
