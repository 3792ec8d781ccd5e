/** The operations of the API keys of the caller. */
import { OrgName } from "@attestry/core/Identifier"
import { GivenPersonalScope } from "@attestry/core/KeyScope"
import { optional } from "@attestry/core/OptionalField"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import * as HttpError from "../shared/HttpError.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { keyId } from "../shared/PathParam.js"
import { ApiKeyResponse, CreateApiKey, CreatedApiKey } from "./ApiKeyApi.js"

/** A key of the caller to create. */
export const CreatePersonalKey = Schema.Struct({
  ...CreateApiKey.fields,
  scope: optional(GivenPersonalScope).annotations({
    description: "What the key leaves of the caller's access; absent leaves all. It never changes."
  }),
  emergency: optional(OrgName).annotations({
    description: "The org for whose emergencies the key is; it counts there alone"
  })
}).annotations({ identifier: "CreatePersonalKey" })

const emergency = Schema.optionalWith(Schema.Literal(true), { exact: true }).annotations({
  description: "Present for a key for emergencies"
})

/** A new key of the caller with its secret, which no other response contains. */
export const CreatedPersonalKey = Schema.Struct({
  ...CreatedApiKey.fields,
  emergency
}).annotations({
  identifier: "CreatedPersonalKey",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** A key of the caller, without its secret. */
export const PersonalKey = Schema.Struct({ ...ApiKeyResponse.fields, emergency }).annotations({
  identifier: "PersonalKey"
})

/** The keys of the caller. */
export const PersonalKeysResponse = Schema.Struct({
  api_keys: Schema.Array(PersonalKey)
}).annotations({ identifier: "PersonalKeys" })

/** The operations of the API keys of the caller. */
export class PersonalKeyApi extends HttpApiGroup.make("personalKey")
  .add(
    HttpApiEndpoint.get("list", "/user/api-keys")
      .addSuccess(PersonalKeysResponse)
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "List the caller's API keys")
      .annotate(
        OpenApi.Description,
        "Answers the keys of the caller that work now, oldest first, without their secrets; a " +
          "service account has none of its own."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/user/api-keys")
      .setPayload(CreatePersonalKey)
      .addSuccess(CreatedPersonalKey)
      .addError(HttpError.Conflict.Body)
      .annotate(
        Operation,
        rule("authenticated", jsonBody, { answersSecret: true, isSensitive: true })
      )
      .annotate(OpenApi.Summary, "Create an API key of the caller; its secret is shown once")
      .annotate(
        OpenApi.Description,
        "Creates a key of the person who calls. It has no more than the credential of the call: it " +
          "counts in no org in which that does not count. Orgs can want a recent sign-in, and can " +
          "have such keys end within some days. A key for emergencies is made by an admin of the " +
          "org, two at most; each of its uses is told. 403 for service accounts, 409 for a third."
      )
  )
  .add(
    HttpApiEndpoint.del("revoke")`/user/api-keys/${keyId}`
      .addSuccess(Schema.Literal("revoked"))
      .addError(HttpError.NotFound.Body)
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "Revoke an API key of the caller at once")
      .annotate(
        OpenApi.Description,
        "Revokes the key, and ends the sessions that it opened; it stops working everywhere within " +
          "a second. A key that has a scope revokes itself alone."
      )
  )
  .annotate(OpenApi.Title, "Personal API keys")
  .annotate(OpenApi.Description, "The API keys of the person who calls.") {}
