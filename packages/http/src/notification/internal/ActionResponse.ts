/** Actions in responses: notifications of environments and of flows, with the results of deliveries. SPEC §2.2 */
import type { Action } from "@attestry/core/Actions"
import { type EnvironmentNotification, Trigger } from "@attestry/core/EnvironmentNotification"
import { FlowTrigger } from "@attestry/core/FlowNotification"
import { EnvironmentName, FlowName } from "@attestry/core/Identifier"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import { EpochSecondsOrZero } from "../../shared/internal/EpochSecondsOrZero.js"

const times = {
  last_success_at: Schema.NullOr(EpochSeconds),
  last_failure_at: Schema.NullOr(EpochSeconds)
}

/** A target with the times of its deliveries. */
export const ActionTarget = Schema.Union(
  Schema.Struct({
    ...NotificationTarget.ChatTarget.fields,
    ...times,
    context: Schema.NullOr(NotificationTarget.ChatContext)
  }).annotations({ identifier: "ChatActionTarget" }),
  Schema.Struct({ ...NotificationTarget.WebhookTarget.fields, ...times }).annotations({
    identifier: "WebhookActionTarget"
  }),
  Schema.Struct({ ...NotificationTarget.EmailTarget.fields, ...times }).annotations({
    identifier: "EmailActionTarget"
  })
)

const common = {
  name: Schema.String,
  number: Schema.Int,
  targets: Schema.Array(ActionTarget),
  created_at: EpochSeconds,
  created_by: Schema.String,
  last_modified_at: EpochSeconds,
  last_success_timestamp: EpochSecondsOrZero,
  last_failure_timestamp: Schema.NullOr(EpochSeconds),
  is_failing: Schema.Boolean,
  is_created_from_chat_app: Schema.Boolean
}

/** An environment notification in a response. */
export const EnvironmentNotificationResponse = Schema.Struct({
  ...common,
  type: Schema.Literal("env"),
  environments: Schema.Array(EnvironmentName),
  flows: Schema.Null,
  triggers: Schema.Array(Trigger)
}).annotations({ identifier: "EnvironmentNotification" })

/** A flow notification in a response. */
export const FlowNotificationResponse = Schema.Struct({
  ...common,
  type: Schema.Literal("flow"),
  environments: Schema.Null,
  flows: Schema.Array(FlowName),
  triggers: Schema.Array(FlowTrigger)
}).annotations({ identifier: "FlowNotification" })

/** An action in a response. */
export const ActionResponse = Schema.Union(
  EnvironmentNotificationResponse,
  FlowNotificationResponse
).annotations({ identifier: "Action" })

const targetOf = ({
  target,
  context,
  last_success_at,
  last_failure_at
}: NotificationTarget.StoredTarget): typeof ActionTarget.Type =>
  target.type === "CHAT"
    ? { ...target, last_success_at, last_failure_at, context }
    : { ...target, last_success_at, last_failure_at }

/** DECISION A-38, D9.8 */
const commonOf = (notification: Action["notification"]) => ({
  name: notification.name,
  number: notification.number,
  targets: notification.targets.map(targetOf),
  created_at: notification.created_at,
  created_by: notification.created_by,
  last_modified_at: notification.last_modified_at,
  last_success_timestamp: NotificationTarget.lastSuccess(notification.targets),
  last_failure_timestamp: NotificationTarget.lastFailure(notification.targets),
  is_failing: notification.targets.some(NotificationTarget.isFailing),
  is_created_from_chat_app: false
})

/** The response of an environment notification. */
export const ofEnvironments = (
  notification: EnvironmentNotification
): typeof EnvironmentNotificationResponse.Type => ({
  ...commonOf(notification),
  type: "env",
  environments: notification.environments,
  flows: null,
  triggers: notification.triggers
})

/** The response of an action. */
export const ofAction = (action: Action): typeof ActionResponse.Type =>
  action._tag === "OfEnvironments"
    ? ofEnvironments(action.notification)
    : {
        ...commonOf(action.notification),
        type: "flow",
        environments: null,
        flows: action.flows,
        triggers: action.notification.triggers
      }
