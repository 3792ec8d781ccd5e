/**
 * The last evaluation of a trail: its result, its instant, and the version of the template.
 *
 * `evaluated_at` is the instant of the event that caused it. Earlier evaluations are not stored: they follow
 * from the journal and the versions of templates. DECISIONS.md, "A trail is evaluated at its events"
 */
import * as Schema from "effect/Schema"
import { FlowId, OrgId, TemplateId, TrailId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { RecordStatus, TrailStatus } from "./ComplianceStatus.js"

/** The last evaluation of a trail. */
export const StoredEvaluation = Schema.Struct({
  org_id: OrgId,
  trail_id: TrailId,
  flow_id: FlowId,
  template_id: TemplateId,
  evaluated_at: Timestamp,
  trail: TrailStatus,
  /** Every record of the trail, in order of report. */
  records: Schema.Array(RecordStatus)
})
/** The last evaluation of a trail. */
export type StoredEvaluation = typeof StoredEvaluation.Type
