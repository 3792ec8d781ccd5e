/** An artifact in a response: its reported fields under their original names, and derived fields. */
import { ReportFields } from "@attestry/core/Artifact"
import { Status } from "@attestry/core/ComplianceStatus"
import { ArtifactId, FlowName, SlotName, TrailName } from "@attestry/core/Identifier"
import * as Schema from "effect/Schema"
import { answeredAsOf } from "../history/AsOfFields.js"

/** An environment that an artifact runs or ran in, with its current snapshot. */
const Sighting = Schema.Struct({
  environment_name: Schema.String,
  snapshot_index: Schema.Int
}).annotations({ identifier: "ArtifactSighting" })

/** An artifact: its report, its compliance, where it runs, and its history. */
export const ArtifactResponse = Schema.Struct({
  ...ReportFields.fields,
  id: ArtifactId,
  /** The commit of the report; empty where it has none. */
  git_commit: Schema.String,
  trail_name: TrailName,
  template_reference_name: SlotName,
  flow_name: FlowName,
  created_at: Schema.Finite,
  created_by: Schema.String,
  html_url: Schema.String,
  state: Status,
  running: Schema.Array(Sighting),
  exited: Schema.Array(Sighting),
  history: Schema.Array(
    Schema.Struct({ event: Schema.String, timestamp: Schema.Number }).annotations({
      identifier: "ArtifactHistoryLine"
    })
  ),
  ...answeredAsOf
}).annotations({
  identifier: "Artifact",
  description: "The report of the artifact, under the names it was sent with, and derived fields"
})
