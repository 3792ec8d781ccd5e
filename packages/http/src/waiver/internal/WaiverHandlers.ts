/** Serves the operations of waivers. */
import {
  type ListWaivers,
  type RequestWaiver,
  WaiverApi,
  type WaiverDebtResponse,
  type WaiverDetails,
  type WaiverResponse
} from "@attestry/api/WaiverApi"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Decision } from "@attestry/core/Waiver"
import type { WaiverRequest } from "@attestry/core/WaiverRequest"
import { Waivers, type WaiverView } from "@attestry/core/Waivers"
import {
  type DebtView,
  type UsedWaiver,
  type WaiverFilter,
  WaiverViews
} from "@attestry/core/WaiverViews"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const decisionOf = ({ at, comment, user }: Decision) => ({ user, at, comment })

const responseOf = ({ environment, state, waiver }: WaiverView): typeof WaiverResponse.Type => ({
  number: waiver.number,
  state,
  policy_name: waiver.policy_name,
  rule: waiver.rule,
  environment,
  if: waiver.condition === null ? null : PolicyExpression.wrap(waiver.condition),
  reason: waiver.reason,
  owner: waiver.owner,
  ticket_url: waiver.ticket_url,
  starts_at: waiver.starts_at,
  expires_at: waiver.expires_at,
  extends: waiver.extends,
  requested_by: waiver.requested_by,
  requested_at: waiver.requested_at,
  approvals_required: waiver.approvals_required,
  approver_role: waiver.approver_role,
  approvals: waiver.approvals.map(decisionOf),
  activated_at: waiver.activated_at,
  rejected: waiver.rejected === null ? null : decisionOf(waiver.rejected),
  revoked:
    waiver.revoked === null
      ? null
      : { user: waiver.revoked.user, at: waiver.revoked.at, reason: waiver.revoked.reason }
})

const detailsOf = ({ in_use, orphan, ...view }: UsedWaiver): typeof WaiverDetails.Type => ({
  ...responseOf(view),
  in_use,
  orphan
})

const debtOf = ({ waivers, ...figures }: DebtView): typeof WaiverDebtResponse.Type => ({
  ...figures,
  waivers: waivers.map(({ environment, extensions, in_use, orphan, state, waiver }) => ({
    number: waiver.number,
    owner: waiver.owner,
    policy_name: waiver.policy_name,
    environment,
    state,
    expires_at: waiver.expires_at,
    extensions,
    in_use,
    orphan
  }))
})

const requestOf = (payload: typeof RequestWaiver.Type): WaiverRequest => ({
  policy_name: payload.policy_name,
  rule: payload.rule ?? null,
  environment: payload.environment ?? null,
  if: payload.if ?? null,
  artifact_fingerprint: payload.artifact_fingerprint ?? null,
  reason: payload.reason,
  owner: payload.owner ?? null,
  ticket_url: payload.ticket_url ?? null,
  starts_at: payload.starts_at ?? null,
  expires_at: payload.expires_at,
  extends: payload.extends ?? null
})

const filterOf = ({
  environment,
  expires_before,
  owner,
  policy_name,
  state
}: typeof ListWaivers.Type): WaiverFilter => ({
  ...(environment === undefined ? {} : { environment }),
  ...(expires_before === undefined ? {} : { expires_before }),
  ...(owner === undefined ? {} : { owner }),
  ...(policy_name === undefined ? {} : { policy_name }),
  ...(state === undefined ? {} : { states: state })
})

/** Serves the operations of waivers. */
export const WaiverHandlers = group(
  WaiverApi,
  Effect.gen(function* () {
    const waivers = yield* Waivers
    const views = yield* WaiverViews
    const base = yield* PublicUrl
    return {
      request: ({ path, payload }) =>
        waivers.request(path.org, requestOf(payload)).pipe(
          toWire,
          Effect.map((view) => created(responseOf(view)))
        ),
      list: ({ incoming, path, urlParams }) => {
        const page = pageOf(urlParams)
        return views.list(path.org, filterOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...counters(base, incoming, { total, page }), waivers: items.map(responseOf) })
          )
        )
      },
      debt: ({ path }) =>
        views.debt(path.org).pipe(
          toWire,
          Effect.map((debt) => ok(debtOf(debt)))
        ),
      get: ({ path }) =>
        views.get(path).pipe(
          toWire,
          Effect.map((view) => ok(detailsOf(view)))
        ),
      approve: ({ path, payload }) =>
        waivers.approve(path, payload.comment ?? "").pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      reject: ({ path, payload }) =>
        waivers.reject(path, payload.comment ?? "").pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      revoke: ({ path, payload }) =>
        waivers.revoke(path, payload.reason).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      settings: ({ path }) => waivers.settings(path.org).pipe(toWire, Effect.map(ok)),
      putSettings: ({ path, payload }) =>
        waivers.putSettings(path.org, payload).pipe(toWire, Effect.map(ok))
    }
  })
)
