/** `TrailStore` on PostgreSQL. What a client said about a trail is one JSON value. */
import { FlowId, OrgId, TrailId, TrailName } from "@attestry/core/Identifier"
import { Timestamp } from "@attestry/core/Timestamp"
import { type Trail, TrailDetails } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
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
    return TrailStore.of({
      lockByName: ({ org, flow, name }) =>
        Effect.map(
          rows.first(Row, {
            operation: "TrailStore.lockByName",
            org,
            statement: sql`select org_id, trail_id as id, flow_id, name, details, created_by,
                created_at, last_modified_at
              from trail where org_id = ${org} and flow_id = ${flow} and name = ${name} for update`
          }),
          Option.map(toTrail)
        ),
      insert: (trail) =>
        Effect.map(
          rows.count({
            operation: "TrailStore.insert",
            org: trail.org_id,
            statement: sql`insert into trail (org_id, trail_id, flow_id, name, details, created_by,
                created_at, last_modified_at)
              values (${trail.org_id}, ${trail.id}, ${trail.flow_id}, ${trail.name},
                ${detailsOf(trail)}::jsonb, ${trail.created_by}, ${trail.created_at},
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
                last_modified_at = ${trail.last_modified_at}
              where org_id = ${trail.org_id} and trail_id = ${trail.id}`
          })
        )
    })
  })
)
