/** Serves the operations of environment notifications. */
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import {
  EnvironmentNotificationApi,
  type EnvironmentNotificationResponse
} from "../EnvironmentNotificationApi.js"
import { targetsOf } from "./TargetResponse.js"

/** DECISION A-38, D9.8 */
const responseOf = (
  subscription: EnvironmentNotification
): typeof EnvironmentNotificationResponse.Type => ({
  name: subscription.name,
  number: subscription.number,
  type: "env",
  environments: subscription.environments,
  triggers: subscription.triggers,
  targets: targetsOf(subscription.targets),
  created_at: subscription.created_at,
  created_by: subscription.created_by,
  last_modified_at: subscription.last_modified_at,
  last_success_timestamp: NotificationTarget.lastSuccess(subscription.targets),
  is_failing: subscription.targets.some(NotificationTarget.isFailing),
  is_created_from_chat_app: false
})

const OK = ok("OK" as const)

/** Serves the operations of environment notifications. */
export const EnvironmentNotificationHandlers = group(
  EnvironmentNotificationApi,
  Effect.map(EnvironmentNotifications, (notifications) => ({
    list: ({ path }) =>
      notifications.list(path.org).pipe(
        toWire,
        Effect.map((all) => ok(all.map(responseOf)))
      ),
    create: ({ path, payload }) =>
      notifications.create(path.org, payload).pipe(toWire, Effect.as(OK)),
    get: ({ path }) =>
      notifications.get(path.org, path.number).pipe(
        toWire,
        Effect.map((subscription) => ok(responseOf(subscription)))
      ),
    update: ({ path, payload }) =>
      notifications.update(path.org, path.number, payload).pipe(toWire, Effect.as(OK)),
    delete: ({ path }) => notifications.remove(path.org, path.number).pipe(toWire, Effect.as(OK))
  }))
)
