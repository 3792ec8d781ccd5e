/**
 * Notification configurations of `NotificationStore` on PostgreSQL. The first lock of a configuration inserts its
 * row.
 */
import {
  empty,
  type NotificationConfig,
  type NotificationConfigKey
} from "@attestry/core/NotificationConfig"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import { StoredTarget } from "@attestry/core/NotificationTarget"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as NotificationTargetsSql from "./NotificationTargetsSql.js"

const Row = Schema.Struct({
  targets: Schema.Array(StoredTarget),
  last_notified_at: Schema.NullOr(Timestamp),
  failed_at: Schema.NullOr(Timestamp),
  error: Schema.NullOr(Schema.String)
})

const toConfig =
  (key: NotificationConfigKey) =>
  ({ failed_at, error, ...row }: typeof Row.Type): NotificationConfig => ({
    ...empty(key),
    ...row,
    failure: failed_at === null || error === null ? null : { failed_at, error }
  })

/** Notification configurations of `NotificationStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "findConfig" | "replaceConfigTargets" | "failConfig">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const targets = NotificationTargetsSql.selected(sql, "notification_type")

  const find = (key: NotificationConfigKey) =>
    Effect.map(
      rows.first(Row, {
        operation: "NotificationStore.findConfig",
        org: key.org,
        statement: sql`select o.last_notified_at, o.failed_at, o.error, ${targets}
              from notification_config o
              where o.org_id = ${key.org} and o.notification_type = ${key.type}`
      }),
      Option.match({ onNone: () => empty(key), onSome: toConfig(key) })
    )

  /** Locks the row, and inserts it where it is missing. */
  const hold = ({ org, type }: NotificationConfigKey) =>
    rows.run({
      operation: "NotificationStore.findConfig",
      org,
      statement: sql`insert into notification_config as c (org_id, notification_type)
            values (${org}, ${type})
            on conflict (org_id, notification_type) do update set error = c.error returning 1`
    })

  return {
    findConfig: (key, { lock = false } = {}) =>
      lock ? Effect.zipRight(hold(key), find(key)) : find(key),
    replaceConfigTargets: ({ org, type }, wanted) =>
      rows.run({
        operation: "NotificationStore.replaceConfigTargets",
        org,
        statement: NotificationTargetsSql.replacing(sql, { org, type, number: null }, wanted)
      }),
    failConfig: ({ org, type }, { failed_at, error }) =>
      rows.run({
        operation: "NotificationStore.failConfig",
        org,
        statement: sql`update notification_config
                set failed_at = ${failed_at}, error = ${error}
                where org_id = ${org} and notification_type = ${type}`
      })
  }
})
