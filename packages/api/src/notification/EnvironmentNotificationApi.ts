/** The operations of environment notifications. SPEC §4.2 */
import * as EnvironmentNotification from "@attestry/core/EnvironmentNotification"
import { TeamName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
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
import { EnvironmentNotificationResponse } from "./ActionResponse.js"

/** The range of the column in the database. */
export const NUMBER_MAX = 2_147_483_647

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the environment notification in its org, from 1."
  })
)

/** The owner of a notification to save. */
export const ownerField = {
  team: optional(
    TeamName.annotations({
      description:
        "The team that is to own it and is told what it reads; absent for the org. The owner of a stored one stays."
    })
  )
}

/** An environment notification to save. */
export const PutEnvironmentNotification = Schema.Struct({
  ...EnvironmentNotification.content,
  type: Schema.optionalWith(Schema.Literal("env"), { exact: true }),
  ...ownerField,
  targets: TargetInputs
}).annotations({ identifier: "PutEnvironmentNotification" })

const write = rule("environment-notification.write", jsonBody)

/** The operations of environment notifications. */
export class EnvironmentNotificationApi extends HttpApiGroup.make("environmentNotification")
  .add(
    HttpApiEndpoint.get("list")`/organizations/${org}/environments_notifications`
      .addSuccess(Schema.Array(EnvironmentNotificationResponse))
      .annotate(Operation, rule("org.read", noBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "List environment notifications")
      .annotate(
        OpenApi.Description,
        "Answers every environment notification of the org: which environments and triggers, and where it goes. " +
          "Those of teams are answered to the people of the team and to admins."
      )
  )
  .add(
    HttpApiEndpoint.put("create")`/organizations/${org}/environments_notifications`
      .setPayload(PutEnvironmentNotification)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Create an environment notification")
      .annotate(
        OpenApi.Description,
        "Creates an environment notification with the next number, unless an equal one exists."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/organizations/${org}/environments_notifications/${number}`
      .addSuccess(EnvironmentNotificationResponse)
      .annotate(Operation, rule("org.read", noBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "Get an environment notification")
      .annotate(
        OpenApi.Description,
        "Answers one environment notification with when it was last delivered and whether it fails."
      )
  )
  .add(
    HttpApiEndpoint.put("update")`/organizations/${org}/environments_notifications/${number}`
      .setPayload(PutEnvironmentNotification)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Replace an environment notification")
      .annotate(OpenApi.Description, "Replaces an environment notification; it keeps its number.")
  )
  .add(
    HttpApiEndpoint.del("delete")`/organizations/${org}/environments_notifications/${number}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment-notification.write", noBody))
      .annotate(OpenApi.Summary, "Delete an environment notification")
      .annotate(
        OpenApi.Description,
        "Deletes an environment notification, and its pending deliveries."
      )
  )
  .annotate(OpenApi.Title, "Environment notifications")
  .annotate(OpenApi.Description, "Where the notifications about one environment go.") {}
