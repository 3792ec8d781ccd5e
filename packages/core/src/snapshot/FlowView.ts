/**
 * The newest record of one running artifact in one flow. SPEC §2.6
 *
 * Stored with the snapshot; only the flow's name is read later, because flows can be renamed. DECISIONS.md, "Old names
 * keep working"
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { FlowReason, Status } from "../compliance/ComplianceStatus.js"
import { GitCommitInfo } from "../shared/GitCommit.js"
import { ArtifactId, FlowId, SlotName, TrailId, TrailName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The fields of a repository that links and filters need. */
export const FlowViewRepo = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  url: Schema.String,
  provider: Schema.NullOr(Schema.String)
})
/** The fields of a repository that links and filters need. */
export type FlowViewRepo = typeof FlowViewRepo.Type

/** The artifact that ran in the same slot before, from its own flow view. */
export const Predecessor = Schema.Struct({
  name: Schema.String,
  fingerprint: Fingerprint,
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  trail_name: TrailName,
  slot: SlotName,
  status: Status
})
/** The artifact that ran in the same slot before. */
export type Predecessor = typeof Predecessor.Type

/** The newest record of one running artifact in one flow. */
export const FlowView = Schema.Struct({
  flow_id: FlowId,
  trail_id: TrailId,
  trail_name: TrailName,
  slot: SlotName,
  artifact_id: ArtifactId,
  status: Status,
  reasons: Schema.Array(FlowReason),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(GitCommitInfo),
  repo: Schema.NullOr(FlowViewRepo),
  /** When the flow first recorded the fingerprint. */
  first_reported_at: Timestamp,
  previous: Schema.NullOr(Predecessor)
})
/** The newest record of one running artifact in one flow. */
export type FlowView = typeof FlowView.Type

/** The value of a filter by flow that selects artifacts without provenance. SPEC §4.4 */
export const NO_PROVENANCE = "no provenance"

/** The names of the repositories of flow views, each once. */
export const repoNames = (views: ReadonlyArray<FlowView>): ReadonlyArray<string> => [
  ...new Set(views.flatMap(({ repo }) => (repo === null || repo.name === null ? [] : [repo.name])))
]
