/** A build: the first record of a fingerprint in the org; later records of it make none. SPEC §4.16 */
import { type Artifact, commitOf } from "../artifact/Artifact.js"
import type { Repo } from "../repo/Repo.js"
import type { FlowName, TrailName } from "../shared/Identifier.js"

/** The first record of a fingerprint, with the names of its flow, its trail and its repository. */
export interface Build {
  readonly record: Artifact
  readonly flowName: FlowName
  readonly trailName: TrailName
  readonly repo: Repo | null
}

/** What is shown of a build beside its addresses. */
export const describe = ({ record, flowName, trailName, repo }: Build) => ({
  fingerprint: record.fingerprint,
  artifact_name: record.report.filename,
  created_at: record.created_at,
  flow_name: flowName,
  trail_name: trailName,
  template_reference_name: record.slot,
  git_commit: commitOf(record.report),
  git_commit_info: record.report.git_commit_info ?? null,
  commit_url: record.report.commit_url,
  build_url: record.report.build_url,
  repo_info: repo === null ? null : { id: repo.id, name: repo.name, repo_id: repo.repo_id }
})
