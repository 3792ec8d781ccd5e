/** The operations of deliveries that failed. SPEC §4.2 */
import { NAMED_MAX } from "@attestry/core/Delivery"
import { DeliveryId } from "@attestry/core/Identifier"
import { Notification } from "@attestry/core/Notification"
import { NotificationTarget } from "@attestry/core/NotificationTarget"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"

const EventType = Schema.Literal(
  ...Notification.members.flatMap((member) => member.fields.event_type.literals)
)

const TargetType = Schema.Literal(
  ...NotificationTarget.members.flatMap((member) => member.fields.type.literals)
)

/** A delivery that was given up. Addresses are secrets of the org, so the type of the target stands for it. */
export const FailedDeliveryResponse = Schema.Struct({
  id: Schema.String,
  notification: Schema.NullOr(
    Schema.Struct({ number: Schema.Int, name: Schema.String }).annotations({
      identifier: "DeliveredNotification"
    })
  ),
  target_type: TargetType,
  event_type: EventType,
  description: Schema.String,
  attempts: Schema.Int,
  error: Schema.String,
  created_at: EpochSeconds,
  failed_at: EpochSeconds
}).annotations({ identifier: "FailedDelivery" })

/** A page of deliveries that failed. */
export const FailedDeliveryPage = Schema.Struct({
  ...Paging.counterFields,
  deliveries: Schema.Array(FailedDeliveryResponse)
}).annotations({ identifier: "FailedDeliveries" })

/** Which deliveries are tried again. */
export const ReplayDeliveries = Schema.Struct({
  ids: Schema.Union(
    Schema.Literal("all"),
    Schema.Array(DeliveryId).pipe(Schema.minItems(1), Schema.maxItems(NAMED_MAX))
  ).annotations({
    description: `The ids of the deliveries, at most ${NAMED_MAX}, or \`all\`.`
  })
}).annotations({ identifier: "ReplayDeliveries" })

/** The deliveries that are tried again. */
export const ReplayedDeliveries = Schema.Struct({
  replayed: Schema.Array(Schema.String)
}).annotations({ identifier: "ReplayedDeliveries" })

// WHY not that of admins, who have it too: people of a team have the deliveries of the team's actions.
const PERMISSION = "environment-notification.write"

/** The operations of deliveries. */
export class DeliveryApi extends HttpApiGroup.make("delivery")
  .add(
    HttpApiEndpoint.get("failed")`/deliveries/${org}/failed`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(FailedDeliveryPage)
      .annotate(Operation, rule(PERMISSION, noBody))
      .annotate(OpenApi.Summary, "List deliveries that failed")
      .annotate(
        OpenApi.Description,
        "Answers one page of the deliveries that were given up after their last attempt, the newest failure " +
          "first: to admins those of the org, and to people of a team those of the team's actions. `error` names " +
          "a class of failure. Old ones are deleted after the time that the deployment sets."
      )
  )
  .add(
    HttpApiEndpoint.post("replay")`/deliveries/${org}/failed/replay`
      .setPayload(ReplayDeliveries)
      .addSuccess(ReplayedDeliveries)
      .annotate(Operation, rule(PERMISSION, jsonBody))
      .annotate(OpenApi.Summary, "Try failed deliveries again")
      .annotate(
        OpenApi.Description,
        "Makes deliveries due at once, under their ids, so that a receiver recognises one that it has had. Ids " +
          "that are no failed deliveries of the caller are left out of the answer, and of the ones that `all` means."
      )
  )
  .annotate(OpenApi.Title, "Deliveries")
  .annotate(OpenApi.Description, "Notifications that could not be delivered.") {}
