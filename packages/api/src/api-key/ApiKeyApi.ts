/** The operations of the API keys of service accounts. SPEC §4.10 */
import { DESCRIPTION_LENGTH_MAX, EXPIRES_AT_SECONDS_MAX, GRACE_HOURS } from "@attestry/core/ApiKey"
import { ApiKeyId } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import * as Timestamp from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { EpochSecondsOrZero } from "../shared/internal/EpochSecondsOrZero.js"
import { jsonBody, noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import { keyId, org, serviceAccountName } from "../shared/PathParam.js"

/** When a key expires, in whole epoch seconds; 0 and `null` mean never. */
const ExpiresAt = Schema.optionalWith(
  Schema.NullOr(Schema.Int.pipe(Schema.between(0, EXPIRES_AT_SECONDS_MAX))),
  { exact: true }
)

/** A key to create. */
export const CreateApiKey = Schema.Struct({
  description: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(DESCRIPTION_LENGTH_MAX)),
  expires_at: ExpiresAt
}).annotations({ identifier: "CreateApiKey" })

/** Options of a rotation; an empty object selects the defaults. */
export const RotateApiKey = Schema.Struct({
  grace_period_hours: optional(Schema.Int.pipe(Schema.between(GRACE_HOURS.min, GRACE_HOURS.max))),
  expires_at: ExpiresAt
}).annotations({ identifier: "RotateApiKey" })

const common = {
  id: ApiKeyId,
  description: Schema.String,
  created_at: Timestamp.EpochSeconds,
  expires_at: EpochSecondsOrZero
}

/** A key in a response, without its secret. */
export const ApiKeyResponse = Schema.Struct({
  ...common,
  last_used_at: EpochSecondsOrZero,
  grace_period_expires_at: Schema.optionalWith(Timestamp.EpochSeconds, { exact: true })
}).annotations({ identifier: "ApiKey" })

/** A new key with its secret, which no other response contains. */
export const CreatedApiKey = Schema.Struct({ ...common, key: Schema.String }).annotations({
  identifier: "CreatedApiKey",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** The key that replaces a rotated one, and when the rotated one expires. */
export const RotatedApiKey = Schema.Struct({
  ...common,
  key: Schema.String,
  grace_period_expires_at: Timestamp.EpochSeconds
}).annotations({ identifier: "RotatedApiKey", ...HttpApiSchema.annotations({ status: 201 }) })

const PERMISSION = "service-account.manage"

/** The operations of the API keys of service accounts. */
export class ApiKeyApi extends HttpApiGroup.make("apiKey")
  .add(
    HttpApiEndpoint.post("create")`/service-accounts/${org}/${serviceAccountName}/api-keys`
      .setPayload(CreateApiKey)
      .addSuccess(CreatedApiKey)
      .annotate(Operation, rule(PERMISSION, jsonBody, { answersSecret: true, isSensitive: true }))
      .annotate(OpenApi.Summary, "Create an API key; its secret is shown once")
      .annotate(
        OpenApi.Description,
        "Creates an API key of a service account. The answer shows its secret, which is not kept."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/service-accounts/${org}/${serviceAccountName}/api-keys`
      .addSuccess(Schema.Array(ApiKeyResponse))
      .annotate(Operation, rule(PERMISSION, noBody))
      .annotate(OpenApi.Summary, "List the active API keys of a service account")
      .annotate(
        OpenApi.Description,
        "Answers the keys of the account that work now, without their secrets."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/service-accounts/${org}/${serviceAccountName}/api-keys/${keyId}`
      .addSuccess(ApiKeyResponse)
      .annotate(Operation, rule(PERMISSION, noBody))
      .annotate(OpenApi.Summary, "Get an API key without its secret")
      .annotate(
        OpenApi.Description,
        "Answers when a key was created, when it ends and when it was last used; a key that " +
          "was revoked or has ended is not found."
      )
  )
  .add(
    HttpApiEndpoint.del("revoke")`/service-accounts/${org}/${serviceAccountName}/api-keys/${keyId}`
      .addSuccess(Schema.Literal("revoked"))
      .annotate(Operation, rule(PERMISSION, noBody))
      .annotate(OpenApi.Summary, "Revoke an API key at once")
      .annotate(
        OpenApi.Description,
        "Revokes a key, also one in its grace period; it stops working everywhere within a second."
      )
  )
  .add(
    HttpApiEndpoint.post(
      "rotate"
    )`/service-accounts/${org}/${serviceAccountName}/api-keys/${keyId}/rotate`
      .setPayload(RotateApiKey)
      .addSuccess(RotatedApiKey)
      .annotate(
        Operation,
        rule(PERMISSION, optionalJsonBody, { answersSecret: true, isSensitive: true })
      )
      .annotate(OpenApi.Summary, "Replace an API key; the old one works for a grace period")
      .annotate(
        OpenApi.Description,
        "Creates a key in place of another, which works until its grace period ends. The " +
          "answer shows the secret of the new key, which is not kept."
      )
  )
  .annotate(OpenApi.Title, "API keys")
  .annotate(
    OpenApi.Description,
    "Credentials of users and service accounts: created, rotated and revoked."
  ) {}
