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

const ARRIVALS = `snapshot_event e
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

      const columns = sql.literal(`${EVENT}, n.environment_id, n.name as environment_name`)

      const arrivals = (org: OrgId, condition: Statement.Fragment) =>
        sql`${sql.literal(ARRIVALS)} where e.org_id = ${org} and e.arrived and ${condition}`

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
          const all = arrivals(org, wanted)
          const total = SqlPage.total(sql, all)
          const found = SqlPage.read(rows, Row, {
            operation: "DeploymentStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by s.timestamp desc, e.environment_id, e.position
              ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
          return Effect.map(found, (paged) => Page.map(paged, toDeployment))
        },
        find: (org, { environment, index, position }) =>
          Effect.map(
            rows.first(Row, {
              operation: "DeploymentStore.find",
              org,
              statement: sql`select ${columns} from ${arrivals(
                org,
                sql`e.environment_id = ${environment} and e.index = ${index}
                  and e.position = ${position}`
              )}`
            }),
            Option.map(toDeployment)
          )
      })
    })
  )
