/** The targets of a configuration or a subscription: how they are read as one value and replaced. */
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import type { FlowNotification } from "@attestry/core/FlowNotification"
import type { OrgId } from "@attestry/core/Identifier"
import type { NotificationType } from "@attestry/core/Notification"
import type { StoredTarget } from "@attestry/core/NotificationTarget"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** Whose targets: a configuration's or a subscription's. */
export interface TargetOwner {
  readonly org: OrgId
  readonly type: NotificationType | null
  readonly number: number | null
}

/** The targets of the row `o`, in order, as one JSON value. */
export const selected = (sql: SqlClient, column: "number" | "notification_type"): Fragment =>
  sql`coalesce((select jsonb_agg(jsonb_build_object('id', t.target_id, 'target', t.target,
      'context', t.context, 'last_success_at', t.last_success_at,
      'last_failure_at', t.last_failure_at, 'last_error', t.last_error,
      'disabled_at', t.disabled_at) order by t.position)
    from notification_target t
    where t.org_id = o.org_id and t.${sql(column)} = o.${sql(column)}), '[]'::jsonb) as targets`

/** Writes the targets and removes all others of the same owner, with whatever is in their queues. */
export const replacing = (
  sql: SqlClient,
  { org, type, number }: TargetOwner,
  targets: ReadonlyArray<StoredTarget>
) => {
  const wanted = JSON.stringify(targets.map((target, position) => ({ ...target, position })))
  return sql`with wanted as (
      select * from jsonb_to_recordset(${wanted}::jsonb)
        as w (id text, position int4, target jsonb, context jsonb, disabled_at int8)
    ), gone as (
      delete from notification_target t
        where t.org_id = ${org} and t.number is not distinct from ${number}::int4
          and t.notification_type is not distinct from ${type}
          and t.target_id not in (select id from wanted)
        returning t.target_id
    ), cleared as (
      delete from outbox o where o.org_id = ${org} and o.queue in (select target_id from gone)
    )
    insert into notification_target as n (org_id, target_id, notification_type, number, position,
        target, context, disabled_at)
      select ${org}, w.id, ${type}, ${number}::int4, w.position, w.target,
        nullif(w.context, 'null'), w.disabled_at
      from wanted w
      on conflict (org_id, target_id) do update set position = excluded.position,
        target = excluded.target, context = excluded.context, disabled_at = excluded.disabled_at`
}

/** Removes a notification, its targets, and whatever is in their queues. */
export const removing = (
  sql: SqlClient,
  notification: EnvironmentNotification | FlowNotification
) => {
  const { org_id: org, number } = notification
  return sql`with owner as (
      delete from environment_notification n where n.org_id = ${org} and n.number = ${number}
        and (n.flows is not null) = ${"flows" in notification} returning n.number
    ), gone as (
      delete from notification_target t
        where t.org_id = ${org} and t.number in (select number from owner) returning t.target_id
    )
    delete from outbox o where o.org_id = ${org} and o.queue in (select target_id from gone)`
}
