/** `TrailStore` on PostgreSQL. The details that a client has given are one JSON value. */
import { FlowName, type OrgId, TrailName } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { Trail, TrailDetails } from "@attestry/core/Trail"
import { type TrailQuery, TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as EvaluationsSql from "../compliance/EvaluationsSql.js"
import { forUpdate } from "../shared/ForUpdate.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"
import * as LockedTrail from "./LockedTrail.js"
import * as LockedTrails from "./LockedTrails.js"
import { TrailRow, toTrail } from "./TrailRow.js"

const detailsOf = (trail: Trail): string =>
  JSON.stringify({
    description: trail.description,
    git_commit_info: trail.git_commit_info,
    repo_info: trail.repo_info,
    external_urls: trail.external_urls,
    origin_url: trail.origin_url,
    user_data: trail.user_data
  } satisfies TrailDetails)

const CommitRow = Schema.Struct({ flow: FlowName, trail: TrailName, branch: Schema.String })

/** The place of a trail among all trails. */
const Place = Schema.Struct({ place: Schema.Int })

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: TrailQuery) =>
  sql.and([
    sql`t.org_id = ${org}`,
    ...(query.flow === undefined ? [] : [sql`t.flow_id = ${query.flow}`]),
    ...(query.within === undefined
      ? []
      : [
          sql`t.flow_id = any(${PlacedThings.idsOf(sql, { org, kind: "flow", spaces: query.within })})`
        ]),
    ...(query.fingerprint === undefined
      ? []
      : [
          sql`exists (select from artifact a where a.org_id = t.org_id
            and a.trail_id = t.trail_id and a.fingerprint = ${query.fingerprint})`
        ]),
    ...(query.flowTag === undefined
      ? []
      : [
          sql`exists (select from flow f where f.org_id = t.org_id and f.flow_id = t.flow_id
            and f.tags @> ${JSON.stringify(
              Object.fromEntries([[query.flowTag.key, query.flowTag.value]])
            )}::jsonb)`
        ]),
    ...(query.search === undefined ? [] : [sql`strpos(lower(t.name), lower(${query.search})) > 0`]),
    ...(query.status === undefined
      ? []
      : [
          sql`exists (select from trail_evaluation v where v.org_id = t.org_id
            and v.trail_id = t.trail_id and v.status = ${query.status})`
        ])
  ])

/** Trails, the newest first. */
const NEWEST = { table: "trail", place: "ordinal" } as const

/** The flows whose trails are counted together, or the whole org. */
const subjectsOf = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { flow, within }: TrailQuery
): ReadonlyArray<string> | Fragment => {
  if (within === undefined) return [flow ?? ""]
  const wanted: PlacedThings.Wanted = { org, kind: "flow", spaces: within }
  return PlacedThings.idsOf(sql, wanted, flow === undefined ? undefined : [flow])
}

