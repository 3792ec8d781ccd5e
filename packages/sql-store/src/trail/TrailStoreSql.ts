/** `TrailStore` on PostgreSQL. What a client said about a trail is one JSON value. */
import { FlowId, OrgId, TemplateId, TrailId, TrailName } from "@attestry/core/Identifier"
import { Timestamp } from "@attestry/core/Timestamp"
import { type Trail, TrailDetails, type TrailKey } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

const Row = Schema.Struct({
  org_id: OrgId,
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  details: TrailDetails,
  template: Schema.NullOr(Schema.String),
  template_id: Schema.NullOr(TemplateId),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})

const toTrail = ({ details, ...row }: typeof Row.Type): Trail => ({ ...row, ...details })

const detailsOf = (trail: Trail): string =>
  JSON.stringify({
    description: trail.description,
    git_commit_info: trail.git_commit_info,
    repo_info: trail.repo_info,
    external_urls: trail.external_urls,
    origin_url: trail.origin_url,
    user_data: trail.user_data
  } satisfies TrailDetails)

/** `TrailStore` on PostgreSQL. */
export const layer: Layer.Layer<TrailStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  TrailStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const columns = sql.literal(`org_id, trail_id as id, flow_id, name, details, template,
      template_id, created_by, created_at, last_modified_at`)
    const find = (operation: string, { org, flow, name }: TrailKey, lock: "" | "for update") =>
      Effect.map(
        rows.first(Row, {
          operation,
          org,
          statement: sql`select ${columns} from trail
            where org_id = ${org} and flow_id = ${flow} and name = ${name}
            ${sql.literal(lock)}`
        }),
        Option.map(toTrail)
      )
    return TrailStore.of({
      findByName: (key) => find("TrailStore.findByName", key, ""),
      listByIds: (org, ids) =>
        Effect.map(
          rows.all(Row, {
            operation: "TrailStore.listByIds",
            org,
            statement: sql`select ${columns} from trail
              where org_id = ${org} and trail_id = any(${[...ids]})`
          }),
          Arr.map(toTrail)
        ),
      lockByName: (key) => find("TrailStore.lockByName", key, "for update"),
      insert: (trail) =>
        Effect.map(
          rows.count({
            operation: "TrailStore.insert",
            org: trail.org_id,
            statement: sql`insert into trail (org_id, trail_id, flow_id, name, details, template,
                template_id, created_by, created_at, last_modified_at)
              values (${trail.org_id}, ${trail.id}, ${trail.flow_id}, ${trail.name},
                ${detailsOf(trail)}::jsonb, ${trail.template}, ${trail.template_id}, ${trail.created_by}, ${trail.created_at},
                ${trail.last_modified_at})
              on conflict (org_id, flow_id, name) do nothing returning trail_id`
          }),
          (count) => count > 0
        ),
      update: (trail) =>
        Effect.asVoid(
          rows.count({
            operation: "TrailStore.update",
            org: trail.org_id,
            statement: sql`update trail set details = ${detailsOf(trail)}::jsonb,
                template = ${trail.template}, template_id = ${trail.template_id},
                last_modified_at = ${trail.last_modified_at}
              where org_id = ${trail.org_id} and trail_id = ${trail.id}`
          })
        )
    })
  })
)
