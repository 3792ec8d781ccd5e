/** Actions in responses: notifications of environments and of flows, with the results of deliveries. SPEC §2.2 */
import { Trigger } from "@attestry/core/EnvironmentNotification"
import { FlowTrigger } from "@attestry/core/FlowNotification"
import { EnvironmentName, FlowName, TeamName } from "@attestry/core/Identifier"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import { EpochSecondsOrZero } from "../shared/internal/EpochSecondsOrZero.js"

const times = {
  last_success_at: Schema.NullOr(EpochSeconds),
  last_failure_at: Schema.NullOr(EpochSeconds),
  last_error: Schema.NullOr(
    Schema.String.annotations({
      description: "The class of the last failure, such as `status 500` or `timeout`."
    })
  )
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

/** The owner; absent for the org. */
const owner = {
  team: Schema.optionalWith(
    Schema.NullOr(TeamName).annotations({
      description:
        "The team that owns it; absent where the org does, and null where the team was deleted, so that nothing is sent"
    }),
    { exact: true }
  )
}

const common = {
  name: Schema.String,
  number: Schema.Int,
  ...owner,
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
