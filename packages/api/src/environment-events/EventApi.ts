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

const text = (description: string) => QueryParam.optional(Schema.String, description)
const instant = (description: string) => QueryParam.optional(QueryParam.timestamp, description)

const eventFilters = {
  event_types: text(
    "Only events of these types, separated by commas: `started`, `exited`, `changed`."
  ),
  flow_names: text(
    "Only events of artifacts of these flows, separated by commas; `no provenance` " +
      "is those of none."
  )
}

/** The content type of the audit log. */
export const CSV = "text/csv; charset=utf-8"

/** The event log and the audit log. */
export class EventApi extends HttpApiGroup.make("event")
  .add(
    HttpApiEndpoint.get("list")`/environments/${org}/${envName}/events`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          from: instant("Only events at this time or later, in epoch seconds."),
          to: instant("Only events at this time or earlier, in epoch seconds."),
          start_ts: instant("The same as `from`, which wins."),
          end_ts: instant("The same as `to`, which wins."),
          start: text(
            "Only events of this snapshot or later: an index, `NOW`, or a time ago such as " +
              "`1h`, `2days` or `30mins`."
          ),
          end: text("Only events of this snapshot or earlier, in the forms of `start`."),
          interval: text(
            "Only events of snapshots from one to another, `A..B`: each side an index, `-N`, " +
              "`~N` or `NOW`."
          ),
          reverse: QueryParam.optional(QueryParam.boolean, "Whether the oldest come first."),
          ...eventFilters,
          repo_name: QueryParam.optional(
            QueryParam.repeatable(Schema.String),
            "Only events of artifacts of this repository. May be repeated."
          )
        })
      )
      .addSuccess(Schema.Array(EnvironmentEventView))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the events of an environment, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the artifacts that started, changed and exited, snapshot by " +
          "snapshot. All bounds are inclusive; if several are given, the first in the order " +
          "`from`, `start_ts`, `start`, `interval` counts, and likewise for the ends. The " +
          "headers `X-Total-Count`, `X-Per-Page`, `X-Current-Page`, `X-Total-Pages` and `Link` " +
          "count and link the pages; with `event_types`, `flow_names` or `repo_name` they are " +
          "not counted."
      )
  )
  .add(
    HttpApiEndpoint.get("auditLog")`/environments/${org}/${envName}/auditlog`
      .setUrlParams(
        Schema.Struct({
          ...QueryParam.period,
          ...eventFilters,
          repo_names: text("Only events of artifacts of these repositories, separated by commas.")
        })
      )
      .addSuccess(
        Schema.String.pipe(HttpApiSchema.withEncoding({ kind: "Text", contentType: CSV }))
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download the audit log of an environment as CSV")
      .annotate(
        OpenApi.Description,
        "Answers every event as a line of CSV with a header, oldest first, as a download. " +
          "Filters combine with AND, the values of one with OR."
      )
  )
  .annotate(OpenApi.Title, "Environment events")
  .annotate(
    OpenApi.Description,
    "Events of environments: one by one, and the audit log as a file."
  ) {}
