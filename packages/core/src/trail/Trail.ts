/** A trail: one run of a flow, linked to a commit, with artifacts and evidence. */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { ExternalUrls, UserData } from "../shared/Evidence.js"
import { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import {
  FlowId,
  FlowName,
  OrgId,
  OrgName,
  RepoId,
  TemplateId,
  TrailId,
  TrailName
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The fields of a trail that clients give. */
export const TrailDetails = Schema.Struct({
  description: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(GitCommitInfo),
  repo_info: Schema.NullOr(RepoInfo),
  external_urls: Schema.NullOr(ExternalUrls),
  origin_url: Schema.NullOr(Schema.String),
  user_data: UserData
})
/** The fields of a trail that clients give. */
export type TrailDetails = typeof TrailDetails.Type

/** A trail. Its name is unique within its flow. */
export const Trail = Schema.Struct({
  org_id: OrgId,
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  ...TrailDetails.fields,
  /** The template of its own, and its version; null for the flow's. */
  template: Schema.NullOr(Schema.String),
  template_id: Schema.NullOr(TemplateId),
  /** The repositories that its reports name, in order. */
  repo_ids: Schema.Array(RepoId),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A trail. */
export type Trail = typeof Trail.Type

/** The trail that a request gives; absent fields stay. */
export type TrailDraft = {
  readonly name: TrailName
  readonly template?: string
} & Partial<TrailDetails>

/** The name of a trail in a flow. */
export interface TrailKey {
  readonly org: OrgId
  readonly flow: FlowId
  readonly name: TrailName
}

/** The details of a new trail. */
export const NO_DETAILS: TrailDetails = {
  description: null,
  git_commit_info: null,
  repo_info: null,
  external_urls: null,
  origin_url: null,
  user_data: {}
}

const detailNames = [
  "description",
  "git_commit_info",
  "repo_info",
  "external_urls",
  "origin_url",
  "user_data"
] as const satisfies ReadonlyArray<keyof TrailDetails>

/** The names of the fields that a draft would change. */
export const changes = (
  current: TrailDetails & Pick<Trail, "template">,
  draft: TrailDraft
): ReadonlyArray<string> => [
  ...detailNames.filter(
    (name) => draft[name] !== undefined && !CanonicalJson.equals(draft[name], current[name])
  ),
  ...(draft.template === undefined || draft.template === current.template ? [] : ["template"])
]

/** The trail after a draft; `version` is the id of a new version of its template. */
export const revise = (
  current: Trail,
  draft: TrailDraft,
  { at, version }: { readonly at: Timestamp; readonly version: TemplateId }
): Trail => ({
  ...current,
  ...draft,
  template_id:
    draft.template === undefined || draft.template === current.template
      ? current.template_id
      : version,
  last_modified_at: at
})

/** When a trail last changed: its details, or its evidence, at the last evaluation. */
export const modifiedAt = (
  { last_modified_at: modified }: Pick<Trail, "last_modified_at">,
  evaluated: Timestamp
): Timestamp => (evaluated > modified ? evaluated : modified)

/** There is no trail of that name in the flow. */
export class TrailNotFound extends Schema.TaggedError<TrailNotFound>()("TrailNotFound", {
  org: OrgName,
  flow: FlowName,
  trail: TrailName
}) {
  override get message(): string {
    return `there is no trail \`${this.trail}\` in flow \`${this.flow}\` of org \`${this.org}\``
  }
}
