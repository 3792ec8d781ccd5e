/**
 * The current provenance of fingerprints, as flow views and as facts for policies.
 *
 * At most two queries for any number of fingerprints; attestations are read only for policies that need them.
 */
import * as Effect from "effect/Effect"
import { commitOf } from "../artifact/Artifact.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { RowIdentity } from "../environment/RunningRow.js"
import type { KnownFlow } from "../history/FactTimeline.js"
import * as FactTimelines from "../history/FactTimelines.js"
import { HistoryStore } from "../history/HistoryStore.js"
import type { Moment } from "../policy/Moment.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import type { Facts, FlowView as PolicyFlowView } from "../policy/PolicyFacts.js"
import type { PolicySet } from "../policy/PolicySets.js"
import * as CommitPosition from "../shared/CommitPosition.js"
import { ArtifactId, type OrgId, SlotName, TrailName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
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
  status: standing.status,
  at: artifact.created_at
})

/** The facts and the moment that policies evaluate a row by. */
export interface EvaluationInput {
  readonly knownOf: KnownOf
  readonly moment: Moment
}

const factsOf = ({ name, fingerprint }: RowIdentity, knownOf: KnownOf): Facts => ({
  artifact: { name, fingerprint },
  flows: knownOf(fingerprint).facts
})

/** The decisions of the policies about a row. */
export const decide = (
  { compiled, versions }: PolicySet,
  row: RowIdentity,
  { knownOf, moment }: EvaluationInput
): ReadonlyArray<RowDecision.RowDecision> => {
  const { policy_decisions } = PolicyEvaluation.evaluate(compiled, factsOf(row, knownOf), moment)
  // INVARIANT: decisions come in the order of the set's versions.
  return RowDecision.fromDecisions(policy_decisions, (_, index) => versions[index]?.id ?? "")
}

/** The first instant from which on time alone makes enforced policies fail a row; null without one. */
export const failsFrom = (
  { compiled }: PolicySet,
  row: RowIdentity,
  { knownOf, moment }: EvaluationInput
): Timestamp | null => PolicyEvaluation.failsFrom(compiled, factsOf(row, knownOf), moment)

/** The next instant at which time alone changes a decision about a row; null without one. */
export const nextChange = (
  { compiled }: PolicySet,
  row: RowIdentity,
  { knownOf, moment }: EvaluationInput
): Timestamp | null => PolicyEvaluation.nextChange(compiled, factsOf(row, knownOf), moment)

/** What to read besides records, and what to lock. */
interface Gathering {
  readonly withAttestations: boolean
  /** Whether attestations come with what policies ask about. */
  readonly withFacts: boolean
  /** Whether that includes the list of purls. */
  readonly withPurls: boolean
  /** Fingerprints that start to run: concurrent writers of evidence about them are waited for. */
  readonly arriving?: ReadonlyArray<Fingerprint>
  /** Only evidence that was accepted by this instant counts; all evidence without one. */
  readonly asOf?: Timestamp | undefined
}

/**
 * The view of a flow as of an instant. WHY the record of the same flow: it has the same fingerprint, and a record
 * that was replaced since the instant differs from it in its commit at most.
 */
const viewAsOf = (
  records: ReadonlyArray<FlowRecord>,
  { flow_id, trail_id, artifact_id, slot, standing, view }: KnownFlow
): ReadonlyArray<FlowView> => {
  const record =
    records.find(({ artifact }) => artifact.id === artifact_id) ??
    records.find(({ artifact }) => artifact.flow_id === flow_id)
  return record === undefined
    ? []
    : [
        {
          ...viewOf(record),
          trail_id,
          trail_name: TrailName.make(view.trail_name),
          slot: SlotName.make(slot),
          artifact_id: ArtifactId.make(artifact_id),
          status: standing.status,
          reasons: standing.flow_reasons_for_non_compliance
        }
      ]
}

/** The provenance of fingerprints. */
export class RowEvidence extends Effect.Service<RowEvidence>()("@attestry/core/RowEvidence", {
  effect: Effect.gen(function* () {
    const store = yield* ProvenanceStore
    const history = yield* HistoryStore

    /** The provenance as of an instant, from the history of the evidence. */
    const lookBack = Effect.fnUntraced(function* (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      asOf: Timestamp
    ) {
      const groups = group(yield* store.records(org, fingerprints, []))
      const timelineOf = yield* FactTimelines.read(history, org, fingerprints)
      const known = new Map(
        fingerprints.map((fingerprint): [string, Known] => {
          const records = groups.get(fingerprint) ?? []
          const flows = timelineOf(fingerprint).at(CommitPosition.asOf(asOf))
          return [
            fingerprint,
            {
              records,
              views: flows.flatMap((flow) => viewAsOf(records, flow)),
              facts: flows.map(({ view }) => view)
            }
          ]
        })
      )
      return (fingerprint: string) => known.get(fingerprint) ?? NOTHING
    })

    const lookUp = Effect.fnUntraced(function* (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      { withAttestations, withFacts, withPurls, arriving = [] }: Gathering
    ) {
      const records = yield* store.records(org, fingerprints, arriving)
      const trails = [...new Set(records.map(({ artifact }) => artifact.trail_id))]
      const factOf = RowFacts.make(
        withAttestations && trails.length > 0
          ? yield* store.attestations(org, trails, { withFacts, withPurls })
          : []
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
        : gathering.asOf === undefined
          ? lookUp(org, fingerprints, gathering)
          : lookBack(org, fingerprints, gathering.asOf)

    return { gather } as const
  })
}) {}
