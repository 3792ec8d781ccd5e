/** Serves the operations of flows. */
import type * as Flow from "@attestry/core/Flow"
import { Flows } from "@attestry/core/Flows"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { OrgName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import * as OkBody from "../shared/OkBody.js"
import { toWire } from "../shared/WireErrors.js"
import { FlowApi, type FlowResponse } from "./FlowApi.js"

const responseOf = (org: OrgName, flow: Flow.Flow): typeof FlowResponse.Type => ({
  id: flow.id,
  name: flow.name,
  description: flow.description,
  visibility: flow.visibility,
  org,
  template: flow.template
})

/** Serves the operations of flows. */
export const FlowHandlers = group(
  FlowApi,
  Effect.map(Flows, (flows) => ({
    put: ({ path, payload: { template, ...draft } }) =>
      flows
        .put(path.org, {
          ...draft,
          ...(template === undefined ? {} : { template: FlowTemplate.fromLegacyList(template) })
        })
        .pipe(toWire, Effect.map(OkBody.ofPut)),
    putWithTemplate: ({ path, payload }) =>
      flows
        .put(path.org, {
          name: payload.name,
          description: payload.description ?? "",
          ...(payload.visibility === undefined ? {} : { visibility: payload.visibility }),
          ...(payload.template_file === undefined ? {} : { template: payload.template_file })
        })
        .pipe(toWire, Effect.map(OkBody.ofPut)),
    get: ({ path }) =>
      flows.get(path.org, path.flow_name).pipe(
        toWire,
        Effect.map((flow) => ok(responseOf(path.org, flow)))
      )
  }))
)
