/** Makes the responses of trails. */
import type { TrailEvent } from "@attestry/api/TrailEvent"
import type {
  ComplianceStatusResponse,
  TrailResponse,
  TrailSummaryResponse
} from "@attestry/api/TrailResponse"
import { expectsNothing } from "@attestry/core/ComplianceStatus"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { unsaidCommit } from "@attestry/core/GitCommit"
import type { OrgName } from "@attestry/core/Identifier"
import * as Slices from "@attestry/core/Slices"
import { modifiedAt } from "@attestry/core/Trail"
import type { TrailSummary, TrailView } from "@attestry/core/TrailViews"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Links from "../../shared/internal/Links.js"
import * as TrailEventBody from "./TrailEventBody.js"

/** The compliance of a trail as a response shows it. */
export const complianceOf = ({
  trail,
  evaluated_at,
  template_id
}: TrailView["evaluation"]): typeof ComplianceStatusResponse.Type => ({
  ...trail,
  artifacts_statuses: Object.fromEntries(
    Object.entries(trail.artifacts_statuses).map(([slot, status]) => [
      slot,
      status.artifact_id === null
        ? status
        : { ...status, evaluated_at, flow_template_id: template_id }
    ])
  ),
  evaluated_at,
  flow_template_id: template_id
})

const templateOf = (content: string) => ({
  // INVARIANT: only text that parses is stored.
  ...Either.getOrElse(FlowTemplate.parse(content), () => FlowTemplate.empty),
  content
})

/** The response of a trail in a list. */
export const summaryOf = (
  base: string,
  org: OrgName,
  { flow, trail, evaluation }: TrailSummary
): typeof TrailSummaryResponse.Type => ({
  name: trail.name,
  description: trail.description ?? "",
  git_commit_info:
    trail.git_commit_info === null ? null : { ...unsaidCommit, ...trail.git_commit_info },
  origin_url: trail.origin_url,
  user_data: trail.user_data,
  repo_ids: trail.repo_ids,
  created_at: trail.created_at,
  last_modified_at: modifiedAt(trail, evaluation.evaluated_at),
  created_by: trail.created_by,
  compliance_status: complianceOf(evaluation),
  compliance_state: evaluation.trail.status,
  is_compliant: evaluation.trail.is_compliant,
  nothing_expected: expectsNothing(evaluation.trail),
  flow: { name: flow.name, tags: flow.tags },
  external_urls: trail.external_urls,
  html_url: Links.trailPage(base, { org, flow: flow.name, trail: trail.name })
})

/** Makes the response of a trail; pauses now and then. */
function* making(
  base: string,
  org: OrgName,
  view: TrailView
): Generator<void, typeof TrailResponse.Type> {
  const events: ReadonlyArray<unknown> = yield* TrailEventBody.fromHistory(view)
  return {
    ...summaryOf(base, org, view),
    template: templateOf(view.template.content),
    // WHY: events are made from the JSON of the journal; the response is checked by its schema when it is encoded.
    events: events as ReadonlyArray<TrailEvent>
  }
}

/** The response of a trail, made in slices. */
export const inSlices = (
  base: string,
  org: OrgName,
  view: TrailView
): Effect.Effect<typeof TrailResponse.Type> => Slices.run(() => making(base, org, view))

/** The response of a trail, made in one go. */
export const responseOf = (
  base: string,
  org: OrgName,
  view: TrailView
): typeof TrailResponse.Type => Slices.runSync(making(base, org, view))
