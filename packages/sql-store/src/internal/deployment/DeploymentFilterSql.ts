/** Which deployments a filter means, in SQL: the rows of one page, and how many there are. */

import type { OrgId } from "@attestry/core/Identifier"
import { offsetOf, type Page } from "@attestry/core/Page"
import type { DeploymentFilter } from "@attestry/core/StoredDeployment"
import type { TimeWindow } from "@attestry/core/TimeWindow"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as SqlPage from "../shared/SqlPage.js"

/** The order of the list. */
export const ORDER = "a.timestamp desc, a.environment_id, a.position"

const windowOf = (sql: SqlClient.SqlClient, { from, to }: TimeWindow) => [
  ...(from === undefined ? [] : [sql`a.timestamp >= ${from}`]),
  ...(to === undefined ? [] : [sql`a.timestamp <= ${to}`])
]

/** Which table has the filter's rows in the order of the list. */
const tableOf = ({ fingerprint, repos, flow }: DeploymentFilter): string => {
  if (fingerprint !== undefined) return "deployment"
  if (repos !== undefined) return "deployment_repo"
  return flow === undefined ? "deployment" : "deployment_flow"
}

/** The condition that the primary flow of a row of `deployment_repo` is one of some; nothing for all flows. */
export const inFlows = (
  sql: SqlClient.SqlClient,
  alias: "a" | "d" | "o",
  flows: ReadonlyArray<string> | undefined
): Fragment =>
  flows === undefined
    ? sql.literal("")
    : sql`and ${sql.literal(alias)}.flow_id = any (${[...flows]}::text[])`

/** Whether the deployment `a` is also in another table under an id. */
const alsoIn = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  {
    table,
    column,
    flows,
    ids
  }: Record<"table" | "column", string> & {
    readonly ids: ReadonlyArray<string>
    readonly flows?: ReadonlyArray<string> | undefined
  }
) =>
  sql`exists (select from ${sql(table)} o where o.org_id = ${org}
    and o.${sql(column)} = any (${[...ids]}) ${inFlows(sql, "o", flows)} and o.timestamp = a.timestamp
    and o.environment_id = a.environment_id and o.position = a.position)`

/** Archived environments `n`, or those that were archived by an instant. */
const archived = (sql: SqlClient.SqlClient, { archivedBy }: DeploymentFilter): Fragment =>
  archivedBy === undefined
    ? sql.literal("n.archived_at is not null")
    : sql`n.archived_at <= ${archivedBy}`

/**
 * The conditions on a deployment `a` beside its repository and its environment, which the places have.
 *
 * WHY an array of archived environments: there are few, and so only matching rows are looked up.
 */
const conditions = (sql: SqlClient.SqlClient, org: OrgId, filter: DeploymentFilter): Fragment => {
  const { fingerprint, flow, flows, repos } = filter
  const table = tableOf(filter)
  return sql.and([
    sql`a.org_id = ${org}`,
    sql`a.environment_id <> all (array(select n.environment_id from environment n
      where n.org_id = ${org} and ${archived(sql, filter)}))`,
    ...windowOf(sql, filter),
    ...(fingerprint === undefined ? [] : [sql`a.fingerprint = ${fingerprint}`]),
    ...(flow === undefined
      ? []
      : table === "deployment_flow"
        ? [sql`a.flow_id = ${flow}`]
        : [alsoIn(sql, org, { table: "deployment_flow", column: "flow_id", ids: [flow] })]),
    ...(repos === undefined || table === "deployment_repo"
      ? []
      : [alsoIn(sql, org, { table: "deployment_repo", column: "repo_id", flows, ids: repos })])
  ])
}

/** The places that a filter names: repositories as `r`, environments as `p`; each is read by its own index. */
const placesOf = (sql: SqlClient.SqlClient, filter: DeploymentFilter) => {
  const ids = (values: ReadonlyArray<string>, alias: "r" | "p") =>
    sql`unnest(${[...values]}::text[]) as ${sql.literal(alias)} (id)`
  const byRepo = tableOf(filter) === "deployment_repo" ? filter.repos : undefined
  // WHY not with a fingerprint: it has few deployments, and many more may be of the environment.
  const byPlace = filter.fingerprint === undefined ? filter.environments : undefined
  return {
    from: [
      ...(byRepo === undefined ? [] : [ids(byRepo, "r")]),
      ...(byPlace === undefined ? [] : [ids(byPlace, "p")])
    ],
    conditions: [
      ...(byRepo === undefined ? [] : [sql`a.repo_id = r.id ${inFlows(sql, "a", filter.flows)}`]),
      ...(byPlace === undefined ? [] : [sql`a.environment_id = p.id`])
    ]
  }
}

