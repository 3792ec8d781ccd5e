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
import { GitCommitInfo } from "@attestry/core/GitCommit"
import { Tags } from "@attestry/core/Tags"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import { answeredAsOf } from "../history/AsOfFields.js"
import { TrailEvent } from "./TrailEvent.js"

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
        "artifact_fingerprint",
        "artifact_id",
        "status",
        "is_compliant",
        "attestations_statuses",
        "unexpected"
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
  /** Whether the template asks for nothing, so that the trail is compliant without evidence. */
  nothing_expected: Schema.Boolean,
  flow: Schema.Struct({ name: Schema.String, tags: Tags }),
  external_urls: Schema.NullOr(ExternalUrls),
  html_url: Schema.String
}).annotations({ identifier: "TrailSummary" })

/** A trail in a response. */
export const TrailResponse = Schema.Struct({
  ...TrailSummaryResponse.fields,
  template: Schema.Struct({ ...FlowTemplate.FlowTemplate.fields, content: Schema.String }),
  events: Schema.Array(TrailEvent),
  ...answeredAsOf
}).annotations({ identifier: "Trail" })
