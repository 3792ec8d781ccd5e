/** The operations of artifacts. SPEC §4.3 */
import { ArtifactReport } from "@attestry/core/Artifact"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { CreatedBody } from "../shared/OkBody.js"
import { jsonBody, Operation, rule } from "../shared/Operation.js"
import { flowName, org } from "../shared/PathParam.js"

/** The operations of artifacts. */
export class ArtifactApi extends HttpApiGroup.make("artifact")
  .add(
    HttpApiEndpoint.post("report")`/artifacts/${org}/${flowName}`
      .setPayload(ArtifactReport)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("artifact.write", jsonBody))
      .annotate(OpenApi.Summary, "Report an artifact")
  )
  .annotate(OpenApi.Title, "Artifacts") {}
