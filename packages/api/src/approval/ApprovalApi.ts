/** The operations of approvals, all deprecated. */
import * as Approval from "@attestry/core/Approval"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { pageFields } from "../shared/Paging.js"
import { flowName, org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The default number of approvals on a page. */
export const PER_PAGE_DEFAULT = 15

/** The range of the column in the database. */
const NUMBER_MAX = 2_147_483_647

/** An approval in a response. */
export const ApprovalResponse = Schema.Struct({
  ...Approval.ApprovalRequest.fields,
  id: Schema.String,
  number: Schema.Int,
  state: Approval.ApprovalState,
  flow_name: Schema.String,
  created_by: Schema.String,
  created_at: EpochSeconds
}).annotations({ identifier: "Approval" })

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the approval in its flow, from 1."
  })
)

/** The operations of approvals. */
export class ApprovalApi extends HttpApiGroup.make("approval")
  .add(
    HttpApiEndpoint.post("create")`/approvals/${org}/${flowName}`
      .setPayload(Approval.ApprovalRequest)
      .addSuccess(
        ApprovalResponse.annotations(
          HttpApiSchema.annotations({ identifier: "Approval", status: 201 })
        )
      )
      .annotate(Operation, rule("approval.write", jsonBody, { successor: "Attestations" }))
      .annotate(OpenApi.Summary, "Record an approval of an artifact")
      .annotate(
        OpenApi.Description,
        "Records an approval of an artifact: pending until a review decides. Deprecated in favour of attestations."
      )
      .annotate(OpenApi.Deprecated, true)
  )
  .add(
    HttpApiEndpoint.get("list")`/approvals/${org}/${flowName}`
      .setUrlParams(Schema.Struct(pageFields()))
      .addSuccess(Schema.Array(ApprovalResponse))
      .annotate(Operation, rule("org.read", noBody, { successor: "Attestations" }))
      .annotate(OpenApi.Summary, "List the approvals of a flow, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the approvals of the flow. Deprecated in favour of attestations."
      )
      .annotate(OpenApi.Deprecated, true)
  )
  .add(
    HttpApiEndpoint.get("get")`/approvals/${org}/${flowName}/${number}`
      .addSuccess(ApprovalResponse)
      .annotate(Operation, rule("org.read", noBody, { successor: "Attestations" }))
      .annotate(OpenApi.Summary, "Get an approval by its number")
      .annotate(
        OpenApi.Description,
        "Answers one approval; approvals are numbered from 1 in each flow. Deprecated in favour of attestations."
      )
      .annotate(OpenApi.Deprecated, true)
  )
  .annotate(OpenApi.Title, "Approvals")
  .annotate(OpenApi.Description, "Approvals of artifacts; deprecated in favour of attestations.") {}
