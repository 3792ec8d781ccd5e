/** Serves the operations of approvals. */
import { ApprovalApi, type ApprovalResponse, PER_PAGE_DEFAULT } from "@attestry/api/ApprovalApi"
import type { Approval } from "@attestry/core/Approval"
import { Approvals } from "@attestry/core/Approvals"
import type { FlowName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const responseOf =
  (flow: FlowName) =>
  (approval: Approval): typeof ApprovalResponse.Type => ({
    ...approval.request,
    id: approval.id,
    number: approval.number,
    state: approval.state,
    flow_name: flow,
    created_by: approval.created_by,
    created_at: approval.created_at
  })

/** Serves the operations of approvals. */
export const ApprovalHandlers = group(
  ApprovalApi,
  Effect.gen(function* () {
    const approvals = yield* Approvals
    return {
      create: ({ path, payload }) =>
        approvals.create(path.org, path.flow_name, payload).pipe(
          toWire,
          Effect.map((approval) => created(responseOf(path.flow_name)(approval)))
        ),
      list: ({ path, urlParams }) =>
        approvals.list(path.org, path.flow_name, pageOf(urlParams, PER_PAGE_DEFAULT)).pipe(
          toWire,
          Effect.map((found) => ok(found.map(responseOf(path.flow_name))))
        ),
      get: ({ path }) =>
        approvals.get(path.org, path.flow_name, path.number).pipe(
          toWire,
          Effect.map((approval) => ok(responseOf(path.flow_name)(approval)))
        )
    }
  })
)
