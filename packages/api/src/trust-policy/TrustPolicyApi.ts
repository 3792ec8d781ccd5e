/** The operations of the trust policy of an org. */
import { KeyAlgorithm } from "@attestry/core/KeyAlgorithm"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { TrustPolicyVersion } from "@attestry/core/TrustPolicyVersion"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { NotFound } from "../shared/HttpError.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** A trust policy to save. */
export const PutTrustPolicy = Schema.Struct({
  /** The text in YAML. */
  trust_yaml: Schema.String,
  comment: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "PutTrustPolicy" })

/** A key of a version, without its text. */
export const TrustPolicyKeyResponse = Schema.Struct({
  id: Schema.String,
  /** Null for an algorithm that is not known. */
  algorithm: Schema.NullOr(KeyAlgorithm),
  /** In epoch seconds; null without an end. */
  valid_until: Schema.NullOr(Schema.Number)
}).annotations({ identifier: "TrustPolicyKey" })

const { comment, created_by, version } = TrustPolicyVersion.fields

/** A version in a response. SPEC §2.27 */
export const TrustPolicyResponse = Schema.Struct({
  version,
  comment,
  created_by,
  timestamp: EpochSeconds,
  trust_yaml: Schema.String,
  /** How many rules it has. */
  rules: Schema.Int,
  keys: Schema.Array(TrustPolicyKeyResponse)
}).annotations({ identifier: "TrustPolicy" })

/** The operations of the trust policy of an org. */
export class TrustPolicyApi extends HttpApiGroup.make("trustPolicy")
  .add(
    HttpApiEndpoint.get("get")`/trust-policy/${org}`
      .addSuccess(TrustPolicyResponse)
      .addError(NotFound.Body)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the trust policy")
      .annotate(
        OpenApi.Description,
        "Answers the latest version of the trust policy of the org, with its keys and the " +
          "number of its rules. 404 while the org has none."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/trust-policy/${org}`
      .setPayload(PutTrustPolicy)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("trust-policy.write", jsonBody))
      .annotate(OpenApi.Summary, "Save the trust policy, or add a version where its text differs")
      .annotate(
        OpenApi.Description,
        "Adds a version if the text differs from the latest one, and answers 201; the same " +
          "text makes no version. Evidence that was judged before keeps its outcome. A text " +
          "that is no trust policy is 400 with all its problems."
      )
  )
  .add(
    HttpApiEndpoint.get("versions")`/trust-policy/${org}/versions`
      .addSuccess(Schema.Array(TrustPolicyResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the versions of the trust policy")
      .annotate(
        OpenApi.Description,
        "Answers every version of the trust policy of the org, newest first; none while the " +
          "org has no trust policy."
      )
  )
  .annotate(OpenApi.Title, "Trust policy")
  .annotate(
    OpenApi.Description,
    "Versioned rules about the signatures that an org trusts with which evidence."
  ) {}
