/** Serves the operations of environment notifications. */
import { EnvironmentNotificationApi } from "@attestry/api/EnvironmentNotificationApi"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import * as ActionResponse from "./ActionResponse.js"

const OK = ok("OK" as const)

/** Serves the operations of environment notifications. */
export const EnvironmentNotificationHandlers = group(
  EnvironmentNotificationApi,
  Effect.map(EnvironmentNotifications, (notifications) => ({
    list: ({ path }) =>
      notifications.list(path.org).pipe(
        toWire,
        Effect.map((all) => ok(all.map(ActionResponse.ofEnvironments)))
      ),
    create: ({ path, payload }) =>
      notifications.create(path.org, payload).pipe(toWire, Effect.as(OK)),
    get: ({ path }) =>
      notifications.get(path.org, path.number).pipe(
        toWire,
        Effect.map((subscription) => ok(ActionResponse.ofEnvironments(subscription)))
      ),
    update: ({ path, payload }) =>
      notifications.update(path.org, path.number, payload).pipe(toWire, Effect.as(OK)),
    delete: ({ path }) => notifications.remove(path.org, path.number).pipe(toWire, Effect.as(OK))
  }))
)