/** `TrailStore` on PostgreSQL. */
export const layer: Layer.Layer<TrailStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    TrailStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const lockWithFlow = yield* LockedTrails.make
      const ifBranchIsNew = sql`on conflict (org_id, sha, ordinal) do update
      set branch = excluded.branch where trail_commit.branch = '' and excluded.branch <> ''`
      const links: WriteBuffer.Kind = {
        statement: (_, values) => sql`insert into trail_commit
        select * from json_populate_recordset(null::trail_commit, ${values}::json) ${ifBranchIsNew}`
      }
      const columns = sql.literal(`org_id, trail_id as id, flow_id, name, details, template,
      template_id, repo_ids, created_by, created_at, last_modified_at`)
      return TrailStore.of({
        ...(yield* EvaluationsSql.make),
        findByName: ({ org, flow, name }, locking) =>
          Effect.map(
            rows.first(TrailRow, {
              operation: "TrailStore.findByName",
              org,
              // WHY not the flow itself: it would be looked up among all trails of the flow.
              statement: sql`select ${columns} from trail
              where org_id = ${org} and flow_id || '' = ${flow} and name = ${name}
              ${forUpdate(sql, locking)}`
            }),
            Option.map((row) => toTrail(row, row.id))
          ),
        listByIds: (org, ids) =>
          Effect.map(
            rows.list(TrailRow, {
              operation: "TrailStore.listByIds",
              from: "list",
              org,
              statement: sql`select ${columns} from trail
              where org_id = ${org} and trail_id = any(${[...ids]})`
            }),
            Arr.map((row) => toTrail(row, row.id))
          ),
        lockWithFlow,
        insert: (trail) =>
          rows.wrote({
            operation: "TrailStore.insert",
            org: trail.org_id,
            statement: sql`insert into trail (org_id, trail_id, flow_id, name, details, template,
                template_id, repo_ids, created_by, created_at, last_modified_at)
              values (${trail.org_id}, ${trail.id}, ${trail.flow_id}, ${trail.name},
                ${detailsOf(trail)}::jsonb, ${trail.template}, ${trail.template_id},
                ${[...trail.repo_ids]}, ${trail.created_by}, ${trail.created_at},
                ${trail.last_modified_at})
              on conflict (org_id, flow_id, name) do nothing returning trail_id`
          }),
        update: (trail) =>
          rows.run({
            operation: "TrailStore.update",
            org: trail.org_id,
            statement: sql`update trail set details = ${detailsOf(trail)}::jsonb,
                template = ${trail.template}, template_id = ${trail.template_id}, repo_ids = ${[...trail.repo_ids]},
                last_modified_at = ${trail.last_modified_at}
              where org_id = ${trail.org_id} and trail_id = ${trail.id}`
          }),
        list: (org, query, page) => {
          const all = sql`trail t where ${conditions(sql, org, query)}`
          const { flow, within, ...filters } = query
          const isWhole = Object.values(filters).every((filter) => filter === undefined)
          const total = isWhole
            ? SqlPage.keptTotal(sql, { list: "trail", org, subjects: subjectsOf(sql, org, query) })
            : SqlPage.total(sql, all)
          const from =
            isWhole && flow === undefined && within !== undefined
              ? PlacedThings.pageOf(sql, { ...NEWEST, org, spaces: within }, page)
              : undefined
          return Effect.map(
            SqlPage.read(rows, TrailRow, {
              operation: "TrailStore.list",
              org,
              page,
              items:
                from === undefined
                  ? sql`select ${columns}, ${total} from ${all}
                    order by ordinal desc ${SqlPage.clause(sql, page)}`
                  : sql`select ${columns}, ${total} from ${from} order by ordinal desc`,
              count: sql`select ${total}`
            }),
            (found) => Page.map(found, (row) => toTrail(row, row.id))
          )
        },
        slice: ({ org, flow, after, limit }) =>
          Effect.gen(function* () {
            const operation = "TrailStore.slice"
            const before = Option.getOrElse(after, () => Number.MAX_SAFE_INTEGER)
            const places = yield* rows.all(Place, {
              operation,
              org,
              statement: sql`select ordinal as place from trail
                where org_id = ${org} and flow_id = ${flow} and ordinal < ${before}
                order by ordinal desc limit ${limit}`
            })
            const last = places.at(-1)
            if (last === undefined) return { items: [], next: Option.none() }
            // WHY a statement of its own: a damaged row has no place, and places are read from the index alone.
            // WHY a limit: each trail is looked up, where a join may read all of the org.
            const items = yield* rows.list(TrailRow, {
              operation,
              from: "page",
              org,
              statement: sql`select t.* from unnest(${places.map(({ place }) => place)}::int8[])
                  with ordinality as p (place, n)
                cross join lateral (select ${columns} from trail
                  where org_id = ${org} and ordinal = p.place limit 1) t
                order by p.n`
            })
            return {
              items: items.map((row) => toTrail(row, row.id)),
              next: places.length === limit ? Option.some(last.place) : Option.none()
            }
          }),
        linkCommit: ({ org, trail, sha, branch }) =>
          LockedTrail.use(trail, (locked, buffer) => {
            const operation = "TrailStore.linkCommit"
            const row = `link ${trail} ${sha}`
            return locked === undefined
              ? rows.write({
                  operation,
                  org,
                  row,
                  statement: sql`insert into trail_commit
                  select org_id, ${sha}, ordinal, trail_id, ${branch}
                  from trail where org_id = ${org} and trail_id = ${trail} ${ifBranchIsNew}`
                })
              : rows.addTo(buffer, {
                  operation,
                  org,
                  row,
                  kind: links,
                  value: { org_id: org, sha, ordinal: locked.ordinal, trail_id: trail, branch }
                })
          }),
        listByCommit: (org, sha, { within, ...page }) => {
          const links = sql`trail_commit c
              join trail t on t.org_id = c.org_id and t.trail_id = c.trail_id
              join flow f on f.org_id = t.org_id and f.flow_id = t.flow_id
            where c.org_id = ${org} and c.sha = ${sha}`
          const all =
            within === undefined
              ? links
              : sql`${links} and ${PlacedThings.isOne(sql, sql`t.flow_id`, {
                  org,
                  kind: "flow",
                  spaces: within
                })}`
          // WHY the org only as in row-level security: a second condition would cost a tenth for every link.
          const total = SqlPage.total(
            sql,
            within === undefined
              ? sql`trail_commit where org_id = current_setting('attestry.org_id', true) and sha = ${sha}`
              : all
          )
          return SqlPage.read(rows, CommitRow, {
            operation: "TrailStore.listByCommit",
            org,
            page,
            items: sql`select f.name as flow, t.name as trail, c.branch, ${total} from ${all}
            order by c.ordinal desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        }
      })
    })
  )
