/** Serves the operations of flows. */
import {
  FlowApi,
  type FlowDetails,
  type FlowResponse,
  type ListFlows,
  PER_PAGE_DEFAULT
} from "@attestry/api/FlowApi"
import { BadRequest, invalid } from "@attestry/api/HttpError"
import { strictTagFilter } from "@attestry/api/QueryParam"
import type * as Flow from "@attestry/core/Flow"
import { type FlowOverview, FlowOverviews } from "@attestry/core/FlowOverviews"
import type { FlowActivity, FlowQuery } from "@attestry/core/FlowStore"
import { Flows, type InSpaces } from "@attestry/core/Flows"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { OrgName } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import { inData, pageOf } from "../../shared/internal/Paging.js"
import type { SpaceLabel } from "../../shared/internal/SpaceLabels.js"
import * as SpaceLabels from "../../shared/internal/SpaceLabels.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** The response of a flow. */
export const responseOf = (
  org: OrgName,
  flow: Flow.Flow,
  repoUrl: string
): typeof FlowResponse.Type => ({
  id: flow.id,
  name: flow.name,
  description: flow.description,
  visibility: flow.visibility,
  org,
  template: flow.template,
  repo_url: repoUrl,
  tags: flow.tags
})

const detailsOf = (
  org: OrgName,
  { flow, lastDeploymentAt, repoUrl }: FlowOverview,
  label: SpaceLabel
): typeof FlowDetails.Type => ({
  ...responseOf(org, flow, repoUrl),
  ...label,
  last_deployment_at: lastDeploymentAt
})

const listedOf = (
  org: OrgName,
  { flow, latestActivityAt, latestState, repoUrl }: FlowActivity,
  label: SpaceLabel
) => ({
  ...responseOf(org, flow, repoUrl),
  ...label,
  latest_activity_at: latestActivityAt ?? flow.last_modified_at,
  latest_state: latestState ?? ""
})

const queryOf = (query: typeof ListFlows.Type): FlowQuery & InSpaces => ({
  ...(query.space_id === undefined ? {} : { spaces: query.space_id }),
  tags: (query.tag ?? []).map(strictTagFilter),
  ...(query.search_by_name === undefined
    ? {}
    : {
        search: { text: query.search_by_name, caseSensitive: query.case_sensitive ?? true }
      }),
  sort: query.sort ?? "name",
  direction: query.sort_direction ?? "asc"
})

const noName = new BadRequest({
  message: "Empty string is not allowed for flow names."
})

/** The message of a problem with a whole file does not repeat the file. */
const withInput = (problem: string): string =>
  / \[input: [\s\S]*\]$/.test(problem) ? problem : `${problem} [input: **REDACTED**]`

/** The error of a flow's template has the form of a field error; that of a trail's has its own message. SPEC §4.12 */
const templateRefused = (error: FlowTemplate.InvalidFlowTemplate) =>
  invalid(
    Object.fromEntries(
      Object.entries(FlowTemplate.fieldErrors(error)).map(([field, problem]) => [
        field,
        withInput(problem)
      ])
    )
  )

/** Serves the operations of flows. */
export const FlowHandlers = group(
  FlowApi,
  Effect.map(
    Effect.all([Flows, FlowOverviews, SpaceLabels.make]),
    ([flows, overviews, labels]) => ({
      put: ({ path, payload: { template, ...draft } }) =>
        flows
          .put(path.org, {
            ...draft,
            ...(template === undefined ? {} : { template: FlowTemplate.fromLegacyList(template) })
          })
          .pipe(
            Effect.catchTag("InvalidFlowTemplate", templateRefused),
            toWire,
            Effect.map(OkBody.ofPut)
          ),
      putWithTemplate: ({ path, payload }) =>
        flows
          .put(path.org, {
            name: payload.name,
            description: payload.description ?? "",
            ...(payload.visibility === undefined ? {} : { visibility: payload.visibility }),
            ...(payload.template_file === undefined ? {} : { template: payload.template_file }),
            ...(payload.space === undefined ? {} : { space: payload.space })
          })
          .pipe(
            Effect.catchTag("InvalidFlowTemplate", templateRefused),
            toWire,
            Effect.map(OkBody.ofPut)
          ),
      get: ({ path, urlParams }) =>
        overviews.get(path.org, path.flow_name, urlParams.as_of).pipe(
          Effect.bindTo("found"),
          Effect.bind("label", ({ found: { flow } }) => labels(flow.org_id, "flow", [flow.id])),
          toWire,
          Effect.map(({ found, label }) =>
            ok({ ...detailsOf(path.org, found, label(found.flow.id)), ...asOfIn(found) })
          )
        ),
      list: ({ path, urlParams }) => {
        if (urlParams.search_by_name === "") return noName
        const page = pageOf(urlParams, PER_PAGE_DEFAULT)
        const isPaged = urlParams.page !== undefined || urlParams.per_page !== undefined
        const requestedPage = isPaged ? Option.some(page) : Option.none()
        return flows.list(path.org, queryOf(urlParams), requestedPage).pipe(
          Effect.bindTo("found"),
          Effect.bind("label", ({ found: { items } }) =>
            labels(
              items[0]?.flow.org_id,
              "flow",
              items.map(({ flow }) => flow.id)
            )
          ),
          toWire,
          Effect.map(({ found, label }) => {
            const shown = Page.map(found, (activity) =>
              listedOf(path.org, activity, label(activity.flow.id))
            )
            return ok(urlParams.per_page === undefined ? shown.items : inData(shown, page))
          })
        )
      },
      archive: ({ path }) =>
        flows.archive(path.org, path.flow_name).pipe(toWire, Effect.as(ok("OK" as const))),
      rename: ({ path, payload }) =>
        flows
          .rename(path.org, path.flow_name, payload.new_name)
          .pipe(toWire, Effect.as(ok("OK" as const)))
    })
  )
)
