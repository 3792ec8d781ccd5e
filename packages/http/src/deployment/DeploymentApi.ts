/** The operations of deployments. DECISION A-11 */
import { Deployment } from "@attestry/core/Deployment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/internal/Operation.js"
import { counterFields, pageFields } from "../shared/internal/Paging.js"
import { deploymentId, org } from "../shared/internal/PathParam.js"
import * as QueryParam from "../shared/internal/QueryParam.js"

/** The operations of deployments. */
export class DeploymentApi extends HttpApiGroup.make("deployment")
  .add(
    HttpApiEndpoint.get("list")`/deployments/${org}`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          environment: QueryParam.optional(
            EnvironmentName,
            "Only deployments to the environment of this name."
          ),
          flow: QueryParam.optional(FlowName, "Only deployments of artifacts of this flow."),
          fingerprint: QueryParam.optional(
            Fingerprint,
            "Only deployments of the artifact of this whole fingerprint."
          )
        })
      )
      .addSuccess(Schema.Struct({ ...counterFields, deployments: Schema.Array(Deployment) }))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List deployments, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the moments at which artifacts began to run in environments."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/deployments/${org}/${deploymentId}`
      .addSuccess(Deployment)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a deployment")
      .annotate(
        OpenApi.Description,
        "Answers one deployment with the time that its commit took to get there."
      )
  )
  .annotate(OpenApi.Title, "Deployments") {}