/** The rows of the filter's table as `a`, those of a fingerprint before those of environments are chosen. */
const rowsOf = (sql: SqlClient.SqlClient, org: OrgId, filter: DeploymentFilter): Fragment => {
  const all = conditions(sql, org, filter)
  const table = sql(tableOf(filter))
  return filter.fingerprint === undefined || filter.environments === undefined
    ? sql`${table} a where ${all}`
    : sql`(select * from ${table} a where ${all} offset 0) a
        where a.environment_id = any (${[...filter.environments]})`
}

/** The keys of the deployments on one page. */
export const page = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { filter, page: asked }: { readonly filter: DeploymentFilter; readonly page: Page }
): Fragment => {
  const columns = sql.literal("a.org_id, a.environment_id, a.index, a.position, a.timestamp")
  const rows = rowsOf(sql, org, filter)
  const order = sql.literal(ORDER)
  const places = placesOf(sql, filter)
  if (places.from.length === 0)
    return sql`select ${columns} from ${rows} order by ${order} ${SqlPage.clause(sql, asked)}`
  return sql`select a.* from ${places.from.reduce((left, right) => sql`${left} cross join ${right}`)}
    cross join lateral (select ${columns} from ${rows} and ${sql.and(places.conditions)}
      order by ${order} limit ${offsetOf(asked) + asked.perPage}) a
    order by ${order} ${SqlPage.clause(sql, asked)}`
}

/** How many deployments of one place there are within the window: a row before its end, and one before its start. */
const countOf = (sql: SqlClient.SqlClient, org: OrgId, filter: DeploymentFilter): Fragment => {
  const table = sql(tableOf(filter))
  const owner = sql.and([
    ...(filter.repos === undefined ? [] : [sql`a.repo_id = r.id`]),
    ...(filter.flow === undefined ? [] : [sql`a.flow_id = ${filter.flow}`]),
    sql`a.environment_id = n.environment_id`
  ])
  const upTo = (bound: Fragment) =>
    sql`coalesce((select a.total from ${table} a where a.org_id = ${org} and ${owner}
      and ${bound} order by a.timestamp desc limit 1), 0)`
  const until = filter.to === undefined ? sql.literal("true") : sql`a.timestamp <= ${filter.to}`
  return filter.from === undefined
    ? upTo(until)
    : sql`greatest(0, ${upTo(until)} - ${upTo(sql`a.timestamp < ${filter.from}`)})`
}

/** The tables with all rows that pass the filter. */
const passing = (sql: SqlClient.SqlClient, org: OrgId, filter: DeploymentFilter): Fragment => {
  const { from, conditions: placed } = placesOf(sql, filter)
  const rows = rowsOf(sql, org, filter)
  const [first, ...others] = from
  return first === undefined
    ? rows
    : sql`${others.reduce((left, right) => sql`${left} cross join ${right}`, first)}
        cross join lateral (select a.timestamp from ${rows} and ${sql.and(placed)} offset 0) a`
}

/** The sum of the deployments of each environment `n` that passes the condition. */
const sumOf = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { filter, where }: { readonly filter: DeploymentFilter; readonly where: Fragment }
): Fragment => {
  const { repos } = filter
  return sql`(select coalesce(sum(${countOf(sql, org, filter)}), 0)::int8 from environment n
    ${repos === undefined ? sql.literal("") : sql`cross join unnest(${[...repos]}::text[]) as r (id)`}
    where n.org_id = ${org} and ${where})`
}

/** The subjects of the kept totals of an org, a flow, or repositories. */
const subjectsOf = ({ flow, repos }: DeploymentFilter): ReadonlyArray<string> =>
  repos !== undefined
    ? repos.map((id) => `repo ${id}`)
    : flow === undefined
      ? SqlPage.WHOLE
      : [`flow ${flow}`]

/**
 * How many deployments pass the filter, as the column `total`: kept totals without what archived environments have.
 * Within a window the rows are counted, unless there are more of them than environments, each of which is then asked.
 */
export const total = (sql: SqlClient.SqlClient, org: OrgId, filter: DeploymentFilter): Fragment => {
  const { environments, fingerprint, flow, flows, repos } = filter
  const isByFlow = flow !== undefined || flows !== undefined
  if (fingerprint !== undefined || (isByFlow && repos !== undefined))
    return SqlPage.total(sql, passing(sql, org, filter))
  const active = sql`(${archived(sql, filter)}) is not true`
  if (environments !== undefined) {
    const where = sql`${active} and n.environment_id = any (${[...environments]})`
    return sql`${sumOf(sql, org, { filter, where })} as total`
  }
  const kept = sql`list_total_of(${org}, 'deployment', ${[...subjectsOf(filter)]})`
  if (filter.from === undefined && filter.to === undefined)
    return sql`((select ${kept}) - ${sumOf(sql, org, { filter, where: archived(sql, filter) })}) as total`
  return sql`(case when (select ${kept} <= list_total_of(${org}, 'environment', ${SqlPage.WHOLE}))
    then (select count(*) from ${passing(sql, org, filter)})
    else ${sumOf(sql, org, { filter, where: active })} end) as total`
}
