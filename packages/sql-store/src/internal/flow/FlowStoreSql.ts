/** `FlowStore` on PostgreSQL. Names that flows had before a rename are rows of their own. */
import { Flow, type FlowKey } from "@attestry/core/Flow"
import { type FlowActivity, type FlowQuery, FlowStore } from "@attestry/core/FlowStore"
import type { FlowName, OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TagsSql from "../shared/TagsSql.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as TemplateVersionsSql from "./TemplateVersionsSql.js"

const COLUMNS = `f.org_id, f.flow_id as id, f.name, f.description, f.visibility, f.template,
  f.template_id, f.tags, f.archived_at, f.created_at, f.last_modified_at`

const Row = Schema.Struct({
  ...Flow.fields,
  latest_activity_at: Schema.NullOr(Timestamp),
  latest_state: Schema.NullOr(Schema.String),
  repo_url: Schema.NullOr(Schema.String)
})

const toActivity = ({
  latest_activity_at,
  latest_state,
  repo_url,
  ...flow
}: typeof Row.Type): FlowActivity => ({
  flow,
  latestActivityAt: latest_activity_at,
  latestState: latest_state,
  repoUrl: repo_url ?? ""
})

const conditions = (sql: SqlClient.SqlClient, org: OrgId, { search, tags = [] }: FlowQuery) =>
  sql.and([
    sql`f.org_id = ${org} and f.archived_at is null`,
    ...tags.map((each) => TagsSql.has(sql, sql`f.tags`, each)),
    ...(search === undefined
      ? []
      : search.caseSensitive
        ? [sql`strpos(f.name, ${search.text}) > 0`]
        : [sql`strpos(lower(f.name), lower(${search.text})) > 0`])
  ])

const orderOf = (sql: SqlClient.SqlClient, { sort, direction }: FlowQuery): Fragment => {
  const way = SqlPage.direction(sql, direction)
  return sort === "name"
    ? sql`f.name ${way}`
    : sql`coalesce(latest.evaluated_at, -1) ${way}, f.name ${way}`
}

/**
 * The flows among which the page is, or all: those of the first pages by their latest activity are known by the minute.
 */
const candidates = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { direction, page }: { readonly direction: FlowQuery["direction"]; readonly page: Page.Page }
): Fragment =>
  sql`unnest((select flows_by_activity(${org}, ${direction === "desc"},
    ${Page.offsetOf(page) + page.perPage}))::text[]) as c (id)
    cross join lateral (select * from flow l where l.org_id = ${org} and l.flow_id = c.id offset 0) f`

/** The flows that are in some spaces. */
const placedFlows = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  spaces: ReadonlyArray<PlaceId>
): Fragment =>
  PlacedThings.rowsOf(
    sql,
    { table: "flow", key: "flow_id", name: "f" },
    { org, kind: "flow", spaces }
  )

const insert = (sql: SqlClient.SqlClient, flow: Flow) =>
  sql`with added as (
      insert into flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
        archived_at, created_at, last_modified_at)
      values (${flow.org_id}, ${flow.id}, ${flow.name}, ${flow.description}, ${flow.visibility},
        ${flow.template}, ${flow.template_id}, ${JSON.stringify(flow.tags)}::jsonb,
        ${flow.archived_at}, ${flow.created_at}, ${flow.last_modified_at})
      on conflict (org_id, name) do nothing returning org_id, name
    ), taken as (
      delete from flow_former_name old using added
      where old.org_id = added.org_id and old.name = added.name
    ) select name from added`

const update = (sql: SqlClient.SqlClient, flow: Flow) =>
  sql`update flow set description = ${flow.description}, visibility = ${flow.visibility},
      template = ${flow.template}, template_id = ${flow.template_id},
      tags = ${JSON.stringify(flow.tags)}::jsonb, archived_at = ${flow.archived_at},
      last_modified_at = ${flow.last_modified_at}
    where org_id = ${flow.org_id} and flow_id = ${flow.id}`

/**
 * A rename, once the name is known to be free.
 *
 * WHY two statements: who makes a flow has its name, and then waits for the row of the former name. The parts of one
 * statement run in any order.
 */
const rename = (
  sql: SqlClient.SqlClient,
  { org_id, id, name: old }: Flow,
  { name, keepOld }: { readonly name: FlowName; readonly keepOld: boolean }
) => [
  sql`update flow set name = ${name} where org_id = ${org_id} and flow_id = ${id}`,
  sql`with forgotten as (
      delete from flow_former_name where org_id = ${org_id}
        and (name = ${name} or (not ${keepOld} and flow_id = ${id}))
    ) insert into flow_former_name (org_id, name, flow_id)
      select ${org_id}, ${old}, ${id} where ${keepOld}
      on conflict (org_id, name) do update set flow_id = excluded.flow_id`
]

