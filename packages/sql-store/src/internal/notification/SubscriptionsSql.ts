/**
 * Notifications of environments and of flows of `NotificationStore` on PostgreSQL: rows of `environment_notification`,
 * which have flows or not.
 */
import { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import { FlowNotification } from "@attestry/core/FlowNotification"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LockedEnvironment from "../environment/LockedEnvironment.js"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as NotificationTargetsSql from "./NotificationTargetsSql.js"
import * as WatchedFlows from "./WatchedFlows.js"
import * as WatchingSql from "./WatchingSql.js"

const Next = Schema.Struct({ next: Schema.Int })

/** A notification with targets that are not yet read. */
const WatchingEnvironment = Schema.Struct({
  ...EnvironmentNotification.fields,
  targets: Schema.Array(Schema.Unknown)
})

/** A notification with targets that are not yet read. */
const WatchingFlow = Schema.Struct({
  ...FlowNotification.fields,
  targets: Schema.Array(Schema.Unknown)
})

/** Notifications of environments and of flows on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    NotificationStore["Type"],
    | "listEnvironmentNotifications"
    | "findEnvironmentNotification"
    | "listWatchingEnvironment"
    | "listFlowNotifications"
    | "findFlowNotification"
    | "listWatchingFlow"
    | "lockNextNumber"
    | "insert"
    | "updateEnvironmentNotification"
    | "remove"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columnsWith = (subjects: "environments" | "flows") =>
    sql`o.org_id, o.number, o.team_id as team, o.name, o.${sql(subjects)}, o.triggers, o.created_at,
    o.created_by, o.last_modified_at, ${NotificationTargetsSql.selected(sql, "number")}`
  const columns = columnsWith("environments")
  const flowColumns = columnsWith("flows")

  const replaceTargets = (
    operation: string,
    { org_id, number, targets }: EnvironmentNotification | FlowNotification
  ) =>
    rows.run({
      operation,
      org: org_id,
      statement: NotificationTargetsSql.replacing(sql, { org: org_id, type: null, number }, targets)
    })

  const insertRow = (n: EnvironmentNotification | FlowNotification) => {
    const [environments, flows] =
      "flows" in n ? ["[]", JSON.stringify(n.flows)] : [JSON.stringify(n.environments), null]
    return rows.run({
      operation: "NotificationStore.insert",
      org: n.org_id,
      statement: sql`with used as (
          update environment_notification_number set last = ${n.number} where org_id = ${n.org_id}
        )
        insert into environment_notification (org_id, number, team_id, name, environments, flows,
            triggers, created_at, created_by, last_modified_at)
          values (${n.org_id}, ${n.number}, ${n.team ?? null}, ${n.name}, ${environments}::jsonb, ${flows}::jsonb,
            ${JSON.stringify(n.triggers)}::jsonb, ${n.created_at}, ${n.created_by},
            ${n.last_modified_at})`
    })
  }

  const updateRow = (n: EnvironmentNotification) =>
    rows.wrote({
      operation: "NotificationStore.updateEnvironmentNotification",
      org: n.org_id,
      statement: sql`update environment_notification set name = ${n.name},
          environments = ${JSON.stringify(n.environments)}::jsonb,
          triggers = ${JSON.stringify(n.triggers)}::jsonb, last_modified_at = ${n.last_modified_at}
        where org_id = ${n.org_id} and number = ${n.number} returning number`
    })

  return {
    listEnvironmentNotifications: (org) =>
      rows.list(EnvironmentNotification, {
        operation: "NotificationStore.listEnvironmentNotifications",
        from: "list",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.flows is null order by o.number`
      }),
    findEnvironmentNotification: ({ org, number }, locking) =>
      rows.first(EnvironmentNotification, {
        operation: "NotificationStore.findEnvironmentNotification",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.number = ${number} and o.flows is null
          ${forUpdate(sql, locking, "o")}`
      }),
    listWatchingEnvironment: ({ org, environment }, name) =>
      Effect.flatMap(LockedEnvironment.isWatched(org), (isWatched) =>
        isWatched === false
          ? Effect.succeed([])
          : WatchingSql.list(rows, WatchingEnvironment, {
              operation: "NotificationStore.listWatchingEnvironment",
              from: "list",
              org,
              statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and exists (
            select from jsonb_array_elements_text(o.environments) as named (name)
              where named.name = ${name} or named.name in (
                select f.name from environment_former_name f
                  where f.org_id = ${org} and f.environment_id = ${environment}))
          order by o.number`
            })
      ),
    listFlowNotifications: (org) =>
      rows.list(FlowNotification, {
        operation: "NotificationStore.listFlowNotifications",
        from: "list",
        org,
        statement: sql`select ${flowColumns} from environment_notification o
          where o.org_id = ${org} and o.flows is not null order by o.number`
      }),
    findFlowNotification: ({ org, number }, locking) =>
      rows.first(FlowNotification, {
        operation: "NotificationStore.findFlowNotification",
        org,
        statement: sql`select ${flowColumns} from environment_notification o
          where o.org_id = ${org} and o.number = ${number} and o.flows is not null
          ${forUpdate(sql, locking, "o")}`
      }),
    listWatchingFlow: (org, flow) =>
      Effect.flatMap(WatchedFlows.get(flow), (isWatched) =>
        isWatched === false
          ? Effect.succeed([])
          : WatchingSql.list(rows, WatchingFlow, {
              operation: "NotificationStore.listWatchingFlow",
              from: "list",
              org,
              statement: sql`select ${flowColumns} from environment_notification o
                where o.org_id = ${org} and o.flows @> ${JSON.stringify([flow])}::jsonb
                order by o.number`
            })
      ),
    lockNextNumber: (org) => {
      const operation = "NotificationStore.lockNextNumber"
      return Effect.flatMap(
        rows.first(Next, {
          operation,
          org,
          statement: sql`insert into environment_notification_number as n values (${org}, 0)
            on conflict (org_id) do update set last = n.last returning last + 1 as next`
        }),
        Option.match({
          onNone: () => new StoreError({ operation, cause: new Error("no number came back") }),
          onSome: ({ next }) => Effect.succeed(next)
        })
      )
    },
    insert: (notification) =>
      Effect.zipRight(
        insertRow(notification),
        replaceTargets("NotificationStore.insert", notification)
      ),
    updateEnvironmentNotification: (notification) =>
      Effect.flatMap(updateRow(notification), (isThere) =>
        isThere
          ? replaceTargets("NotificationStore.updateEnvironmentNotification", notification)
          : Effect.void
      ),
    remove: (notification) =>
      rows.run({
        operation: "NotificationStore.remove",
        org: notification.org_id,
        statement: NotificationTargetsSql.removing(sql, notification)
      })
  }
})
