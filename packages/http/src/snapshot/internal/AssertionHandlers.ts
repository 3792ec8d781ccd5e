/** Serves the operation that asserts an artifact. */
import { AssertionApi, type AssertionResponse } from "@attestry/api/AssertionApi"
import { Assertions, type AssertionTarget, type AssertionView } from "@attestry/core/Assertions"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import { toHidden } from "@attestry/core/Hidden"
import type { OrgName } from "@attestry/core/Identifier"
import * as WaivedResult from "@attestry/core/WaivedResult"
import { AssertionRemedies, type RemediesFound } from "@attestry/policy-lab/AssertionRemedies"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { targetOf } from "./AssertionTarget.js"

const responseOf = (
  at: { readonly base: string; readonly org: OrgName; readonly fingerprint: Fingerprint },
  target: AssertionTarget,
  view: AssertionView & { readonly found?: RemediesFound }
): typeof AssertionResponse.Type => ({
  compliant: view.compliant,
  ...(view.is_allowed ? { is_allowed: true as const } : {}),
  ...(view.expiry === undefined
    ? {}
    : { expires_at: view.expiry.at, reasons_at_expiry: view.expiry.reasons }),
  scope: view.scope,
  ...(target.scope === "environment" ? { environment: target.environment } : {}),
  ...(target.scope === "flow" ? {} : { policy_evaluations: view.policy_decisions }),
  reasons_for_incompliance: view.reasons,
  ...(view.warnings.length === 0 ? {} : { warnings: view.warnings }),
  ...WaivedResult.toField(view.policy_decisions),
  ...(view.found === undefined
    ? {}
    : { remedies: view.found.remedies, previous_compliant: view.found.previous }),
  flows: view.flows.map(({ flow_name, standing, trail_name }) => ({
    flow: flow_name,
    trail: trail_name,
    compliance_status: {
      status: standing.status,
      is_compliant: standing.is_compliant,
      attestations_statuses: standing.attestations_statuses,
      flow_reasons_for_non_compliance: standing.flow_reasons_for_non_compliance
    }
  })),
  html_url:
    view.primary === undefined
      ? Links.contentPage(at.base, at)
      : Links.artifactPage(
          at.base,
          { ...at, flow: view.primary.flow_name },
          view.primary.artifact_id
        ),
  ...toHidden(view.hidden === true)
})

/** Serves the operation that asserts an artifact. */
export const AssertionHandlers = group(
  AssertionApi,
  Effect.gen(function* () {
    const assertions = yield* Assertions
    const remedies = yield* AssertionRemedies
    const base = yield* PublicUrl
    return {
      assert: ({ path: { fingerprint, org }, urlParams }) =>
        Effect.gen(function* () {
          const target = yield* targetOf(urlParams)
          const query = {
            fingerprint,
            target,
            ...(urlParams.flow_name === undefined ? {} : { flow: urlParams.flow_name })
          }
          const at = { base, org, fingerprint }
          const { as_of: asOf, remedies: limit } = urlParams
          const found =
            limit === undefined || asOf !== undefined
              ? yield* assertions.assert(org, query, asOf)
              : yield* remedies.assert(org, query, limit)
          return ok({ ...responseOf(at, target, found), ...asOfIn(found) })
        }).pipe(toWire)
    }
  })
)
