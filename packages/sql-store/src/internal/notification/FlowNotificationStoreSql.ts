/** `FlowNotificationStore` on PostgreSQL: rows of `environment_notification` that have flows. */
import { FlowNotification } from "@attestry/core/FlowNotification"
import { FlowNotificationStore } from "@attestry/core/FlowNotificationStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as NotificationTargetsSql from "./NotificationTargetsSql.js"
import * as WatchedFlows from "./WatchedFlows.js"
import * as WatchingSql from "./WatchingSql.js"

const WATCHING = "FlowNotificationStore.listWatchingFlow"

/** A subscription with targets that are not yet read. */
const WatchingRow = Schema.Struct({
  ...FlowNotification.fields,
  targets: Schema.Array(Schema.Unknown)
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columns = sql`o.org_id, o.number, o.name, o.flows, o.triggers, o.created_at,
    o.created_by, o.last_modified_at, ${NotificationTargetsSql.selected(sql, "number")}`

  return FlowNotificationStore.of({
    listFlowNotifications: (org) =>
      rows.list(FlowNotification, {
        operation: "FlowNotificationStore.listFlowNotifications",
        from: "list",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.flows is not null order by o.number`
      }),
    findFlowNotification: ({ org, number }, locking) =>
      rows.first(FlowNotification, {
        operation: "FlowNotificationStore.findFlowNotification",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.number = ${number} and o.flows is not null
          ${forUpdate(sql, locking, "o")}`
      }),
    listWatchingFlow: (org, flow) =>
      Effect.flatMap(WatchedFlows.get(flow), (isWatched) =>
        isWatched === false
          ? Effect.succeed([])
          : WatchingSql.list(rows, WatchingRow, {
              operation: WATCHING,
              from: "list",
              org,
              statement: sql`select ${columns} from environment_notification o
                where o.org_id = ${org} and o.flows @> ${JSON.stringify([flow])}::jsonb
                order by o.number`
            })
      ),
    insert: (n) =>
      Effect.zipRight(
        rows.run({
          operation: "FlowNotificationStore.insert",
          org: n.org_id,
          statement: sql`with used as (
              update environment_notification_number set last = ${n.number}
                where org_id = ${n.org_id}
            )
            insert into environment_notification (org_id, number, name, environments, flows,
                triggers, created_at, created_by, last_modified_at)
              values (${n.org_id}, ${n.number}, ${n.name}, '[]', ${JSON.stringify(n.flows)}::jsonb,
                ${JSON.stringify(n.triggers)}::jsonb, ${n.created_at}, ${n.created_by},
                ${n.last_modified_at})`
        }),
        rows.run({
          operation: "FlowNotificationStore.insert",
          org: n.org_id,
          statement: NotificationTargetsSql.replacing(
            sql,
            { org: n.org_id, type: null, number: n.number },
            n.targets
          )
        })
      ),
    remove: ({ org, number }) =>
      rows.run({
        operation: "FlowNotificationStore.remove",
        org,
        statement: NotificationTargetsSql.removing(sql, { org, number }, "of flows")
      })
  })
})

/** `FlowNotificationStore` on PostgreSQL. */
export const layer: Layer.Layer<
  FlowNotificationStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.effect(FlowNotificationStore, make)
