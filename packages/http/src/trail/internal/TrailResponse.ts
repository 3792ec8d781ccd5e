/** A trail in a response. */
import {
  ArtifactStatus,
  AttestationStatus,
  SlotStatus,
  Status
} from "@attestry/core/ComplianceStatus"
import * as Dictionary from "@attestry/core/Dictionary"
import { ExternalUrls, UserData } from "@attestry/core/Evidence"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { GitCommitInfo, unsaidCommit } from "@attestry/core/GitCommit"
import type { OrgName } from "@attestry/core/Identifier"
import { Tags } from "@attestry/core/Tags"
import * as Timestamp from "@attestry/core/Timestamp"
import { modifiedAt } from "@attestry/core/Trail"
import type { TrailSummary, TrailView } from "@attestry/core/TrailViews"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Links from "../../shared/internal/Links.js"
import { TrailEvent } from "./TrailEvent.js"
import * as TrailEventBody from "./TrailEventBody.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const ArtifactStatusResponse = Schema.Struct({
  ...ArtifactStatus.fields,
  evaluated_at: optional(Timestamp.EpochSeconds),
  flow_template_id: optional(Schema.String)
}).annotations({ identifier: "TrailArtifactStatus" })

/** The compliance of a trail, with the time and the template of its evaluation. */
export const ComplianceStatusResponse = Schema.Struct({
  status: Status,
  is_compliant: Schema.Boolean,
  attestations_statuses: Schema.Array(AttestationStatus),
  artifacts_statuses: Dictionary.make({
    key: Schema.String,
    value: ArtifactStatusResponse,
    members: {
      type: "object",
      required: [
        ...["artifact_fingerprint", "artifact_id", "status", "is_compliant"],
        ...["attestations_statuses", "unexpected"]
      ],
      properties: {
        artifact_fingerprint: { anyOf: [{ type: "string" }, { type: "null" }] },
        artifact_id: { anyOf: [{ type: "string" }, { type: "null" }] },
        status: { type: "string", enum: [...SlotStatus.literals] },
        is_compliant: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        attestations_statuses: {
          type: "array",
          items: { $ref: "#/components/schemas/AttestationStatus" }
        },
        unexpected: { type: "boolean" },
        evaluated_at: { type: "number" },
        flow_template_id: { type: "string" }
      },
      additionalProperties: false
    }
  }),
  evaluated_at: Timestamp.EpochSeconds,
  flow_template_id: Schema.String
}).annotations({ identifier: "ComplianceStatus" })

/** A trail in a list. */
export const TrailSummaryResponse = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  git_commit_info: Schema.NullOr(GitCommitInfo),
  origin_url: Schema.NullOr(Schema.String),
  user_data: UserData,
  repo_ids: Schema.Array(Schema.String),
  created_at: Timestamp.EpochSeconds,
  last_modified_at: Timestamp.EpochSeconds,
  created_by: Schema.String,
  compliance_status: ComplianceStatusResponse,
  compliance_state: Status,
  is_compliant: Schema.Boolean,
  flow: Schema.Struct({ name: Schema.String, tags: Tags }),
  external_urls: Schema.NullOr(ExternalUrls),
  html_url: Schema.String
}).annotations({ identifier: "TrailSummary" })

/** A trail in a response. */
export const TrailResponse = Schema.Struct({
  ...TrailSummaryResponse.fields,
  template: Schema.Struct({ ...FlowTemplate.FlowTemplate.fields, content: Schema.String }),
  events: Schema.Array(TrailEvent)
}).annotations({ identifier: "Trail" })

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
  flow: { name: flow.name, tags: flow.tags },
  external_urls: trail.external_urls,
  html_url: Links.trailPage(base, { org, flow: flow.name, trail: trail.name })
})

/** The response of a trail. */
export const responseOf = (
  base: string,
  org: OrgName,
  view: TrailView
): typeof TrailResponse.Type => ({
  ...summaryOf(base, org, view),
  template: templateOf(view.template.content),
  // WHY: events are made from the JSON of the journal; the response is checked by its schema when it is encoded.
  events: TrailEventBody.fromHistory(view) as ReadonlyArray<unknown> as ReadonlyArray<TrailEvent>
})
