/** The operations of deployments: of the org, of an environment and of a repository. */
import { Deployment } from "@attestry/core/Deployment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { RepoChoice } from "../repo/RepoApi.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import {
  deploymentId,
  envName,
  org,
  repoId,
  repoName,
  wholeFingerprint
} from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { LiveArtifactsResponse } from "./LiveArtifactsResponse.js"

/** The largest number of deployments on a page of a repository. */
export const REPO_PER_PAGE_MAX = 50

const Link = Schema.Struct({ href: Schema.String })

const { verdict, ...shown } = Deployment.fields

/** A deployment in a response, with the addresses of its environment and its artifact. */
export const DeploymentResponse = Schema.Struct({
  ...shown,
  /** With `include=verdict`: `compliant` is also false where no policy evaluated the row. */
  verdict: Schema.optionalWith(verdict, { exact: true }),
  _links: Schema.Struct({
    self: Link,
    snapshot: Link,
    artifact: Schema.optionalWith(Link, { exact: true })
  })
}).annotations({ identifier: "Deployment" })

const deployments = Schema.Array(DeploymentResponse)

const environment = QueryParam.optional(
  QueryParam.repeatable(EnvironmentName),
  "Only deployments to the environment of this name. May be repeated; any of them may fit."
)

/** The window of a repository's deployments. */
const repoWindow = QueryParam.window(`${TimeWindow.DAYS} days before \`end_ts\` by default`)

/** Optional fields of the rows of lists. */
export const INCLUDES = ["verdict"] as const

const include = QueryParam.optional(
  QueryParam.words(INCLUDES),
  "Additional fields of each row: `verdict` is `Compliant`, `NonCompliant`, or " +
    "`Unknown` without a policy; `compliant` is true only for the first of these."
)

/** The filters of the list. */
const ListDeployments = Schema.Struct({
  ...Paging.pageFields(),
  include,
  environment,
  env_name: environment.annotations({ description: "The same filter as `environment`." }),
  flow: QueryParam.optional(FlowName, "Only deployments of artifacts of this flow."),
  fingerprint: QueryParam.optional(
    Fingerprint,
    "Only deployments of the artifact of this whole fingerprint."
  ),
  repo_name: QueryParam.optional(
    Schema.String,
    "Only deployments of artifacts whose record in the primary flow names this repository."
  ),
  ...QueryParam.window(
    `with \`end_ts\` alone ${TimeWindow.DAYS} days before it, without both there is no bound`
  )
}).pipe(Schema.filter(QueryParam.inOrder))

/** The deployments of an environment. */
const ListOfEnvironment = Schema.Struct({
  ...Paging.pageSizeFields,
  from: QueryParam.optional(
    QueryParam.isoInstant,
    "Only deployments at this time or later: ISO 8601, a date alone is its beginning in UTC; " +
      `${TimeWindow.ENVIRONMENT_DAYS} days before \`to\` by default.`
  ),
  to: QueryParam.optional(
    QueryParam.isoInstant,
    "Only deployments at this time or earlier, in the form of `from`; now by default."
  )
}).pipe(
  Schema.filter(({ from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? { path: ["from"], message: "Input should not be after `to`" }
      : undefined
  )
)

/** The operations of deployments. */
export class DeploymentApi extends HttpApiGroup.make("deployment")
  .add(
    HttpApiEndpoint.get("list")`/deployments/${org}`
      .setUrlParams(ListDeployments)
      .addSuccess(Schema.Struct({ ...Paging.counterFields, deployments }))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List deployments, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the moments at which artifacts began to run in environments."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/deployments/${org}/${deploymentId}`
      .addSuccess(DeploymentResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a deployment")
      .annotate(
        OpenApi.Description,
        "Answers one deployment with the time that its commit took to get there."
      )
  )
  .add(
    HttpApiEndpoint.get("newest")`/deployments/${org}/${envName}/${wholeFingerprint}`
      .addSuccess(DeploymentResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the newest deployment of an artifact to an environment")
      .annotate(
        OpenApi.Description,
        "Answers the time at which the artifact last began to run in the environment, and " +
          "the artifact that it replaced."
      )
  )
  .add(
    HttpApiEndpoint.get("listByEnvironment")`/environments/${org}/${envName}/deployments`
      .setUrlParams(ListOfEnvironment)
      .addSuccess(Schema.Struct({ ...Paging.pageSizeCounterFields, deployments }))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the deployments of an environment, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the moments at which artifacts began to run in the environment."
      )
  )
  .add(
    HttpApiEndpoint.get("listByRepo")`/repos/${org}/${repoId}/deployments`
      .setUrlParams(
        Schema.Struct({
          ...Paging.pageFields(REPO_PER_PAGE_MAX),
          env: environment,
          ...repoWindow
        }).pipe(Schema.filter(QueryParam.inOrder))
      )
      .addSuccess(Schema.Struct({ ...Paging.counterFields, deployments }))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the deployments of a repository, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the deployments of artifacts whose record in the primary flow names " +
          "the repository."
      )
  )
  .add(
    HttpApiEndpoint.get("statistics")`/repos/${org}/${repoId}/deployment-statistics`
      .setUrlParams(
        Schema.Struct({ env: environment, ...repoWindow }).pipe(Schema.filter(QueryParam.inOrder))
      )
      .addSuccess(
        Schema.Struct({
          start_ts: EpochSeconds,
          end_ts: EpochSeconds,
          environments: Schema.Array(
            Schema.Struct({
              env_name: EnvironmentName,
              deployed_at: Schema.Array(EpochSeconds),
              lead_time_seconds: Schema.Array(Schema.Finite)
            }).annotations({ identifier: "DeploymentSeries" })
          )
        }).annotations({ identifier: "DeploymentStatistics" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the times of a repository's deployments")
      .annotate(
        OpenApi.Description,
        "Answers, for each environment that the repository was ever deployed to, when that " +
          "happened within the window and how long it took from the first report: the series from " +
          "which frequencies and percentiles are made."
      )
  )
  .add(
    HttpApiEndpoint.get("liveArtifacts")`/repos/${org}/live-artifacts/${repoName}`
      .setUrlParams(Schema.Struct({ ...RepoChoice.fields, include }))
      .addSuccess(LiveArtifactsResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the running artifacts of a repository")
      .annotate(
        OpenApi.Description,
        "Answers the artifacts of the repository that run in the newest snapshots of " +
          "physical environments, by environment. If several repositories have the name, " +
          "`provider` or `id` selects one; by default the newest is used."
      )
  )
  .annotate(OpenApi.Title, "Deployments")
  .annotate(
    OpenApi.Description,
    "The times at which artifacts began to run in environments, derived from snapshots."
  ) {}
