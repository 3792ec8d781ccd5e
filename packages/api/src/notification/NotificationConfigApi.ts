/** The operations of notification configurations and of the signing secret. SPEC §4.1 */
import { NotificationType } from "@attestry/core/Notification"
import { TargetInputs } from "@attestry/core/TargetInput"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import { TargetResponse } from "./internal/TargetResponse.js"

const notificationType = HttpApiSchema.param(
  "notification_type",
  NotificationType.annotations({ description: "The subject of the notifications." })
)

/** A configuration to save. */
export const PutNotificationConfig = Schema.Struct({ targets: TargetInputs }).annotations({
  identifier: "PutNotificationConfig"
})

const fields = {
  notification_type: NotificationType,
  scope: Schema.NullOr(Schema.String),
  targets: Schema.Array(TargetResponse),
  /** The days before the expiry of a key at which it is notified. */
  detection: Schema.Struct({ thresholds_days: Schema.Array(Schema.Int) }),
  last_notified_at: Schema.NullOr(EpochSeconds),
  last_failure: Schema.NullOr(
    Schema.Struct({ failed_at: EpochSeconds, error: Schema.String }).annotations({
      identifier: "NotificationFailure"
    })
  )
}

/** A configuration in a response. */
export const NotificationConfigResponse = Schema.Struct(fields).annotations({
  identifier: "NotificationConfigResponse"
})

const Put = NotificationConfigResponse.annotations(
  HttpApiSchema.annotations({ identifier: "NotificationConfigResponse", status: 201 })
)

/** The signing secret in a response. */
export const SigningSecretResponse = Schema.Struct({
  secret: Schema.String,
  previous_secret_expires_at: Schema.NullOr(EpochSeconds)
}).annotations({ identifier: "SigningSecret" })

const Rotated = SigningSecretResponse.annotations(
  HttpApiSchema.annotations({ identifier: "SigningSecret", status: 201 })
)

/** Responses contain signing secrets, and webhook URLs that are secrets themselves. */
const CONFIDENTIAL = { isConfidential: true } as const

/** The operations of notification configurations. */
export class NotificationConfigApi extends HttpApiGroup.make("notificationConfig")
  .add(
    HttpApiEndpoint.get("secret")`/notification-config/${org}/signing-secret`
      .addSuccess(SigningSecretResponse)
      .annotate(Operation, rule("notification-config.write", noBody, CONFIDENTIAL))
      .annotate(OpenApi.Summary, "Get the secret with which webhooks are signed")
      .annotate(
        OpenApi.Description,
        "Answers the secret with which webhooks of the org are signed, and until when the " +
          "one before signs too."
      )
  )
  .add(
    HttpApiEndpoint.post("rotateSecret")`/notification-config/${org}/signing-secret/rotate`
      .addSuccess(Rotated)
      .annotate(Operation, rule("notification-config.write", noBody, { answersSecret: true }))
      .annotate(OpenApi.Summary, "Rotate the secret with which webhooks are signed")
      .annotate(
        OpenApi.Description,
        "Makes a new secret. Webhooks are signed with both until the old one ends."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/notification-config/${org}/${notificationType}`
      .addSuccess(NotificationConfigResponse)
      .annotate(Operation, rule("org.read", noBody, CONFIDENTIAL))
      .annotate(OpenApi.Summary, "Get where notifications of a type go")
      .annotate(
        OpenApi.Description,
        "Answers where notifications of the type go; no targets mean that recipients are derived."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/notification-config/${org}/${notificationType}`
      .setPayload(PutNotificationConfig)
      .addSuccess(Put)
      .annotate(
        Operation,
        rule("notification-config.write", jsonBody, {
          ...CONFIDENTIAL,
          schemes: ["bearer", "basic", "session"]
        })
      )
      .annotate(OpenApi.Summary, "Set where notifications of a type go")
      .annotate(
        OpenApi.Description,
        "Sets the targets of the type, in place of those that would be derived. Answers 201 " +
          "also when it replaces a configuration."
      )
  )
  .add(
    HttpApiEndpoint.del("delete")`/notification-config/${org}/${notificationType}`
      .addSuccess(NotificationConfigResponse)
      .annotate(Operation, rule("notification-config.write", noBody, CONFIDENTIAL))
      .annotate(OpenApi.Summary, "Go back to derived recipients")
      .annotate(
        OpenApi.Description,
        "Removes the targets of the type, so that recipients are derived again. A " +
          "notification that was sent already is not sent again."
      )
  )
  .annotate(OpenApi.Title, "Notification configuration")
  .annotate(
    OpenApi.Description,
    "Where an org's notifications about expiring keys go, and the secret that signs webhooks."
  ) {}
