/** The operations of builds: the first records of fingerprints. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { GitCommitInfo } from "@attestry/core/GitCommit"
import { FlowName, SlotName, TrailName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The largest number of builds on a page. */
export const PER_PAGE_MAX = 50

/** A build in a response. */
export const BuildResponse = Schema.Struct({
  fingerprint: Fingerprint,
  artifact_name: Schema.String,
  created_at: EpochSeconds,
  flow_name: FlowName,
  trail_name: TrailName,
  template_reference_name: SlotName,
  git_commit: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(GitCommitInfo),
  commit_url: Schema.NullOr(Schema.String),
  build_url: Schema.NullOr(Schema.String),
  html_url: Schema.String,
  repo_info: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      repo_id: Schema.NullOr(Schema.String)
    }).annotations({ identifier: "BuildRepo" })
  )
}).annotations({ identifier: "Build" })

const filters = {
  repo_inner_id: QueryParam.optional(
    Schema.String,
    "Only builds of the repository that has this id here; wins over `repo_id` and `repo_name`."
  ),
  repo_id: QueryParam.optional(
    Schema.String,
    "Only builds of the repository that its provider calls this; wins over `repo_name`."
  ),
  repo_name: QueryParam.optional(
    Schema.String,
    "Only builds of repositories of exactly this name; one that is not known has none."
  ),
  ...QueryParam.window(`${TimeWindow.DAYS} days before \`end_ts\` by default`)
}

/** Filters of the builds. */
export const BuildFilters = Schema.Struct(filters).pipe(Schema.filter(QueryParam.inOrder))

/** The operations of builds. */
export class BuildApi extends HttpApiGroup.make("build")
  .add(
    HttpApiEndpoint.get("list")`/builds/${org}`
      .setUrlParams(
        Schema.Struct({ ...pageFields(PER_PAGE_MAX), ...filters }).pipe(
          Schema.filter(QueryParam.inOrder)
        )
      )
      .addSuccess(Schema.Struct({ ...counterFields, builds: Schema.Array(BuildResponse) }))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List builds, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the first records of fingerprints; later records of a fingerprint " +
          "are no builds."
      )
  )
  .add(
    HttpApiEndpoint.get("statistics")`/builds/${org}/statistics`
      .setUrlParams(BuildFilters)
      .addSuccess(
        Schema.Struct({
          start_ts: EpochSeconds,
          end_ts: EpochSeconds,
          count: Schema.Int,
          timestamps: Schema.Array(EpochSeconds)
        }).annotations({ identifier: "BuildStatistics" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the times of builds")
      .annotate(
        OpenApi.Description,
        "Answers when each build within the window was made, oldest first: the series from which " +
          "frequencies are made."
      )
  )
  .annotate(OpenApi.Title, "Builds")
  .annotate(OpenApi.Description, "Artifacts as they were built, over all flows of an org.") {}
