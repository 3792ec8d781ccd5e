/** The operations of flows. */
import * as Flow from "@attestry/core/Flow"
import { FlowName, OrgName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { flowName, org } from "../shared/PathParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A flow with the words of its template as a list; the server makes YAML of them. */
export const PutFlow = Schema.Struct({
  name: FlowName,
  description: Schema.String,
  visibility: optional(Flow.Visibility),
  template: optional(Schema.Array(Schema.String))
}).annotations({ identifier: "PutFlow" })

/** A flow with its template as YAML text. */
export const PutFlowWithTemplate = Schema.Struct({
  name: FlowName,
  description: optional(Schema.String),
  visibility: optional(Flow.Visibility),
  template: optional(Schema.Array(Schema.String)),
  template_file: optional(Schema.String)
}).annotations({ identifier: "PutFlowWithTemplate" })

/** A flow as answers show it. */
export const FlowResponse = Schema.Struct({
  id: Schema.String,
  name: FlowName,
  description: Schema.String,
  visibility: Flow.Visibility,
  org: OrgName,
  template: Schema.String
}).annotations({ identifier: "Flow" })

/** The operations of flows. */
export class FlowApi extends HttpApiGroup.make("flow")
  .add(
    HttpApiEndpoint.put("put")`/flows/${org}`
      .setPayload(PutFlow)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("flow.write", jsonBody))
      .annotate(OpenApi.Summary, "Create or update a flow, with its template as a list of words")
      .annotate(OpenApi.Deprecated, true)
  )
  .add(
    HttpApiEndpoint.put("putWithTemplate")`/flows/${org}/template_file`
      .setPayload(PutFlowWithTemplate)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("flow.write", formBody("data_json", "template_file")))
      .annotate(OpenApi.Summary, "Create or update a flow, with its template as YAML")
  )
  .add(
    HttpApiEndpoint.get("get")`/flows/${org}/${flowName}`
      .addSuccess(FlowResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a flow")
  )
  .annotate(OpenApi.Title, "Flows") {}
