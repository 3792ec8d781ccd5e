/** `EnvironmentNotificationStore` on PostgreSQL. */
import { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import { EnvironmentNotificationStore } from "@attestry/core/EnvironmentNotificationStore"
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LockedEnvironment from "../environment/LockedEnvironment.js"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as NotificationTargetsSql from "./NotificationTargetsSql.js"
import * as WatchingSql from "./WatchingSql.js"

const Next = Schema.Struct({ next: Schema.Int })

const WATCHING = "EnvironmentNotificationStore.listWatchingEnvironment"

/** A subscription with targets that are not yet read. */
const WatchingRow = Schema.Struct({
  ...EnvironmentNotification.fields,
  targets: Schema.Array(Schema.Unknown)
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columns = sql`o.org_id, o.number, o.name, o.environments, o.triggers, o.created_at,
    o.created_by, o.last_modified_at, ${NotificationTargetsSql.selected(sql, "number")}`

  const replaceTargets = (
    operation: string,
    { org_id, number, targets }: EnvironmentNotification
  ) =>
    rows.run({
      operation,
      org: org_id,
      statement: NotificationTargetsSql.replacing(sql, { org: org_id, type: null, number }, targets)
    })

  const insertRow = (n: EnvironmentNotification) =>
    rows.run({
      operation: "EnvironmentNotificationStore.insert",
      org: n.org_id,
      statement: sql`with used as (
          update environment_notification_number set last = ${n.number} where org_id = ${n.org_id}
        )
        insert into environment_notification (org_id, number, name, environments, triggers,
            created_at, created_by, last_modified_at)
          values (${n.org_id}, ${n.number}, ${n.name}, ${JSON.stringify(n.environments)}::jsonb,
            ${JSON.stringify(n.triggers)}::jsonb, ${n.created_at}, ${n.created_by},
            ${n.last_modified_at})`
    })

  const updateRow = (n: EnvironmentNotification) =>
    rows.wrote({
      operation: "EnvironmentNotificationStore.updateEnvironmentNotification",
      org: n.org_id,
      statement: sql`update environment_notification set name = ${n.name},
          environments = ${JSON.stringify(n.environments)}::jsonb,
          triggers = ${JSON.stringify(n.triggers)}::jsonb, last_modified_at = ${n.last_modified_at}
        where org_id = ${n.org_id} and number = ${n.number} returning number`
    })

  return EnvironmentNotificationStore.of({
    listEnvironmentNotifications: (org) =>
      rows.list(EnvironmentNotification, {
        operation: "EnvironmentNotificationStore.listEnvironmentNotifications",
        from: "list",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.flows is null order by o.number`
      }),
    findEnvironmentNotification: ({ org, number }, locking) =>
      rows.first(EnvironmentNotification, {
        operation: "EnvironmentNotificationStore.findEnvironmentNotification",
        org,
        statement: sql`select ${columns} from environment_notification o
          where o.org_id = ${org} and o.number = ${number} and o.flows is null
          ${forUpdate(sql, locking, "o")}`
      }),
    listWatchingEnvironment: ({ org, environment }, name) =>
      Effect.flatMap(LockedEnvironment.isWatched(org), (isWatched) =>
        isWatched === false
          ? Effect.succeed([])
          : WatchingSql.list(rows, WatchingRow, {
              operation: WATCHING,
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
    lockNextNumber: (org) => {
      const operation = "EnvironmentNotificationStore.lockNextNumber"
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
        replaceTargets("EnvironmentNotificationStore.insert", notification)
      ),
    updateEnvironmentNotification: (notification) =>
      Effect.flatMap(updateRow(notification), (isThere) =>
        isThere
          ? replaceTargets(
              "EnvironmentNotificationStore.updateEnvironmentNotification",
              notification
            )
          : Effect.void
      ),
    remove: ({ org, number }) =>
      rows.run({
        operation: "EnvironmentNotificationStore.remove",
        org,
        statement: NotificationTargetsSql.removing(sql, { org, number }, "of environments")
      })
  })
})

/** `EnvironmentNotificationStore` on PostgreSQL. */
export const layer: Layer.Layer<
  EnvironmentNotificationStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.effect(EnvironmentNotificationStore, make)
