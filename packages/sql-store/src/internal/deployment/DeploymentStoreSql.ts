/** `DeploymentStore` on PostgreSQL: events that are arrivals, found by `migrations/0064_deployment`. */
import {
  type DeploymentFilter,
  DeploymentStore,
  type StoredDeployment
} from "@attestry/core/DeploymentStore"
import { EnvironmentId, EnvironmentName, type OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EVENT, EVENT_PARTS, EventRow, toEvent } from "../event-log/SnapshotEventsSql.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

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

/**
 * What a deployment is about, by the keys of the event `e`.
 *
 * WHY `archived_at` outside: inside, the index of the names of environments could be taken instead of the key.
 */
const PARTS = `join lateral (select n.environment_id, n.name, n.archived_at from environment n
    where n.org_id = e.org_id and n.environment_id = e.environment_id offset 0) n
    on n.archived_at is null
  ${EVENT_PARTS}`

/**
 * The deployments that match a filter, as `a`: each filter by itself is an index in the order of the list.
 *
 * WHY an array of archived environments: there are few, and so only matching rows are looked up.
 */
const wanted = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { environment, flow, fingerprint }: DeploymentFilter
): Statement.Fragment =>
  sql`${sql.literal(flow !== undefined && fingerprint === undefined ? "deployment_flow" : "deployment")} a
    where ${sql.and([
      sql`a.org_id = ${org}`,
      sql`a.environment_id <> all (array(select n.environment_id from environment n
        where n.org_id = ${org} and n.archived_at is not null))`,
      ...(environment === undefined ? [] : [sql`a.environment_id = ${environment}`]),
      ...(fingerprint === undefined ? [] : [sql`a.fingerprint = ${fingerprint}`]),
      ...(flow === undefined
        ? []
        : fingerprint === undefined
          ? [sql`a.flow_id = ${flow}`]
          : [
              sql`exists (select from deployment_flow f where f.org_id = ${org}
                and f.flow_id = ${flow} and f.timestamp = a.timestamp
                and f.environment_id = a.environment_id and f.position = a.position)`
            ])
    ])}`

const ORDER = "a.timestamp desc, a.environment_id, a.position"

/** `DeploymentStore` on PostgreSQL. */
export const layer: Layer.Layer<DeploymentStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    DeploymentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const columns = sql.literal(`${EVENT}, n.environment_id, n.name as environment_name`)

      const parts = sql.literal(PARTS)
      const order = sql.literal(ORDER)

      return DeploymentStore.of({
        list: (org, filter, page) => {
          const all = wanted(sql, org, filter)
          const total = SqlPage.total(sql, all)
          const found = SqlPage.read(rows, Row, {
            operation: "DeploymentStore.list",
            org,
            page,
            // WHY the inner select: the page is cut before anything is looked up for it.
            items: sql`select ${columns}, a.total
              from (select a.org_id, a.environment_id, a.index, a.position, a.timestamp, ${total}
                from ${all} order by ${order} ${SqlPage.clause(sql, page)}) a
              cross join lateral (select * from snapshot_event e where e.org_id = a.org_id
                and e.environment_id = a.environment_id and e.index = a.index
                and e.position = a.position offset 0) e
              ${parts}
              order by ${order}`,
            count: sql`select ${total}`
          })
          return Effect.map(found, (paged) => Page.map(paged, toDeployment))
        },
        find: (org, { environment, index, position }) =>
          Effect.map(
            rows.first(Row, {
              operation: "DeploymentStore.find",
              org,
              statement: sql`select ${columns} from snapshot_event e ${parts}
                where e.org_id = ${org} and e.environment_id = ${environment}
                  and e.index = ${index} and e.position = ${position} and e.arrived`
            }),
            Option.map(toDeployment)
          )
      })
    })
  )
