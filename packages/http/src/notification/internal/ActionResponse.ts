/** Makes the responses of notifications of environments and of flows, with their deliveries. SPEC §2.2 */
import type {
  ActionResponse,
  ActionTarget,
  EnvironmentNotificationResponse
} from "@attestry/api/ActionResponse"
import type { Action } from "@attestry/core/Actions"
import type { ShownSubscription } from "@attestry/core/EnvironmentNotifications"
import type { TeamName } from "@attestry/core/Identifier"
import * as NotificationTarget from "@attestry/core/NotificationTarget"

const targetOf = ({
  target,
  context,
  last_success_at,
  last_failure_at,
  last_error
}: NotificationTarget.StoredTarget): typeof ActionTarget.Type =>
  target.type === "CHAT"
    ? { ...target, last_success_at, last_failure_at, last_error, context }
    : { ...target, last_success_at, last_failure_at, last_error }

/** A missing time is 0; an action is failing while the last attempt at some target failed. */
const commonOf = (notification: Action["notification"], team: TeamName | null | undefined) => ({
  name: notification.name,
  number: notification.number,
  ...(team === undefined ? {} : { team }),
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
  notification: ShownSubscription
): typeof EnvironmentNotificationResponse.Type => ({
  ...commonOf(notification, notification.team_name),
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
        ...commonOf(action.notification, action.team_name),
        type: "flow",
        environments: null,
        flows: action.flows,
        triggers: action.notification.triggers
      }
