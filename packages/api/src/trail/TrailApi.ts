/** The operations of trails. SPEC §4.7 */
import { Status } from "@attestry/core/ComplianceStatus"
import { ExternalUrls, UserData, WebUrl } from "@attestry/core/Evidence"
import { GitCommitInfo, RepoInfo } from "@attestry/core/GitCommit"
import { TrailName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { asOf } from "../history/AsOfFields.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, noBody, Operation, rule } from "../shared/Operation.js"
import { dataEnvelope, PER_PAGE_MAX, pageFields } from "../shared/Paging.js"
import { flowName, org, trailName } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { TrailResponse, TrailSummaryResponse } from "./TrailResponse.js"

/** A trail to save; an absent field keeps its value. */
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

/** A trail in a response. */
export const Trail = TrailResponse

/** The default number of trails on a page. */
export const PER_PAGE_DEFAULT = 20

/** Filters of the list of trails; an empty fingerprint or tag matches no trail. */
export const ListTrails = Schema.Struct({
  ...pageFields(),
  flow: QueryParam.optional(Schema.String, "Only trails of the flow of this name."),
  fingerprint: QueryParam.optional(
    Schema.String,
    "Only trails that an artifact of this whole fingerprint was reported to."
  ),
  flow_tag: QueryParam.optional(
    Schema.String,
    "Only trails of flows with this tag, given as `key=value`."
  ),
  search: QueryParam.optional(
    Schema.String,
    "Only trails whose name contains this text, in any case."
  ),
  compliance_state: QueryParam.optional(Status, "Only trails whose `compliance_state` is this one.")
})

/** The page of the trails of a flow. */
export const ListFlowTrails = Schema.Struct({
  page: pageFields().page,
  per_page: QueryParam.optional(
    QueryParam.integer(1, PER_PAGE_MAX),
    `How many trails a page has, at most ${PER_PAGE_MAX}; without it the answer has every trail.`
  )
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
      .annotate(
        OpenApi.Description,
        "Begins a trail, or updates the one of that name: a field that is left out keeps its " +
          "value. The flow is created where it is missing. `template_file` gives this trail a " +
          "template of its own. Answers 201 when the trail is new."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/trails/${org}/${flowName}/${trailName}`
      .setUrlParams(Schema.Struct({ as_of: asOf }))
      .addSuccess(TrailResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a trail with its status and its events")
      .annotate(
        OpenApi.Description,
        "Answers one trail with its template, its status by that template, and its events, " +
          "oldest first. With `as_of` evidence, status, template and events are those of that " +
          "instant; 404 if the trail was begun later."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/trails/${org}`
      .setUrlParams(ListTrails)
      .addSuccess(dataEnvelope(TrailSummaryResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List trails, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of trails of all flows, or of those that the filters leave; " +
          "filters combine with AND."
      )
  )
  .add(
    HttpApiEndpoint.get("listFlow")`/trails/${org}/${flowName}`
      .setUrlParams(ListFlowTrails)
      .addSuccess(dataEnvelope(TrailSummaryResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the trails of a flow, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the trails of the flow. Without `per_page` it answers every " +
          "trail and ignores `page`; such an answer is produced while it is sent. 404 for an " +
          "unknown flow."
      )
  )
  .annotate(OpenApi.Title, "Trails")
  .annotate(
    OpenApi.Description,
    "Runs of a flow, each with its artifacts, its evidence and its compliance."
  ) {}
