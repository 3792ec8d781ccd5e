/**
 * All evidence about a fingerprint with its commit positions: the trails that have records of it, and the versions of
 * their flows.
 *
 * `FactTimeline` computes the part that an evaluation could see.
 */
import type { ArtifactRecord } from "../compliance/AttestationBinding.js"
import type { CommitPosition } from "../shared/CommitPosition.js"
import type { FlowId, FlowName, TemplateId, TrailId, TrailName } from "../shared/Identifier.js"
import type { Tags } from "../shared/Tags.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TrailAttestation } from "../snapshot/RowFacts.js"

/** The name, tags and template of a flow, from one change until the next. */
export interface FlowVersion extends CommitPosition {
  readonly flow_id: FlowId
  readonly name: FlowName
  readonly tags: Tags
  readonly template_id: TemplateId
  readonly archived_at: Timestamp | null
}

/** An event on a trail: the number of its journal entry, and the trail's template and status after it. */
export interface StoredTrailEvent extends CommitPosition {
  readonly sequence: number
  readonly template_id: TemplateId
  readonly status: string
}

/** An artifact record of a trail, and its instant. */
export interface TimedRecord extends ArtifactRecord {
  readonly at: Timestamp
}

/** An attestation of a trail, and its instant. */
export interface TimedAttestation extends TrailAttestation {
  readonly at: Timestamp
}

/** A trail with everything that was reported to it, each list in order of report. */
export interface TrailHistory {
  readonly id: TrailId
  readonly flow_id: FlowId
  readonly name: TrailName
  /** The template of the last evaluation, and the status that lists show. */
  readonly evaluated: { readonly template_id: TemplateId; readonly status: string }
  /** One for each event. */
  readonly events: ReadonlyArray<StoredTrailEvent>
  readonly artifacts: ReadonlyArray<TimedRecord>
  readonly attestations: ReadonlyArray<TimedAttestation>
}

/** The evidence about some fingerprints: whole trails, the versions of their flows, and the texts of templates. */
export interface EvidenceHistory {
  readonly trails: ReadonlyArray<TrailHistory>
  /** Oldest first; every flow of a trail has at least one. */
  readonly flows: ReadonlyMap<FlowId, ReadonlyArray<FlowVersion>>
  /** The text of every template that the trails and their flows ever had. */
  readonly templates: ReadonlyMap<TemplateId, string>
}

/** All evidence about one fingerprint. */
export interface FingerprintHistory extends EvidenceHistory {
  readonly fingerprint: string
}

/** No evidence. */
export const EMPTY: EvidenceHistory = { trails: [], flows: new Map(), templates: new Map() }

/** Splits evidence by fingerprint; a trail belongs to every fingerprint that it has a record of. */
export const group = (evidence: EvidenceHistory): ((fingerprint: string) => FingerprintHistory) => {
  const trails = new Map<string, Array<TrailHistory>>()
  for (const trail of evidence.trails)
    for (const fingerprint of new Set(trail.artifacts.map((record) => record.fingerprint))) {
      const others = trails.get(fingerprint)
      if (others === undefined) trails.set(fingerprint, [trail])
      else others.push(trail)
    }
  return (fingerprint) => ({
    fingerprint,
    trails: trails.get(fingerprint) ?? [],
    flows: evidence.flows,
    templates: evidence.templates
  })
}
