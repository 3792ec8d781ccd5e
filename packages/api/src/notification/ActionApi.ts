/** The operations of actions: notifications of environments and of flows under one sequence of numbers. SPEC §4.2 */
import * as FlowNotification from "@attestry/core/FlowNotification"
import { TargetInputs } from "@attestry/core/TargetInput"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { ActionResponse } from "./ActionResponse.js"
import { NUMBER_MAX, ownerField, PutEnvironmentNotification } from "./EnvironmentNotificationApi.js"

const actionNumber = HttpApiSchema.param(
  "action_number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the action in its org, from 1."
  })
)

/** A flow notification to create. */
export const PutFlowNotification = Schema.Struct({
  ...FlowNotification.content,
  type: Schema.optionalWith(Schema.Literal("flow"), { exact: true }),
  ...ownerField,
  targets: TargetInputs
}).annotations({ identifier: "PutFlowNotification" })

const write = rule("environment-notification.write", jsonBody)

/** The operations of actions. */
export class ActionApi extends HttpApiGroup.make("action")
  .add(
    HttpApiEndpoint.get("list")`/actions/${org}`
      .addSuccess(Schema.Array(ActionResponse))
      .annotate(Operation, rule("org.read", noBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "List actions, by number")
      .annotate(
        OpenApi.Description,
        "Answers every notification of environments and of flows, with its targets and when they " +
          "were last reached. Those of teams are answered to the people of the team and to admins."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/actions/${org}/${actionNumber}`
      .addSuccess(ActionResponse)
      .annotate(Operation, rule("org.read", noBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "Get an action")
      .annotate(
        OpenApi.Description,
        "Answers one notification of environments or of flows; 404 for an unknown number."
      )
  )
  .add(
    HttpApiEndpoint.del("delete")`/actions/${org}/${actionNumber}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment-notification.write", noBody))
      .annotate(OpenApi.Summary, "Delete an action")
      .annotate(
        OpenApi.Description,
        "Deletes a notification of either kind, and its pending deliveries."
      )
  )
  .add(
    HttpApiEndpoint.post("test")`/actions/${org}/${actionNumber}/test`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment-notification.write", noBody))
      .annotate(OpenApi.Summary, "Send a test message")
      .annotate(
        OpenApi.Description,
        "Sends a message with the event type `TEST` to every target of the action, each time it is called. Whether " +
          "it arrives shows in the times and the `last_error` of the targets; 404 for an unknown number."
      )
  )
  .add(
    HttpApiEndpoint.put("createForEnvironments")`/actions/${org}/environments`
      .setPayload(PutEnvironmentNotification)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Create an environment notification, as an action")
      .annotate(
        OpenApi.Description,
        "Creates an environment notification with the next number, unless an equal one " +
          "exists; the same operation as the one below `/organizations`."
      )
  )
  .add(
    HttpApiEndpoint.put("createForFlows")`/actions/${org}/flows`
      .setPayload(PutFlowNotification)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Create a flow notification")
      .annotate(
        OpenApi.Description,
        "Creates a notification of events in flows with the next number, unless an equal one " +
          "exists. `ON_RELEASE` is accepted and never fires. 404 for an unknown flow."
      )
  )
  .annotate(OpenApi.Title, "Actions")
  .annotate(
    OpenApi.Description,
    "Notifications of environments and of flows, under one sequence of numbers."
  ) {}
