/** `ControlStore` on PostgreSQL: one row for each control as it is, and one for each version. */
import { type Changed, Control, ControlVersion } from "@attestry/core/Control"
import { type ControlQuery, ControlStore } from "@attestry/core/ControlStore"
import type { OrgId } from "@attestry/core/Identifier"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as Tags from "@attestry/core/Tags"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { forUpdate } from "../shared/ForUpdate.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TagsSql from "../shared/TagsSql.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, identifier, name, description, links, tags, version, archived, created_by,
  created_at`
const VERSION_COLUMNS = `version, kind, name, description, links, created_by as "user",
  created_at as timestamp`

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: ControlQuery) =>
  sql.and([
    sql`org_id = ${org}`,
    sql`archived = ${query.archived}`,
    ...(query.search === undefined
      ? []
      : [
          sql`(strpos(lower(name), lower(${query.search})) > 0
            or strpos(lower(identifier), lower(${query.search})) > 0)`
        ]),
    ...query.tags.map((each) => TagsSql.has(sql, sql`tags`, each))
  ])

/** The controls, all or those in some spaces. */
const controls = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  within: ReadonlyArray<PlaceId> | undefined
) =>
  within === undefined
    ? sql`control c`
    : PlacedThings.rowsOf(
        sql,
        { table: "control", key: "identifier", name: "c" },
        { org, kind: "control", spaces: within }
      )

/** One statement, so that a control never stands without its version. */
const insert = (sql: SqlClient.SqlClient, { control, entry }: Changed) =>
  sql`with added as (
      insert into control (org_id, identifier, name, description, links, tags, version, archived,
        created_by, created_at)
      values (${control.org_id}, ${control.identifier}, ${control.name}, ${control.description},
        ${JSON.stringify(control.links)}::jsonb, ${JSON.stringify(control.tags)}::jsonb,
        ${control.version}, ${control.archived}, ${control.created_by}, ${control.created_at})
      on conflict (org_id, identifier) do nothing returning *
    )
    insert into control_version (org_id, identifier, version, kind, name, description, links,
      created_by, created_at)
    select org_id, identifier, version, ${entry.kind}, name, description, links, ${entry.user},
      ${entry.timestamp}::int8 from added returning identifier`

const revise = (sql: SqlClient.SqlClient, { control, entry }: Changed) =>
  sql`with changed as (
      update control set name = ${control.name}, description = ${control.description},
        links = ${JSON.stringify(control.links)}::jsonb, version = ${control.version},
        archived = ${control.archived}
      where org_id = ${control.org_id} and identifier = ${control.identifier} returning *
    )
    insert into control_version (org_id, identifier, version, kind, name, description, links,
      created_by, created_at)
    select org_id, identifier, version, ${entry.kind}, name, description, links, ${entry.user},
      ${entry.timestamp}::int8 from changed returning identifier`

/** `ControlStore` on PostgreSQL. */
export const layer: Layer.Layer<ControlStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ControlStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)
      const versionColumns = sql.literal(VERSION_COLUMNS)

      return ControlStore.of({
        find: ({ org, identifier }, locking) =>
          rows.first(Control, {
            operation: "ControlStore.find",
            org,
            statement: sql`select ${columns} from control
            where org_id = ${org} and identifier = ${identifier} ${forUpdate(sql, locking)}`
          }),
        list: (org, query, page) => {
          const all = sql`${controls(sql, org, query.within)} where ${conditions(sql, org, query)}`
          const total =
            query.search === undefined && query.tags.length === 0 && query.within === undefined
              ? SqlPage.keptTotal(sql, {
                  list: "control",
                  org,
                  subjects: [query.archived ? "archived" : ""]
                })
              : SqlPage.total(sql, all)
          const direction = SqlPage.direction(sql, query.direction)
          return SqlPage.read(rows, Control, {
            operation: "ControlStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
            order by name ${direction}, identifier ${direction} ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        insert: (first) =>
          rows.wrote({
            operation: "ControlStore.insert",
            org: first.control.org_id,
            statement: insert(sql, first)
          }),
        revise: (next) =>
          rows.run({
            operation: "ControlStore.revise",
            org: next.control.org_id,
            statement: revise(sql, next)
          }),
        tag: ({ org_id, identifier, tags }) =>
          rows.run({
            operation: "ControlStore.tag",
            org: org_id,
            statement: sql`update control set tags = ${JSON.stringify(tags)}::jsonb
              where org_id = ${org_id} and identifier = ${identifier}`
          }),
        listVersions: ({ org, identifier }, direction, page) => {
          const all = sql`control_version where org_id = ${org} and identifier = ${identifier}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, ControlVersion, {
            operation: "ControlStore.listVersions",
            org,
            page,
            items: sql`select ${versionColumns}, ${total} from ${all}
            order by version ${SqlPage.direction(sql, direction)} ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listTags: (org, within) =>
          rows.all(Tags.Tag, {
            operation: "ControlStore.listTags",
            org,
            // WHY the type: the tags of a damaged control are left out, and fail nothing.
            statement: sql`select distinct t.key, t.value
              from ${controls(sql, org, within)} cross join jsonb_each_text(
                case when jsonb_typeof(c.tags) = 'object' then c.tags else '{}' end) t
              where c.org_id = ${org} and not c.archived and t.value is not null`
          }),
        findVersion: ({ org, identifier }, version) =>
          rows.first(ControlVersion, {
            operation: "ControlStore.findVersion",
            org,
            statement: sql`select ${versionColumns} from control_version
            where org_id = ${org} and identifier = ${identifier} and version = ${version}`
          })
      })
    })
  )
