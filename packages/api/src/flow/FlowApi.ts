/** The operations of flows. */
import * as Flow from "@attestry/core/Flow"
import { FlowName, OrgName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { dataEnvelope, pageFields } from "../shared/Paging.js"
import { flowName, org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { answeredSpace, newSpace } from "../shared/SpaceField.js"

/** A flow with its template as a list of names, which the server converts to YAML. */
export const PutFlow = Schema.Struct({
  name: FlowName,
  description: Schema.String,
  visibility: optional(Flow.Visibility),
  template: optional(Schema.Array(Schema.String)),
  space: newSpace
}).annotations({ identifier: "PutFlow" })

/** A flow with its template as YAML text. */
export const PutFlowWithTemplate = Schema.Struct({
  name: FlowName,
  description: optional(Schema.String),
  visibility: optional(Flow.Visibility),
  template: optional(Schema.Array(Schema.String)),
  template_file: optional(Schema.String),
  space: newSpace
}).annotations({ identifier: "PutFlowWithTemplate" })

/** A flow in a response. */
export const FlowResponse = Schema.Struct({
  id: Schema.String,
  name: FlowName,
  description: Schema.String,
  visibility: Flow.Visibility,
  org: OrgName,
  template: Schema.String,
  /** The repository of its newest artifact; empty where there is none. */
  repo_url: Schema.String,
  tags: Tags,
  space: answeredSpace
}).annotations({ identifier: "ListedFlowFields" })

/** A flow as GET returns it, with the time when one of its artifacts last started to run. */
export const FlowDetails = Schema.Struct({
  ...FlowResponse.fields,
  last_deployment_at: Schema.NullOr(EpochSeconds),
  ...answeredAsOf
}).annotations({ identifier: "Flow" })

/** A flow in a list, with the time and the state of its latest activity. */
export const ListedFlow = Schema.Struct({
  ...FlowResponse.fields,
  latest_activity_at: EpochSeconds,
  /** The compliance of the last changed trail; empty where there is no trail. */
  latest_state: Schema.String
}).annotations({ identifier: "ListedFlow" })

/** The default number of flows on a page. */
export const PER_PAGE_DEFAULT = 20

/** Filters of the list of flows; with `per_page` the response is a `dataEnvelope`. */
export const ListFlows = Schema.Struct({
  ...pageFields(),
  search_by_name: QueryParam.optional(
    Schema.String,
    "Only flows whose name contains this text, which cannot be empty."
  ),
  case_sensitive: QueryParam.optional(
    QueryParam.boolean,
    "Whether `search_by_name` distinguishes upper and lower case; true by default."
  ),
  tag: QueryParam.tags("all of them"),
  space_id: QueryParam.spaces,
  sort: QueryParam.optional(
    Schema.Literal("name", "latest_activity"),
    "The order of the list: by name, or by the last evaluation of a trail of the flow."
  ),
  sort_direction: QueryParam.sortDirection("asc")
})

/** The new name of a flow. */
export const RenameFlow = Schema.Struct({ new_name: FlowName }).annotations({
  identifier: "RenameFlow"
})

/** The operations of flows. */
export class FlowApi extends HttpApiGroup.make("flow")
  .add(
    HttpApiEndpoint.put("put")`/flows/${org}`
      .setPayload(PutFlow)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("flow.write", jsonBody, { successor: "Flows" }))
      .annotate(OpenApi.Summary, "Create or update a flow, with its template as a list of words")
      .annotate(
        OpenApi.Description,
        "Creates a flow, or updates the one of that name. The words of `template` become a " +
          "template: one artifact named `artifact`, whose attestations are the other words, " +
          "each of any type. Answers 201 when the flow is new. Use the operation that takes " +
          "YAML instead."
      )
      .annotate(OpenApi.Deprecated, true)
  )
  .add(
    HttpApiEndpoint.put("putWithTemplate")`/flows/${org}/template_file`
      .setPayload(PutFlowWithTemplate)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("flow.write", formBody("data_json", "template_file")))
      .annotate(OpenApi.Summary, "Create or update a flow, with its template as YAML")
      .annotate(
        OpenApi.Description,
        "Creates a flow, or updates the one of that name. Without `template_file`, a new " +
          "flow gets the empty template and an existing one keeps its own; `template` is " +
          "accepted and ignored. Answers 201 when the flow is new."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/flows/${org}/${flowName}`
      .setUrlParams(Schema.Struct({ as_of: asOf }))
      .addSuccess(FlowDetails)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a flow")
      .annotate(
        OpenApi.Description,
        "Answers one flow with its template in YAML, its tags, and the time at which one of " +
          "its artifacts last began to run. A name that the flow had before a rename finds it " +
          "too. With `as_of` name, tags, template and the last start are those of that " +
          "instant; 404 if the flow was created later."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/flows/${org}`
      .setUrlParams(ListFlows)
      .addSuccess(
        Schema.Union(
          Schema.Array(ListedFlow),
          dataEnvelope(ListedFlow).annotations({ identifier: "FlowPage" })
        )
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the flows that are not archived")
      .annotate(
        OpenApi.Description,
        "Answers a plain array; with `per_page`, one page in an envelope with counters. " +
          "Archived flows are left out."
      )
  )
  .add(
    HttpApiEndpoint.put("archive")`/flows/${org}/${flowName}/archive`
      .addSuccess(OkBody)
      .annotate(Operation, rule("flow.write", noBody))
      .annotate(OpenApi.Summary, "Archive a flow; its trails and evidence are kept")
      .annotate(
        OpenApi.Description,
        "Archives the flow: lists leave it out, and its trails, artifacts and attestations " +
          "are kept."
      )
  )
  .add(
    HttpApiEndpoint.put("rename")`/flows/${org}/${flowName}/rename`
      .setPayload(RenameFlow)
      .addSuccess(OkBody)
      .annotate(Operation, rule("flow.write", jsonBody))
      .annotate(OpenApi.Summary, "Give a flow another name")
      .annotate(
        OpenApi.Description,
        "Renames the flow. Its old name leads to it until another flow takes that name."
      )
  )
  .annotate(OpenApi.Title, "Flows")
  .annotate(
    OpenApi.Description,
    "Pipelines that produce artifacts, each with a template of the evidence that it must bring."
  ) {}
