/** The operations about the API itself: the caller, and the features of this deployment. */
import { ApiKeyId, OrgName } from "@attestry/core/Identifier"
import { KeyScope } from "@attestry/core/KeyScope"
import { BaseRole, Role } from "@attestry/core/Role"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"

/** The roles that grants give the caller in spaces of an org, where there are any. */
export const ownSpaces = Schema.optionalWith(
  Schema.Array(Schema.Struct({ space: Schema.String, role: Role })),
  { exact: true }
).annotations({ description: "The caller's roles in spaces, beside the role in the org" })

/** The caller of a request, with its orgs and its key. */
export const Caller = Schema.Struct({
  type: Schema.Literal("user", "service-account"),
  id: Schema.String,
  name: Schema.String.annotations({
    description: "The display name of a user, or the login without one; the name of an account"
  }),
  orgs: Schema.Array(Schema.Struct({ name: OrgName, role: BaseRole, spaces: ownSpaces })),
  api_key: Schema.NullOr(
    Schema.Struct({
      id: ApiKeyId,
      description: Schema.String,
      created_at: EpochSeconds,
      expires_at: Schema.NullOr(EpochSeconds).annotations({
        description: "When the key ends, the end of its grace period included; null is never"
      }),
      scope: Schema.optionalWith(KeyScope, { exact: true })
    })
  ).annotations({ description: "null for a person who signed in with a provider" })
}).annotations({ identifier: "Caller" })

const count = (description: string) => Schema.Int.annotations({ description })

/** The version, the features and the limits of this deployment. */
export const Deployment = Schema.Struct({
  version: Schema.String.annotations({ description: "The version of the program" }),
  api_version: Schema.String.annotations({ description: "The version of the interface" }),
  features: Schema.Struct({
    controls: Schema.Boolean.annotations({
      description: "Whether the beta feature of controls is open to this request"
    }),
    dry_run: Schema.Boolean,
    environment_type_aliases: Schema.Boolean,
    idempotency_keys: Schema.Boolean,
    return_representation: Schema.Boolean
  }),
  limits: Schema.Struct({
    json_bytes_max: count("The bytes of a JSON body"),
    report_bytes_max: count("The bytes of a report of an environment"),
    form_json_bytes_max: count("The bytes of the JSON part of a form"),
    form_parts_max: count("The parts of a form"),
    file_bytes_max: count("The bytes of a file of a form"),
    query_parameters_max: count("The parameters of a query"),
    per_page_default: count("The items of a page, where the request names no number"),
    per_page_max: count("The items of a page of most lists"),
    requests_per_minute_per_org: count("The requests of all callers to one org"),
    writes_per_minute_per_org: count("The requests to one org that may write"),
    requests_per_minute_per_key: count("The requests of one API key")
  })
}).annotations({ identifier: "DeploymentInfo" })

/** The operations about the API itself. */
export class MetaApi extends HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("whoami", "/whoami")
      .addSuccess(Caller)
      .annotate(
        Operation,
        rule("authenticated", noBody, { schemes: ["bearer", "basic", "session"] })
      )
      .annotate(OpenApi.Summary, "Get who you are")
      .annotate(
        OpenApi.Description,
        "Answers the user or service account that the credential belongs to, its role in each " +
          "org, and the API key with its end. Of a browser session it is the key that opened it."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/meta")
      .addSuccess(Deployment)
      .annotate(
        Operation,
        rule("authenticated", noBody, { schemes: ["bearer", "basic", "session"] })
      )
      .annotate(OpenApi.Summary, "Get version, features and limits")
      .annotate(
        OpenApi.Description,
        "Answers the version of this deployment, the features that a caller can use and the " +
          "limits of requests. It contains no secrets and no data of an org."
      )
  )
  .annotate(OpenApi.Title, "Service")
  .annotate(OpenApi.Description, "The caller, and the features of this deployment.") {}
