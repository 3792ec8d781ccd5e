/** A trail as a row: what a client said about it is one JSON value. */
import { FlowId, OrgId, RepoId, TemplateId, TrailId, TrailName } from "@attestry/core/Identifier"
import { Timestamp } from "@attestry/core/Timestamp"
import { type Trail, TrailDetails } from "@attestry/core/Trail"
import * as Schema from "effect/Schema"

/** The row of a trail. */
export const TrailRow = Schema.Struct({
  org_id: OrgId,
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  details: TrailDetails,
  template: Schema.NullOr(Schema.String),
  template_id: Schema.NullOr(TemplateId),
  repo_ids: Schema.Array(RepoId),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})

/** The trail of a row. */
export const toTrail = ({ details, ...row }: typeof TrailRow.Type): Trail => ({
  ...row,
  ...details
})
