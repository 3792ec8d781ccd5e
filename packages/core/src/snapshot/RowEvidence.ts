/**
 * The current provenance of fingerprints, as flow views and as facts for policies.
 *
 * At most two queries for any number of fingerprints; attestations are read only for policies that need them.
 */
import * as Effect from "effect/Effect"
import { commitOf } from "../artifact/Artifact.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { RowIdentity } from "../environment/RunningRow.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import type { FlowView as PolicyFlowView } from "../policy/PolicyFacts.js"
import type { PolicySet } from "../policy/PolicySets.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { FlowView, FlowViewRepo } from "./FlowView.js"
import { type FlowRecord, ProvenanceStore } from "./ProvenanceStore.js"
import * as RowDecision from "./RowDecision.js"
import * as RowFacts from "./RowFacts.js"

/** The provenance of one fingerprint; both lists are in the order of flow views. */
export interface Known {
  readonly records: ReadonlyArray<FlowRecord>
  readonly views: ReadonlyArray<FlowView>
  readonly facts: ReadonlyArray<PolicyFlowView>
}

/** The provenance of a fingerprint; empty for one that was not gathered. */
export type KnownOf = (fingerprint: string) => Known

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

/**
 * Records by fingerprint, each group in the order in which flows first recorded it. The build flow comes first and
 * stays first.
 */
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

const NOTHING: Known = { records: [], views: [], facts: [] }

const toKnown = ({ artifact, flowName, flowTags, standing, trailName }: FlowRecord) => ({
  record: {
    sequence: artifact.sequence,
    id: artifact.id,
    slot: artifact.slot,
    fingerprint: artifact.fingerprint,
    commit: commitOf(artifact.report)
  },
  trail_id: artifact.trail_id,
  flow_name: flowName,
  tags: flowTags,
  trail_name: trailName,
  status: standing.status
})

/** The decisions of the policies about a row. */
export const decide = (
  { compiled, versions }: PolicySet,
  { name, fingerprint }: RowIdentity,
  knownOf: KnownOf
): ReadonlyArray<RowDecision.RowDecision> => {
  const { policy_decisions } = PolicyEvaluation.evaluate(compiled, {
    artifact: { name, fingerprint },
    flows: knownOf(fingerprint).facts
  })
  // INVARIANT: decisions come in the order of the set's versions.
  return RowDecision.fromDecisions(policy_decisions, (_, index) => versions[index]?.id ?? "")
}

/** What to read besides records, and what to lock. */
interface Gathering {
  readonly withAttestations: boolean
  /** Fingerprints that start to run: concurrent writers of evidence about them are waited for. */
  readonly arriving?: ReadonlyArray<Fingerprint>
}

/** The provenance of fingerprints. */
export class RowEvidence extends Effect.Service<RowEvidence>()("@attestry/core/RowEvidence", {
  effect: Effect.map(ProvenanceStore, (store) => {
    const lookUp = Effect.fnUntraced(function* (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      { withAttestations, arriving = [] }: Gathering
    ) {
      const records = yield* store.records(org, fingerprints, arriving)
      const trails = [...new Set(records.map(({ artifact }) => artifact.trail_id))]
      const factOf = RowFacts.make(
        withAttestations && trails.length > 0 ? yield* store.attestations(org, trails) : []
      )
      const known = new Map(
        Array.from(group(records), ([fingerprint, grouped]) => [
          fingerprint,
          {
            records: grouped,
            views: grouped.map(viewOf),
            facts: grouped.map((record) => factOf(toKnown(record)))
          }
        ])
      )
      return (fingerprint: string) => known.get(fingerprint) ?? NOTHING
    })

    /** Reads the provenance of fingerprints; with attestations where a policy needs them. */
    const gather = (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      gathering: Gathering
    ): Effect.Effect<KnownOf, StoreError> =>
      fingerprints.length === 0
        ? Effect.succeed(() => NOTHING)
        : lookUp(org, fingerprints, gathering)

    return { gather } as const
  })
}) {}
