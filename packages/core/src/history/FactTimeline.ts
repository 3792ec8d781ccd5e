/**
 * Computes the facts about a fingerprint that an evaluation could see, from the fingerprint's history. SPEC §3.21
 *
 * Pure. Facts are computed on demand, once for each visible part of the evidence.
 * `testing/internal/model/FactTimelineModel` is the slow reference model.
 */
import * as Either from "effect/Either"
import type { RecordStatus, Status } from "../compliance/ComplianceStatus.js"
import * as TrailCompliance from "../compliance/TrailCompliance.js"
import * as FlowTemplate from "../flow/FlowTemplate.js"
import type { FlowView } from "../policy/PolicyFacts.js"
import * as CommitPosition from "../shared/CommitPosition.js"
import type { FlowId, TemplateId, TrailId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as RowFacts from "../snapshot/RowFacts.js"
import type {
  EvidenceHistory,
  FingerprintHistory,
  FlowVersion,
  StoredTrailEvent,
  TimedRecord,
  TrailHistory
} from "./FingerprintHistory.js"

/** The record of a fingerprint in one flow. */
export interface KnownFlow {
  readonly flow_id: FlowId
  readonly trail_id: TrailId
  readonly artifact_id: string
  readonly slot: string
  readonly status: Status
  /** The status of the record with its entries. */
  readonly standing: RecordStatus
  /** The facts for policies. */
  readonly view: FlowView
}

/** A change of facts, and the facts after it. */
export interface FactChange extends CommitPosition.CommitPosition {
  readonly flows: ReadonlyArray<KnownFlow>
}

/** The facts about one fingerprint over time. */
export interface FactTimeline {
  /** The facts visible within a bound, in the order of flow views. */
  readonly at: (evaluation: CommitPosition.VisibilityBound) => ReadonlyArray<KnownFlow>
  /** Every commit position at which the facts may change, in ascending order. */
  readonly events: ReadonlyArray<CommitPosition.CommitPosition>
}

const bySequence = (left: { readonly sequence: number }, right: { readonly sequence: number }) =>
  left.sequence - right.sequence

/** The events of a trail, in order; their instants never decrease. */
export const eventsOf = ({ events }: TrailHistory): ReadonlyArray<StoredTrailEvent> => {
  let last: Timestamp | undefined
  return [...events].sort(bySequence).map((event) => {
    last = last === undefined || event.at > last ? event.at : last
    return { ...event, at: last }
  })
}

/** The version in force at a bound. WHY the first if none is visible: a record always has a flow. */
const versionAt = (
  versions: ReadonlyArray<FlowVersion>,
  evaluation: CommitPosition.VisibilityBound
): FlowVersion | undefined =>
  versions.filter((version) => CommitPosition.isVisible(version, evaluation)).at(-1) ?? versions[0]

/** The visible part of a trail. */
export interface VisibleTrail {
  readonly trail: TrailHistory
  readonly artifacts: ReadonlyArray<TimedRecord>
  readonly attestations: ReadonlyArray<RowFacts.TrailAttestation>
  readonly template: TemplateId
  /** The last visible event; undefined if none is visible. */
  readonly last: CommitPosition.CommitPosition | undefined
  readonly evaluation: () => TrailCompliance.TrailEvaluation
  readonly factOf: (known: RowFacts.KnownRecord) => FlowView
}

/** A template by its id. */
export type TemplateOf = (id: TemplateId) => FlowTemplate.FlowTemplate

/** Parses the templates of evidence, each text once. */
export const templatesOf = ({ templates }: EvidenceHistory): TemplateOf => {
  const known = new Map<TemplateId, FlowTemplate.FlowTemplate>()
  return (id) => {
    // WHY empty: only valid texts are stored, so this stands for a missing text.
    const read = () =>
      Either.getOrElse(FlowTemplate.parse(templates.get(id) ?? ""), () => FlowTemplate.empty)
    const template = known.get(id) ?? read()
    known.set(id, template)
    return template
  }
}

/** The visible part of a trail; its status is computed on demand. */
const makeVisible = (
  templateOf: TemplateOf,
  trail: TrailHistory,
  visible: ReadonlyArray<StoredTrailEvent>
): VisibleTrail => {
  const seen = new Set(visible.map(({ sequence }) => sequence))
  const artifacts = trail.artifacts.filter(({ sequence }) => seen.has(sequence))
  const attestations = trail.attestations.filter(({ sequence }) => seen.has(sequence))
  const last = visible.at(-1)
  const template = last?.template_id ?? trail.evaluated.template_id
  let evaluation: TrailCompliance.TrailEvaluation | undefined
  return {
    trail,
    artifacts,
    attestations,
    template,
    last,
    factOf: RowFacts.make(attestations),
    evaluation: () => {
      evaluation ??= TrailCompliance.evaluate({
        template: templateOf(template),
        artifacts,
        attestations
      })
      return evaluation
    }
  }
}

/** Makes the visible part of a trail, cached by its last visible event. */
export const visibleTrails = (
  history: EvidenceHistory,
  templateOf: TemplateOf = templatesOf(history)
): ((trail: TrailHistory, evaluation: CommitPosition.VisibilityBound) => VisibleTrail) => {
  const known = new Map<string, VisibleTrail>()
  const events = new Map(history.trails.map((trail) => [trail.id, eventsOf(trail)]))
  return (trail, evaluation) => {
    const all = events.get(trail.id) ?? []
    const visible = all.filter((event) => CommitPosition.isVisible(event, evaluation))
    // INVARIANT: events determine the visible part of a trail, so their number and the last one identify it.
    const key = `${trail.id} ${visible.length} ${visible.at(-1)?.sequence}`
    const made = known.get(key) ?? makeVisible(templateOf, trail, visible)
    known.set(key, made)
    return made
  }
}

/** The first and the newest visible record in a flow, and the trail of the newest. */
interface FlowRecords {
  readonly first: number
  readonly record: TimedRecord
  readonly trail: VisibleTrail
}

const recordsByFlow = (
  fingerprint: string,
  trails: ReadonlyArray<VisibleTrail>
): ReadonlyMap<FlowId, FlowRecords> => {
  const found = new Map<FlowId, FlowRecords>()
  for (const trail of trails)
    for (const record of trail.artifacts) {
      if (record.fingerprint !== fingerprint) continue
      const { flow_id } = trail.trail
      const before = found.get(flow_id)
      const first = Math.min(before?.first ?? record.sequence, record.sequence)
      found.set(
        flow_id,
        before === undefined || record.sequence > before.record.sequence
          ? { first, record, trail }
          : { ...before, first }
      )
    }
  return found
}

const knownFlow = (
  { record, trail }: FlowRecords,
  version: FlowVersion
): ReadonlyArray<KnownFlow> => {
  const standing = trail.evaluation().records.find(({ artifact_id }) => artifact_id === record.id)
  if (standing === undefined) return []
  const { status } = standing
  const { flow_id, id: trail_id, name: trail_name } = trail.trail
  const { name: flow_name, tags } = version
  const known = { record, trail_id, flow_name, tags, trail_name, status, at: record.at }
  return [
    {
      flow_id,
      trail_id,
      artifact_id: record.id,
      slot: record.slot,
      status,
      standing,
      view: trail.factOf(known)
    }
  ]
}

const order = (left: CommitPosition.CommitPosition, right: CommitPosition.CommitPosition): number =>
  left.position - right.position

/** The facts about a fingerprint over time. Histories from the same evidence can share parsed templates. */
export const make = (history: FingerprintHistory, templateOf?: TemplateOf): FactTimeline => {
  const visible = visibleTrails(history, templateOf)
  const flows = new Set(history.trails.map(({ flow_id }) => flow_id))
  return {
    at: (evaluation) => {
      const trails = history.trails.map((trail) => visible(trail, evaluation))
      return Array.from(recordsByFlow(history.fingerprint, trails))
        .sort(([, left], [, right]) => left.first - right.first)
        .flatMap(([flow, records]) => {
          const version = versionAt(history.flows.get(flow) ?? [], evaluation)
          return version === undefined ? [] : knownFlow(records, version)
        })
    },
    events: [
      ...history.trails.flatMap(eventsOf),
      ...[...flows].flatMap((flow) => history.flows.get(flow) ?? [])
    ]
      .map(({ position, at }) => ({ position, at }))
      .sort(order)
  }
}
