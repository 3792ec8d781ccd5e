/** `DeploymentStore` on PostgreSQL: events that are arrivals. */
import { DeploymentStore, type StoredDeployment } from "@attestry/core/DeploymentStore"
import { EnvironmentId, EnvironmentName, type OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as SqlRows from "../shared/SqlRows.js"
import { EVENT, EVENT_PARTS, EventRow, toEvent } from "../snapshot/SnapshotEventsSql.js"

const Row = Schema.Struct({
  ...EventRow.fields,
  environment_id: EnvironmentId,
  environment_name: EnvironmentName
})

const toDeployment = ({
  environment_id,
  environment_name,
  ...event
}: typeof Row.Type): StoredDeployment => ({
  environmentId: environment_id,
  environmentName: environment_name,
  event: toEvent(event)
})

const FROM = `from snapshot_event e
  join environment n on n.org_id = e.org_id and n.environment_id = e.environment_id
    and n.archived_at is null
  ${EVENT_PARTS}`

/** `DeploymentStore` on PostgreSQL. */
export const layer: Layer.Layer<DeploymentStore, never, SqlClient.SqlClient | SqlOrg> =
  Layer.effect(
    DeploymentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* SqlRows.make

      const select = (org: OrgId, condition: Statement.Fragment) =>
        sql`select ${sql.literal(EVENT)}, n.environment_id, n.name as environment_name
          ${sql.literal(FROM)} where e.org_id = ${org} and e.arrived and ${condition}`

      return DeploymentStore.of({
        list: (org, { environment, flow, fingerprint }, page) => {
          const wanted = sql.and([
            sql.literal("true"),
            ...(environment === undefined ? [] : [sql`e.environment_id = ${environment}`]),
            ...(fingerprint === undefined ? [] : [sql`r.fingerprint = ${fingerprint}`]),
            ...(flow === undefined
              ? []
              : [sql`f.flows @> ${JSON.stringify([{ flow_id: flow }])}::jsonb`])
          ])
          const found = SqlPage.read(rows, Row, {
            operation: "DeploymentStore.list",
            org,
            items: sql`${select(org, wanted)} order by s.timestamp desc, e.environment_id, e.position
              ${SqlPage.clause(sql, page)}`,
            count: sql`select count(*) as total ${sql.literal(FROM)}
              where e.org_id = ${org} and e.arrived and ${wanted}`
          })
          return Effect.map(found, (paged) => Page.map(paged, toDeployment))
        },
        find: (org, { environment, index, position }) =>
          Effect.map(
            rows.first(Row, {
              operation: "DeploymentStore.find",
              org,
              statement: select(
                org,
                sql`e.environment_id = ${environment} and e.index = ${index}
                  and e.position = ${position}`
              )
            }),
            Option.map(toDeployment)
          )
      })
    })
  )
