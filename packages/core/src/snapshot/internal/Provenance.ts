/** Records of a fingerprint → its flow views, in the order in which flows first recorded it. DECISION D1.1 */
import { commitOf } from "../../artifact/Artifact.js"
import type { FlowView, FlowViewRepo } from "../FlowView.js"
import type { FlowRecord } from "../ProvenanceStore.js"

const repoOf = ({ artifact: { report }, trailRepo }: FlowRecord): FlowViewRepo | null => {
  const info = report.repo_info ?? trailRepo
  if (info !== null && info !== undefined) {
    return { name: info.name, url: info.url, provider: info.provider ?? null }
  }
  return report.repo_url ? { name: null, url: report.repo_url, provider: null } : null
}

/** The flow view of a record, without its predecessor. */
export const viewOf = (record: FlowRecord): FlowView => {
  const { artifact, standing } = record
  return {
    flow_id: artifact.flow_id,
    trail_id: artifact.trail_id,
    trail_name: record.trailName,
    slot: artifact.slot,
    artifact_id: artifact.id,
    status: standing.status,
    reasons: standing.flow_reasons_for_non_compliance,
    git_commit: commitOf(artifact.report),
    commit_url: artifact.report.commit_url,
    git_commit_info: artifact.report.git_commit_info ?? record.trailCommit,
    repo: repoOf(record),
    first_reported_at: record.firstReportedAt,
    previous: null
  }
}

const byFirstSeen = (left: FlowRecord, right: FlowRecord): number =>
  left.firstSequence - right.firstSequence || (left.flowName < right.flowName ? -1 : 1)

/** Records by fingerprint, each group in the order of flow views. */
export const group = (
  records: ReadonlyArray<FlowRecord>
): ReadonlyMap<string, ReadonlyArray<FlowRecord>> => {
  const groups = new Map<string, Array<FlowRecord>>()
  for (const record of [...records].sort(byFirstSeen)) {
    const { fingerprint } = record.artifact
    const known = groups.get(fingerprint)
    if (known === undefined) groups.set(fingerprint, [record])
    else known.push(record)
  }
  return groups
}
