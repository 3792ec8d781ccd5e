/** A trail as a row: the details that a client has given are one JSON value. */
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

/** The trail of a row, member by member: it is made for every report. */
export const toTrail = (row: Omit<typeof TrailRow.Type, "id">, id: TrailId): Trail => ({
  org_id: row.org_id,
  id,
  flow_id: row.flow_id,
  name: row.name,
  description: row.details.description,
  git_commit_info: row.details.git_commit_info,
  repo_info: row.details.repo_info,
  external_urls: row.details.external_urls,
  origin_url: row.details.origin_url,
  user_data: row.details.user_data,
  template: row.template,
  template_id: row.template_id,
  repo_ids: row.repo_ids,
  created_by: row.created_by,
  created_at: row.created_at,
  last_modified_at: row.last_modified_at
})
