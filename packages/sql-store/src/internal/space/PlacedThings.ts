/**
 * Conditions and shapes of lists that show only what is in some places now: in spaces, or named.
 *
 * What is in spaces is looked up first, and each thing by its key: a statement that reads a whole list and asks of each
 * row where it is would cost as much as the org is large.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as PlaceId from "@attestry/core/PlaceId"
import type { ThingKind } from "@attestry/core/ThingPlace"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as SqlPage from "../shared/SqlPage.js"

/** Things of a kind in some places. */
export interface Wanted {
  readonly org: OrgId
  readonly kind: ThingKind
  readonly spaces: ReadonlyArray<PlaceId.PlaceId>
}

/** The ids of the things, as the query of a column `thing_id`. */
export const things = (sql: SqlClient, wanted: Wanted): Fragment => {
  const { kind, org, spaces } = wanted
  const named = PlaceId.thingsOf(spaces, kind)
  // WHY one space at a time: a plan for an array that is not known reads all places of the org instead.
  const placed = sql`select w.thing_id
    from (select distinct u.id from unnest(${[...PlaceId.spacesOf(spaces)]}::text[]) u (id)) s
    cross join lateral (select p.thing_id from thing_place p where p.org_id = ${org}
      and p.space_id = s.id and p.kind = ${kind} and p.to_at is null offset 0) w`
  return named.length === 0
    ? placed
    : sql`select w.thing_id from (${placed} union
        select n.id from unnest(${[...named]}::text[]) n (id)) w`
}

/** The ids of the things as an array; only those among some ids where these are given. */
export const idsOf = (sql: SqlClient, wanted: Wanted, among?: ReadonlyArray<string>): Fragment =>
  among === undefined
    ? sql`array(${things(sql, wanted)})`
    : sql`array(${things(sql, wanted)} where w.thing_id = any(${[...among]}::text[]))`

const orNamed = (sql: SqlClient, id: Fragment, named: ReadonlyArray<string>): Fragment =>
  named.length === 0 ? sql.literal("") : sql`or ${id} = any(${[...named]}::text[])`

/** The condition that the thing of an id is one of them, for few rows that another condition finds. */
export const isOne = (sql: SqlClient, id: Fragment, { kind, org, spaces }: Wanted): Fragment =>
  // WHY a value and no join: a join may begin with the spaces, and read all that is in them.
  sql`((select w.space_id from thing_place w where w.org_id = ${org} and w.kind = ${kind}
    and w.thing_id = ${id} and w.to_at is null) = any(${[...PlaceId.spacesOf(spaces)]}::text[])
    ${orNamed(sql, id, PlaceId.thingsOf(spaces, kind))})`

/** The rows of the things, as the table of that name. */
export const rowsOf = (
  sql: SqlClient,
  { key, name, table }: { readonly table: string; readonly key: string; readonly name: string },
  wanted: Wanted
): Fragment => {
  const [from, id, as] = [sql(table), sql(key), sql(name)]
  return sql`(${things(sql, wanted)}) w cross join lateral (select * from ${from} l
    where l.org_id = ${wanted.org} and l.${id} = w.thing_id offset 0) ${as}`
}

/** A list of what is in flows, the newest first, by one column that has an index for each flow. */
export interface OfFlows {
  readonly table: "trail" | "artifact"
  readonly place: "ordinal" | "sequence"
  readonly org: OrgId
  readonly spaces: ReadonlyArray<PlaceId.PlaceId>
}

/**
 * The rows of one page of the list, in any order, as the table `paged`.
 *
 * A page that ends at k comes from the k flows that moved last; so neither the length of their history nor that of the
 * org is read.
 */
export const pageOf = (
  sql: SqlClient,
  { org, place, spaces, table }: OfFlows,
  page: Page.Page
): Fragment => {
  const [from, at] = [sql(table), sql(place)]
  const end = Page.offsetOf(page) + page.perPage
  const first = (limit: number) =>
    sql`(select l.${at} as at from ${from} l where l.org_id = ${org} and l.flow_id = m.thing_id
      order by l.${at} desc limit ${limit}) n`
  return sql`(with mine as materialized (${things(sql, { org, kind: "flow", spaces })}),
      moved as (select m.thing_id from mine m cross join lateral ${first(1)}
        order by n.at desc limit ${end}),
      top as (select n.at from moved m cross join lateral ${first(end)}
        order by n.at desc ${SqlPage.clause(sql, page)})
    select found.* from top cross join lateral (select * from ${from} l
      where l.org_id = ${org} and l.${at} = top.at limit 1) found) paged`
}
