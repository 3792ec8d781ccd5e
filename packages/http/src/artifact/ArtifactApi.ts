/** The operations of artifacts. SPEC §4.3 */
import { ArtifactReport } from "@attestry/core/Artifact"
import { CommitSha, FlowName, TrailName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { pageFields } from "../shared/Paging.js"
import { commitPrefix, fingerprint, flowName, org } from "../shared/PathParam.js"
import { ArtifactResponse } from "./ArtifactResponse.js"

/** This many artifacts are on a page unless asked. */
export const PER_PAGE_DEFAULT = 15

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A name of a trail, or nothing, which clients send too. */
const InTrail = Schema.Struct({ trail: optional(Schema.Union(Schema.Literal(""), TrailName)) })

/** The commit of the artifact before, if there is one. */
export const LatestCommit = Schema.Struct({
  latest_commit: Schema.NullOr(CommitSha)
}).annotations({ identifier: "LatestCommit" })

/** The operations of artifacts. */
export class ArtifactApi extends HttpApiGroup.make("artifact")
  .add(
    HttpApiEndpoint.post("report")`/artifacts/${org}/${flowName}`
      .setPayload(ArtifactReport)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("artifact.write", jsonBody))
      .annotate(OpenApi.Summary, "Report an artifact")
  )
  .add(
    HttpApiEndpoint.get("list")`/artifacts/${org}`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          flow_name: optional(FlowName),
          repo_name: optional(Schema.String)
        })
      )
      .addSuccess(Schema.Array(ArtifactResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List artifacts, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/artifacts/${org}/${flowName}/fingerprint/${fingerprint}`
      .setUrlParams(InTrail)
      .addSuccess(ArtifactResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an artifact by its fingerprint, or the beginning of it")
  )
  .add(
    HttpApiEndpoint.get("listByCommit")`/artifacts/${org}/${flowName}/commit_sha/${commitPrefix}`
      .setUrlParams(InTrail)
      .addSuccess(Schema.Array(ArtifactResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the artifacts of a commit, newest first")
  )
  .add(
    HttpApiEndpoint.get("latestCommit")`/artifacts/${org}/${flowName}/${fingerprint}/latest_commit`
      .setUrlParams(Schema.Struct({ branch: optional(Schema.String) }))
      .addSuccess(LatestCommit)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the commit of the artifact that came before")
  )
  .annotate(OpenApi.Title, "Artifacts") {}
