/** Serves the operations of actions. */
import { ActionApi } from "@attestry/api/ActionApi"
import { Actions } from "@attestry/core/Actions"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import * as ActionResponse from "./ActionResponse.js"

const OK = ok("OK" as const)

/** Serves the operations of actions. */
export const ActionHandlers = group(
  ActionApi,
  Effect.map(Effect.all([Actions, EnvironmentNotifications]), ([actions, environments]) => ({
    list: ({ path }) =>
      actions.list(path.org).pipe(
        toWire,
        Effect.map((all) => ok(all.map(ActionResponse.ofAction)))
      ),
    get: ({ path }) =>
      actions.get(path.org, path.action_number).pipe(
        toWire,
        Effect.map((action) => ok(ActionResponse.ofAction(action)))
      ),
    delete: ({ path }) => actions.remove(path.org, path.action_number).pipe(toWire, Effect.as(OK)),
    test: ({ path }) => actions.test(path.org, path.action_number).pipe(toWire, Effect.as(OK)),
    createForEnvironments: ({ path, payload }) =>
      environments.create(path.org, payload).pipe(toWire, Effect.as(OK)),
    createForFlows: ({ path, payload }) =>
      actions.createForFlows(path.org, payload).pipe(toWire, Effect.as(OK))
  }))
)
