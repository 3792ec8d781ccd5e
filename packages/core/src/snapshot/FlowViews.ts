/**
 * Records of a fingerprint → its flow views, in the order in which flows first saw it. DECISION D1.1
 *
 * How a record stands is asked in one place, `standing`.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Artifact } from "../artifact/Artifact.js"
import type { RecordStatus } from "../compliance/ComplianceStatus.js"
import * as TrailCompliance from "../compliance/TrailCompliance.js"
import * as FlowTemplate from "../flow/FlowTemplate.js"
import type { FlowView, FlowViewRepo } from "./FlowView.js"
import type { FlowRecord } from "./ProvenanceStore.js"

/** The commit that a record is about. */
export const commitOf = ({ report }: Artifact): string | null =>
  report.git_commit ?? report.git_commit_info?.sha1 ?? null

/** How a record stands against its flow's template. */
export const standing = ({
  artifact,
  template
}: FlowRecord): Pick<RecordStatus, "status" | "flow_reasons_for_non_compliance"> => {
  const evidence = {
    template: Either.getOrElse(FlowTemplate.parse(template), () => FlowTemplate.empty),
    artifacts: [
      {
        sequence: artifact.sequence,
        id: artifact.id,
        slot: artifact.slot,
        fingerprint: artifact.fingerprint,
        commit: commitOf(artifact)
      }
    ],
    attestations: []
  }
  return Option.getOrElse(TrailCompliance.evaluateRecord(evidence, artifact.id), () => ({
    status: "INCOMPLETE" as const,
    flow_reasons_for_non_compliance: []
  }))
}

const repoOf = ({ artifact: { report }, trailRepo }: FlowRecord): FlowViewRepo | null => {
  const info = report.repo_info ?? trailRepo
  if (info !== null && info !== undefined) {
    return { name: info.name, url: info.url, provider: info.provider ?? null }
  }
  return report.repo_url ? { name: null, url: report.repo_url, provider: null } : null
}

const viewOf = (record: FlowRecord): FlowView => {
  const { artifact } = record
  const { status, flow_reasons_for_non_compliance } = standing(record)
  return {
    flow_id: artifact.flow_id,
    trail_id: artifact.trail_id,
    trail_name: record.trailName,
    slot: artifact.slot,
    artifact_id: artifact.id,
    status,
    reasons: flow_reasons_for_non_compliance,
    git_commit: commitOf(artifact),
    commit_url: artifact.report.commit_url,
    git_commit_info: artifact.report.git_commit_info ?? record.trailCommit,
    repo: repoOf(record),
    first_reported_at: record.firstReportedAt,
    previous: null
  }
}

const byFirstSeen = (left: FlowRecord, right: FlowRecord): number =>
  left.firstSequence - right.firstSequence || (left.flowName < right.flowName ? -1 : 1)

/** Flow views by fingerprint. */
export const group = (
  records: ReadonlyArray<FlowRecord>
): ReadonlyMap<string, ReadonlyArray<FlowView>> => {
  const groups = new Map<string, Array<FlowView>>()
  for (const record of [...records].sort(byFirstSeen)) {
    const { fingerprint } = record.artifact
    const views = groups.get(fingerprint) ?? []
    views.push(viewOf(record))
    groups.set(fingerprint, views)
  }
  return groups
}