/** `FlowStore` on PostgreSQL. */
export const layer: Layer.Layer<FlowStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    FlowStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const { transaction } = yield* TenantTransaction
      const columns = sql.literal(COLUMNS)

      const select = (operation: string, org: OrgId, rest: Fragment) =>
        rows.first(Flow, { operation, org, statement: sql`select ${columns} from flow f ${rest}` })

      const findNow = ({ org, name }: FlowKey) =>
        select("FlowStore.findByName", org, sql`where f.org_id = ${org} and f.name = ${name}`)

      // WHY one statement: a name that nothing has takes as many as one that a flow had or has, so that no time tells
      // them apart. The second part runs where the first finds none.
      const findByName = ({ org, name }: FlowKey) =>
        select(
          "FlowStore.findByName",
          org,
          sql`where f.org_id = ${org} and f.name = ${name}
          union all select ${columns} from flow f
            join flow_former_name old on old.org_id = f.org_id and old.flow_id = f.flow_id
            where old.org_id = ${org} and old.name = ${name}
          limit 1`
        )

      return FlowStore.of({
        ...(yield* TemplateVersionsSql.make),
        findByName,
        listByIds: (org, ids) =>
          rows.list(Flow, {
            operation: "FlowStore.listByIds",
            from: "list",
            org,
            statement: sql`select ${columns} from flow f
            where f.org_id = ${org} and f.flow_id = any(${[...ids]})`
          }),
        list: (org, query, page) => {
          const where = conditions(sql, org, query)
          const { direction, sort, within } = query
          const isWhole =
            query.search === undefined && (query.tags ?? []).length === 0 && within === undefined
          const all = within === undefined ? sql`flow f` : placedFlows(sql, org, within)
          const among =
            isWhole && sort === "latest_activity" && Option.isSome(page)
              ? candidates(sql, org, { direction, page: page.value })
              : all
          const total = isWhole
            ? SqlPage.keptTotal(sql, { list: "flow", org, subjects: SqlPage.WHOLE })
            : SqlPage.total(sql, sql`${all} where ${where}`)
          return Effect.map(
            SqlPage.read(rows, Row, {
              operation: "FlowStore.list",
              org,
              page: Option.getOrUndefined(page),
              items: sql`select ${columns}, latest.evaluated_at as latest_activity_at,
                latest.status as latest_state, (select a.report ->> 'repo_url' from artifact a
                  where a.org_id = f.org_id and a.flow_id = f.flow_id
                  order by a.sequence desc limit 1) as repo_url, ${total}
              from ${among} left join lateral (
                select e.evaluated_at, e.status from trail_evaluation e
                where e.org_id = f.org_id and e.flow_id = f.flow_id
                order by e.evaluated_at desc limit 1) latest on true
              where ${where} order by ${orderOf(sql, query)}
              ${Option.match(page, {
                onNone: () => sql.literal(""),
                onSome: (asked) => SqlPage.clause(sql, asked)
              })}`,
              count: sql`select ${total}`
            }),
            (found) => Page.map(found, toActivity)
          )
        },
        // WHY no key: trails that refer to the flow are made while a change of it waits for evaluations.
        lock: (key) =>
          select(
            "FlowStore.lock",
            key.org,
            sql`where f.org_id = ${key.org} and ${
              "id" in key ? sql`f.flow_id = ${key.id}` : sql`f.name = ${key.name}`
            } for no key update`
          ),
        insert: (flow) =>
          rows.wrote({
            operation: "FlowStore.insert",
            org: flow.org_id,
            statement: insert(sql, flow)
          }),
        update: (flow) =>
          rows.run({
            operation: "FlowStore.update",
            org: flow.org_id,
            statement: update(sql, flow)
          }),
        rename: (flow, name, keepOld) =>
          Effect.gen(function* () {
            const operation = "FlowStore.rename"
            const { org_id: org } = flow
            if (Option.isSome(yield* findNow({ org, name }))) return false
            const statements = rename(sql, flow, { name, keepOld })
            // WHY: the name may be taken since, which its unique key says once the other transaction has ended.
            return yield* transaction(org, () =>
              Effect.forEach(statements, (statement) => rows.run({ operation, org, statement }))
            ).pipe(
              Effect.as(true),
              Effect.catchIf(SqlFailure.isTaken, () => Effect.succeed(false))
            )
          })
      })
    })
  )
