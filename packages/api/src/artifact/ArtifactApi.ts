/** The operations of artifacts. SPEC §4.3 */
import { ArtifactReport } from "@attestry/core/Artifact"
import {
  ArtifactId,
  CommitSha,
  EnvironmentName,
  FlowName,
  TrailName
} from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { asOf } from "../history/AsOfFields.js"
import { CreatedBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { commitPrefix, fingerprint, flowName, org, wholeFingerprint } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { ArtifactResponse } from "./ArtifactResponse.js"

/** The default number of artifacts on a page. */
export const PER_PAGE_DEFAULT = 15

/** The name of a trail; some clients send an empty text. */
const InTrail = Schema.Struct({
  trail: QueryParam.optional(
    Schema.Union(Schema.Literal(""), TrailName),
    "Only artifacts that were reported to the trail of this name; empty is any trail."
  )
})

/** The id of a record, which is 400 where no record can have it. */
const RecordId = ArtifactId.pipe(Schema.pattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8}$/))

/** The commit of the previous artifact, if there is one. */
export const LatestCommit = Schema.Struct({
  latest_commit: Schema.NullOr(CommitSha)
}).annotations({ identifier: "LatestCommit" })

/** One unbroken run of an artifact in an environment. */
export const ArtifactRun = Schema.Struct({
  environment: EnvironmentName,
  /** The name of the row in the newest snapshot of the run. */
  name: Schema.String,
  first_index: Schema.Int,
  started_at: EpochSeconds,
  /** The last snapshot that contains it; null while it runs. */
  last_index: Schema.NullOr(Schema.Int),
  ended_at: Schema.NullOr(EpochSeconds),
  verdict: Verdict
}).annotations({ identifier: "ArtifactRun" })

/** One page of runs. */
export const ArtifactRuns = Schema.Struct({
  ...counterFields,
  runs: Schema.Array(ArtifactRun)
}).annotations({ identifier: "ArtifactRuns" })

/** The operations of artifacts. */
export class ArtifactApi extends HttpApiGroup.make("artifact")
  .add(
    HttpApiEndpoint.post("report")`/artifacts/${org}/${flowName}`
      .setPayload(ArtifactReport)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("artifact.write", jsonBody))
      .annotate(OpenApi.Summary, "Report an artifact")
      .annotate(
        OpenApi.Description,
        "Records that an artifact was built, in a slot of the template of a trail. Flow and " +
          "trail are created where they are missing; a slot that the template does not list is " +
          "accepted and shown as unexpected."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/artifacts/${org}`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          flow_name: QueryParam.optional(FlowName, "Only artifacts of the flow of this name."),
          repo_name: QueryParam.optional(
            Schema.String,
            "Only artifacts of repositories of this name; empty is any repository."
          ),
          search: QueryParam.optional(
            Schema.String,
            "Only artifacts whose file name contains this text, in any case."
          )
        })
      )
      .addSuccess(Schema.Array(ArtifactResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List artifacts, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of artifacts of the whole org, of one flow, or of one repository."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/artifacts/${org}/${flowName}/fingerprint/${fingerprint}`
      .setUrlParams(
        Schema.Struct({
          ...InTrail.fields,
          artifact_id: QueryParam.optional(
            RecordId,
            "The `id` of one record of the artifact in the flow; the newest one by default."
          ),
          attestation_id: QueryParam.optional(RecordId, "The same as `artifact_id`."),
          as_of: asOf
        })
      )
      .addSuccess(ArtifactResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an artifact by its fingerprint, or the beginning of it")
      .annotate(
        OpenApi.Description,
        "Answers the newest record of the artifact in the flow, with its status, the " +
          "environments in which it runs and its history. A beginning that several " +
          "fingerprints have is 400. With `as_of` record, status, environments and history are " +
          "those of that instant; 404 if the artifact was reported later."
      )
  )
  .add(
    HttpApiEndpoint.get("listByCommit")`/artifacts/${org}/${flowName}/commit_sha/${commitPrefix}`
      .setUrlParams(InTrail)
      .addSuccess(Schema.Array(ArtifactResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the artifacts of a commit, newest first")
      .annotate(
        OpenApi.Description,
        "Answers every artifact of the flow that was built from the commit; an empty array " +
          "if none was."
      )
  )
  .add(
    HttpApiEndpoint.get("latestCommit")`/artifacts/${org}/${flowName}/${fingerprint}/latest_commit`
      .setUrlParams(
        Schema.Struct({
          branch: QueryParam.optional(
            Schema.String,
            "Only artifacts whose commit was reported on this branch."
          )
        })
      )
      .addSuccess(LatestCommit)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the commit of the artifact that came before")
      .annotate(
        OpenApi.Description,
        "Answers the commit of the newest artifact of the flow that came before this one, or " +
          "null. A whole fingerprint need not have been reported yet; the beginning of one " +
          "must mean one artifact of the flow."
      )
  )
  .add(
    HttpApiEndpoint.get("runs")`/runs/${org}/${wholeFingerprint}`
      .setUrlParams(
        Schema.Struct({ ...pageFields(), sort_direction: QueryParam.sortDirection("asc") })
      )
      .addSuccess(ArtifactRuns)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List where an artifact ran and runs, by when each run began")
      .annotate(
        OpenApi.Description,
        "Answers one page of the unbroken runs of the fingerprint in physical environments, " +
          "archived ones included, whether or not it was reported to a flow; oldest first by " +
          "default. The list is empty if it never ran."
      )
  )
  .annotate(OpenApi.Title, "Artifacts")
  .annotate(
    OpenApi.Description,
    "The products of flows, identified by the digest of their content."
  ) {}
