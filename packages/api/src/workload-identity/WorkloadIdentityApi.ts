/** Rules for id tokens of pipelines, and the exchange of such a token for a key. SPEC §4.10, RFC 8693 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { ServiceAccountName } from "@attestry/core/Identifier"
import { IdentityRule, LIFETIME_SECONDS } from "@attestry/core/IdentityRule"
import { LENGTH_MAX } from "@attestry/core/IdToken"
import { GivenScope } from "@attestry/core/KeyScope"
import { optional } from "@attestry/core/OptionalField"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org, serviceAccountName } from "../shared/PathParam.js"

const { issuer, audience, subject, claims, lifetime, single_use } = IdentityRule.fields

/** A rule to save; absent fields have their defaults. */
export const IdentityRuleInput = Schema.Struct({
  issuer,
  audience: optional(audience),
  subject,
  claims: optional(claims),
  lifetime: optional(lifetime),
  single_use: optional(single_use),
  scope: optional(GivenScope)
}).annotations({ identifier: "IdentityRuleInput" })

/** The rules to save, in place of all that there are. */
export const PutIdentityRules = Schema.Struct({
  rules: Schema.Array(IdentityRuleInput)
}).annotations({ identifier: "PutIdentityRules" })

/** The rules of an account. */
export const IdentityRulesResponse = Schema.Struct({
  rules: Schema.Array(IdentityRule)
}).annotations({ identifier: "IdentityRules" })

/** The grant of the exchange. */
export const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange"
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
const JWT = "urn:ietf:params:oauth:token-type:jwt"
/** The kind of credential that is given. */
export const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token" as const

/** A token to exchange. */
export const ExchangeToken = Schema.Struct({
  grant_type: Schema.Literal(GRANT_TYPE),
  subject_token: Schema.String.pipe(Schema.maxLength(LENGTH_MAX)).annotations(
    FieldErrors.sensitive
  ),
  subject_token_type: Schema.Literal(ID_TOKEN, JWT),
  service_account: optional(ServiceAccountName)
}).annotations({ identifier: "ExchangeToken" })

/** The key that a token was exchanged for. */
export const ExchangedToken = Schema.Struct({
  access_token: Schema.String,
  issued_token_type: Schema.Literal(ACCESS_TOKEN),
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int,
  service_account: ServiceAccountName
}).annotations({ identifier: "ExchangedToken" })

/** The token and some room for the other fields. */
const EXCHANGE_BYTES_MAX = LENGTH_MAX + 4_096

const exchangeRule = rule("open", jsonBody, { answersSecret: true })

/** Rules for id tokens, and their exchange. */
export class WorkloadIdentityApi extends HttpApiGroup.make("workloadIdentity")
  .add(
    HttpApiEndpoint.get("getRules")`/service-accounts/${org}/${serviceAccountName}/identity-rules`
      .addSuccess(IdentityRulesResponse)
      .annotate(Operation, rule("identity-rule.write", noBody))
      .annotate(
        OpenApi.Summary,
        "Get the rules by which id tokens become keys of a service account"
      )
      .annotate(OpenApi.Description, "Answers the rules of a service account, in their order.")
  )
  .add(
    HttpApiEndpoint.put("putRules")`/service-accounts/${org}/${serviceAccountName}/identity-rules`
      .setPayload(PutIdentityRules)
      .addSuccess(IdentityRulesResponse)
      .annotate(Operation, rule("identity-rule.write", jsonBody, { isSensitive: true }))
      .annotate(
        OpenApi.Summary,
        "Replace the rules by which id tokens become keys of a service account"
      )
      .annotate(
        OpenApi.Description,
        "Saves the rules and replaces all earlier ones. A token matches a rule when issuer and " +
          "audience are equal, and subject and all claims match whole: `*` is any run without `:` " +
          "and `/`, `**` any run. The audience is by default the public URL of the deployment; " +
          `a key is valid for ${LIFETIME_SECONDS.default} seconds by default.`
      )
  )
  .add(
    HttpApiEndpoint.post("exchange")`/workload-identity/${org}/token`
      .setPayload(ExchangeToken)
      .addSuccess(ExchangedToken)
      .annotate(Operation, {
        ...exchangeRule,
        body: { ...jsonBody, bytesMax: EXCHANGE_BYTES_MAX, _tag: "JsonBody", optional: false }
      })
      .annotate(OpenApi.Summary, "Exchange the id token of a pipeline for a key that ends soon")
      .annotate(
        OpenApi.Description,
        "Answers a key of the service account whose rule the token matches: of the named " +
          "one, or of the least privileged. Every refusal is 401 without a reason; 503 while " +
          "the keys of the issuer are fetched."
      )
  )
  .annotate(OpenApi.Title, "Workload identity")
  .annotate(
    OpenApi.Description,
    "Pipelines without stored keys: id tokens of a CI become keys of service accounts."
  ) {}
