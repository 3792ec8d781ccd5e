/**
 * What one flow knows about one running artifact: the newest record of it in that flow. SPEC §2.6
 *
 * Kept with the snapshot as it was found; only the flow's name is looked up when it is read, because
 * flows can be renamed. DECISION A-32
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { Status } from "../compliance/ComplianceStatus.js"
import { GitCommitInfo } from "../shared/GitCommit.js"
import { ArtifactId, FlowId, SlotName, TrailId, TrailName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A repository, as far as links and filters need it. */
export const FlowViewRepo = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  url: Schema.String,
  provider: Schema.NullOr(Schema.String)
})
/** A repository, as far as links and filters need it. */
export type FlowViewRepo = typeof FlowViewRepo.Type

/** What ran in the same place before, as its own flow view knew it. DECISION D8.2 */
export const Predecessor = Schema.Struct({
  name: Schema.String,
  fingerprint: Fingerprint,
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  trail_name: TrailName,
  slot: SlotName,
  status: Status
})
/** What ran in the same place before. */
export type Predecessor = typeof Predecessor.Type

/** What one flow knows about one running artifact. */
export const FlowView = Schema.Struct({
  flow_id: FlowId,
  trail_id: TrailId,
  trail_name: TrailName,
  slot: SlotName,
  artifact_id: ArtifactId,
  status: Status,
  reasons: Schema.Array(Schema.Unknown),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(GitCommitInfo),
  repo: Schema.NullOr(FlowViewRepo),
  /** When the fingerprint was first reported into the flow. */
  first_reported_at: Timestamp,
  previous: Schema.NullOr(Predecessor)
})
/** What one flow knows about one running artifact. */
export type FlowView = typeof FlowView.Type

/** The names of the repositories of flow views, each once. */
export const repoNames = (views: ReadonlyArray<FlowView>): ReadonlyArray<string> => [
  ...new Set(views.flatMap(({ repo }) => (repo === null || repo.name === null ? [] : [repo.name])))
]
