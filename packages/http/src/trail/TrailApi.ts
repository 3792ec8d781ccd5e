/** The operations of trails. SPEC §4.7 */
import { ExternalUrls, UserData, WebUrl } from "@attestry/core/Evidence"
import { GitCommitInfo, RepoInfo } from "@attestry/core/GitCommit"
import { TrailName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, noBody, Operation, rule } from "../shared/Operation.js"
import { dataEnvelope, pageFields } from "../shared/Paging.js"
import { flowName, org, trailName } from "../shared/PathParam.js"
import { TrailResponse, TrailSummaryResponse } from "./TrailResponse.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What a trail is asked to be; a field that is left out keeps its value. */
export const BeginTrail = Schema.Struct({
  name: TrailName,
  description: optional(Schema.String),
  user_data: optional(UserData),
  git_commit_info: optional(GitCommitInfo),
  repo_info: optional(RepoInfo),
  external_urls: optional(ExternalUrls),
  origin_url: optional(WebUrl),
  template_file: optional(Schema.String)
}).annotations({ identifier: "BeginTrail" })

/** This many trails are on a page unless asked. */
export const PER_PAGE_DEFAULT = 20

/** How trails are listed; an empty fingerprint or tag matches nothing. */
export const ListTrails = Schema.Struct({
  ...pageFields(),
  flow: optional(Schema.String),
  fingerprint: optional(Schema.String),
  flow_tag: optional(Schema.String)
})

/** The operations of trails. */
export class TrailApi extends HttpApiGroup.make("trail")
  .add(
    HttpApiEndpoint.put("begin")`/trails/${org}/${flowName}`
      .setPayload(BeginTrail)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("trail.write", formBody("data_json", "template_file")))
      .annotate(OpenApi.Summary, "Begin or update a trail")
  )
  .add(
    HttpApiEndpoint.get("get")`/trails/${org}/${flowName}/${trailName}`
      .addSuccess(TrailResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a trail with how it stands and what happened on it")
  )
  .add(
    HttpApiEndpoint.get("list")`/trails/${org}`
      .setUrlParams(ListTrails)
      .addSuccess(dataEnvelope(TrailSummaryResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List trails, newest first")
  )
  .annotate(OpenApi.Title, "Trails") {}
