/** The operations of the API keys of service accounts. SPEC §4.10 */
import {
  DAYS_MAX,
  DESCRIPTION_LENGTH_MAX,
  EXPIRES_AT_SECONDS_MAX,
  GRACE_HOURS
} from "@attestry/core/ApiKey"
import { ApiKeyId } from "@attestry/core/Identifier"
import { GivenScope, KeyScope } from "@attestry/core/KeyScope"
import { optional } from "@attestry/core/OptionalField"
import * as Timestamp from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { EpochSecondsOrZero } from "../shared/internal/EpochSecondsOrZero.js"
import { jsonBody, noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { keyId, org, serviceAccountName } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** When a key expires, in whole epoch seconds; 0 and `null` mean never. */
const ExpiresAt = Schema.optionalWith(
  Schema.NullOr(Schema.Int.pipe(Schema.between(0, EXPIRES_AT_SECONDS_MAX))),
  { exact: true }
)

/** A key to create. */
export const CreateApiKey = Schema.Struct({
  description: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(DESCRIPTION_LENGTH_MAX)),
  expires_at: ExpiresAt,
  scope: optional(GivenScope).annotations({
    description: "What the key leaves of the account's access; absent leaves all. It never changes."
  })
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
  expires_at: EpochSecondsOrZero,
  scope: Schema.optionalWith(KeyScope, { exact: true })
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

const Instant = Schema.NullOr(Timestamp.EpochSeconds)

/** A key that counts in an org, without its secret. */
export const OrgApiKey = Schema.Struct({
  id: ApiKeyId,
  owner: Schema.Struct({
    type: Schema.Literal("user", "service-account"),
    name: Schema.String.annotations({ description: "The login of a user, the name of an account" })
  }),
  description: Schema.NullOr(Schema.String).annotations({
    description: "null for a key of a person, which counts in all orgs of the person"
  }),
  scope: Schema.NullOr(KeyScope).annotations({ description: "null for a key without a scope" }),
  emergency: Schema.optionalWith(Schema.Literal(true), { exact: true }).annotations({
    description: "Present for a key of an admin for emergencies"
  }),
  created_at: Timestamp.EpochSeconds,
  last_used_at: Instant.annotations({ description: "null is never" }),
  expires_at: Instant.annotations({ description: "null is never" }),
  grace_period_expires_at: Instant.annotations({
    description: "When a rotated key ends; null for one that was not rotated"
  })
}).annotations({ identifier: "OrgApiKey" })

/** A page of the keys that count in an org. */
export const OrgApiKeys = Schema.Struct({
  ...Paging.counterFields,
  api_keys: Schema.Array(OrgApiKey)
}).annotations({ identifier: "OrgApiKeys" })

/** Which keys of an org are listed. */
const conditions = Schema.Struct({
  ...Paging.pageFields(),
  unused_days: QueryParam.optional(
    QueryParam.integer(0, DAYS_MAX),
    "Only keys that were not used in the last so many days."
  ),
  ends_within_days: QueryParam.optional(
    QueryParam.integer(0, DAYS_MAX),
    "Only keys that end within so many days."
  ),
  unscoped: QueryParam.optional(
    QueryParam.boolean,
    "`true`: only keys without a scope. `false`: only keys with one."
  )
})

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
  .add(
    HttpApiEndpoint.get("listOrg")`/api-keys/${org}`
      .setUrlParams(conditions)
      .addSuccess(OrgApiKeys)
      .annotate(Operation, rule("api-key.read", noBody))
      .annotate(OpenApi.Summary, "List the API keys that count in the org")
      .annotate(
        OpenApi.Description,
        "Answers one page of the keys of all members and service accounts that work now, oldest first: whose each " +
          "is, its scope, when it was made and last used, and when it ends. No secrets."
      )
  )
  .annotate(OpenApi.Title, "API keys")
  .annotate(
    OpenApi.Description,
    "Credentials of users and service accounts: created, rotated and revoked."
  ) {}
