/** The operations of allow-lists. */

import { DAYS_MAX } from "@attestry/core/AllowListEntry"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, Login } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { envName, org, wholeFingerprint } from "../shared/PathParam.js"

/** An artifact to allow, with the reason; without an end it is allowed until it is removed. */
export const AllowArtifact = Schema.Struct({
  artifact_fingerprint: Fingerprint,
  artifact_name: Schema.String,
  description: Schema.String.pipe(Schema.minLength(1)),
  expires_at: optional(
    EpochSeconds.annotations({
      description: `The end: in the future, at most ${DAYS_MAX} days away. Without it the entry has no end.`
    })
  ),
  owner: optional(
    Login.annotations({
      description:
        "The login of the member who answers for the entry. Without it that is the caller."
    })
  )
}).annotations({ identifier: "AllowArtifact" })

/** The fields of entries that were given an end or an owner; other entries do not have them. */
const ENDING = {
  expires_at: Schema.optionalWith(EpochSeconds, { exact: true }),
  /** Whether the end has passed; only with an end. */
  is_expired: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The login of the member who answers for the entry; without it that is its creator. */
  owner: Schema.optionalWith(Schema.String, { exact: true })
}

/** An entry of the allow-list in a response. */
export const AllowedArtifact = Schema.Struct({
  artifact_fingerprint: Fingerprint,
  artifact_name: Schema.String,
  description: Schema.String,
  created_by: Schema.String,
  created_at: EpochSeconds,
  ...ENDING
}).annotations({ identifier: "AllowedArtifact" })

/** An entry in the list of an org. */
export const OrgAllowedArtifact = Schema.Struct({
  artifact_name: Schema.String,
  fingerprint: Fingerprint,
  environment_name: EnvironmentName,
  timestamp: EpochSeconds,
  user_name: Schema.String,
  description: Schema.String,
  ...ENDING
}).annotations({ identifier: "OrgAllowedArtifact" })

/** The operations of allow-lists. */
export class AllowListApi extends HttpApiGroup.make("allowList")
  .add(
    HttpApiEndpoint.put("put")`/allowlists/${org}/${envName}`
      .setPayload(AllowArtifact)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("environment.write", jsonBody))
      .annotate(OpenApi.Summary, "Allow an artifact in an environment")
      .annotate(
        OpenApi.Description,
        "Makes an artifact compliant in the environment, regardless of its policies, until " +
          "`expires_at` if it is given. Running artifacts are evaluated at once. An entry that " +
          "exists is replaced; one that has ended is in force again. Answers 201 when the entry " +
          "is new."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/allowlists/${org}/${envName}`
      .addSuccess(Schema.Array(AllowedArtifact))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the allowed artifacts of an environment")
      .annotate(
        OpenApi.Description,
        "Answers the artifacts that are allowed to run in the environment, with the person " +
          "who allowed each and the reason. An entry that has ended is listed until it is removed."
      )
  )
  .add(
    HttpApiEndpoint.get("listOfOrg")`/allowlists/${org}`
      .addSuccess(Schema.Array(OrgAllowedArtifact))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the allowed artifacts of all environments, newest first")
      .annotate(
        OpenApi.Description,
        "Answers every entry in environments that are not archived, with when and by whom it " +
          "was allowed, and why."
      )
  )
  .add(
    HttpApiEndpoint.del("remove")`/allowlists/${org}/${envName}/${wholeFingerprint}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment.write", noBody))
      .annotate(OpenApi.Summary, "Take back that an artifact is allowed")
      .annotate(
        OpenApi.Description,
        "Removes an artifact from the list, so that policies decide about it again. Running " +
          "artifacts are evaluated at once."
      )
  )
  .annotate(OpenApi.Title, "Allow-lists")
  .annotate(
    OpenApi.Description,
    "Fingerprints that may run in an environment without evidence of their own."
  ) {}
