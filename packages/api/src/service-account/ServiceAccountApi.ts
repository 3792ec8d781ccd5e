/** The operations of service accounts. SPEC §4.10 */
import { ServiceAccountName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { BaseRole } from "@attestry/core/Role"
import { Description } from "@attestry/core/ServiceAccount"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { RoleInput } from "../shared/internal/RoleInput.js"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org, serviceAccountName } from "../shared/PathParam.js"
import { answeredSpace, newSpace } from "../shared/SpaceField.js"

/** A service account to create. */
export const CreateServiceAccount = Schema.Struct({
  name: ServiceAccountName,
  privilege: optional(RoleInput),
  description: optional(Description),
  space: newSpace
}).annotations({ identifier: "CreateServiceAccount" })

/** Fields to change; an absent field stays. */
export const UpdateServiceAccount = Schema.Struct({
  privilege: optional(RoleInput),
  description: Schema.optionalWith(Schema.NullOr(Description), { exact: true })
}).annotations({ identifier: "UpdateServiceAccount" })

/** A service account in a response. SPEC §2.8 */
export const ServiceAccountResponse = Schema.Struct({
  name: ServiceAccountName,
  display_name: Schema.String,
  privilege: BaseRole,
  description: Schema.String,
  creating_user_id: Schema.String,
  created_at: EpochSeconds,
  for_webhook: Schema.Boolean,
  space: answeredSpace
}).annotations({ identifier: "ServiceAccount" })

const Created = ServiceAccountResponse.annotations(HttpApiSchema.annotations({ status: 201 }))

const manage = rule("service-account.manage", noBody)

/** The operations of service accounts. */
export class ServiceAccountApi extends HttpApiGroup.make("serviceAccount")
  .add(
    HttpApiEndpoint.post("create")`/service-accounts/${org}`
      .setPayload(CreateServiceAccount)
      .addSuccess(Created)
      .annotate(Operation, rule("service-account.create", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Create a service account")
      .annotate(
        OpenApi.Description,
        "Creates a service account in a space. Its privilege, which counts in the whole org, cannot be above the " +
          "base role of the caller."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/service-accounts/${org}`
      .addSuccess(Schema.Array(ServiceAccountResponse))
      .annotate(Operation, manage)
      .annotate(OpenApi.Summary, "List the service accounts that you manage")
      .annotate(
        OpenApi.Description,
        "Answers all service accounts of their spaces to admins, and to others those that they created."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/service-accounts/${org}/${serviceAccountName}`
      .addSuccess(ServiceAccountResponse)
      .annotate(Operation, manage)
      .annotate(OpenApi.Summary, "Get a service account")
      .annotate(
        OpenApi.Description,
        "Answers one service account, to admins of its space and to its creator."
      )
  )
  .add(
    HttpApiEndpoint.patch("update")`/service-accounts/${org}/${serviceAccountName}`
      .setPayload(UpdateServiceAccount)
      .addSuccess(ServiceAccountResponse)
      .annotate(Operation, rule("service-account.manage", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Change the privilege or the description of a service account")
      .annotate(
        OpenApi.Description,
        "Changes the fields that are given. The privilege cannot be raised above the base role of the caller."
      )
  )
  .add(
    HttpApiEndpoint.del("delete")`/service-accounts/${org}/${serviceAccountName}`
      .addSuccess(OkBody)
      .annotate(Operation, manage)
      .annotate(OpenApi.Summary, "Delete a service account and its API keys")
      .annotate(
        OpenApi.Description,
        "Deletes a service account; its API keys stop working at once."
      )
  )
  .annotate(OpenApi.Title, "Service accounts")
  .annotate(OpenApi.Description, "Accounts of machines, which belong to an org.") {}
