/** The event log of environments, and their audit log as a CSV file. SPEC §4.4, §4.12 */
import { EnvironmentEventView } from "@attestry/core/EnvironmentEvent"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { pageFields } from "../shared/Paging.js"
import { envName, org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const text = QueryParam.optional(Schema.String)
const instant = QueryParam.optional(QueryParam.timestamp)

/** The content type of the audit log. DECISION A-38 */
export const CSV = "text/csv; charset=utf-8"

/** The event log and the audit log. */
export class EventApi extends HttpApiGroup.make("event")
  .add(
    HttpApiEndpoint.get("list")`/environments/${org}/${envName}/events`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          from: instant,
          to: instant,
          start_ts: instant,
          end_ts: instant,
          start: text,
          end: text,
          interval: text,
          reverse: QueryParam.optional(QueryParam.boolean),
          repo_name: QueryParam.optional(QueryParam.repeatable(Schema.String))
        })
      )
      .addSuccess(Schema.Array(EnvironmentEventView))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List what happened in an environment, newest first")
  )
  .add(
    HttpApiEndpoint.get("auditLog")`/environments/${org}/${envName}/auditlog`
      .setUrlParams(
        Schema.Struct({
          from_timestamp: instant,
          to_timestamp: instant,
          event_types: text,
          flow_names: text,
          repo_names: text
        })
      )
      .addSuccess(
        Schema.String.pipe(HttpApiSchema.withEncoding({ kind: "Text", contentType: CSV }))
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download the audit log of an environment as CSV")
  )
  .annotate(OpenApi.Title, "Environment events") {}
