/** Serves the operations of notification configurations and of the signing secret. */
import {
  NotificationConfigApi,
  type NotificationConfigResponse,
  type SigningSecretResponse
} from "@attestry/api/NotificationConfigApi"
import * as NotificationConfig from "@attestry/core/NotificationConfig"
import { NotificationConfigs } from "@attestry/core/NotificationConfigs"
import type { SigningSecret } from "@attestry/core/SigningSecret"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { targetsOf } from "./TargetResponse.js"

const responseOf = (
  config: NotificationConfig.NotificationConfig
): typeof NotificationConfigResponse.Type => ({
  notification_type: config.notification_type,
  scope: null,
  targets: targetsOf(config.targets),
  detection: NotificationConfig.detectionOf(config.notification_type),
  last_notified_at: config.last_notified_at,
  last_failure: NotificationConfig.visibleFailure(config)
})

const secretOf = ({ secret, previous }: SigningSecret): typeof SigningSecretResponse.Type => ({
  secret,
  previous_secret_expires_at: previous?.signs_until ?? null
})

/** Serves the operations of notification configurations. */
export const NotificationConfigHandlers = group(
  NotificationConfigApi,
  Effect.gen(function* () {
    const configs = yield* NotificationConfigs
    const secrets = yield* SigningSecrets
    return {
      secret: ({ path }) =>
        secrets.get(path.org).pipe(
          toWire,
          Effect.map((secret) => ok(secretOf(secret)))
        ),
      rotateSecret: ({ path }) =>
        secrets.rotate(path.org).pipe(
          toWire,
          Effect.map((secret) => created(secretOf(secret)))
        ),
      get: ({ path }) =>
        configs.get(path.org, path.notification_type).pipe(
          toWire,
          Effect.map((config) => ok(responseOf(config)))
        ),
      put: ({ path, payload }) =>
        configs.put(path.org, path.notification_type, payload.targets).pipe(
          toWire,
          Effect.map((config) => created(responseOf(config)))
        ),
      delete: ({ path }) =>
        configs.remove(path.org, path.notification_type).pipe(
          toWire,
          Effect.map((config) => ok(responseOf(config)))
        )
    }
  })
)
