/**
 * All evidence about a fingerprint with commit positions: the trails with records of it, and the versions of their
 * flows.
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

/** An event on a trail: its sequence number, and the trail's template and status after it. */
export interface StoredTrailEvent extends CommitPosition {
  readonly sequence: number
  readonly template_id: TemplateId
  readonly status: string
}

/** An artifact record of a trail, with its instant. */
export interface TimedRecord extends ArtifactRecord {
  readonly at: Timestamp
}

/** A trail with everything reported to it, each list in the order of reports. */
export interface TrailHistory {
  readonly id: TrailId
  readonly flow_id: FlowId
  readonly name: TrailName
  /** The template of the last evaluation, and its status as lists show it. */
  readonly evaluated: { readonly template_id: TemplateId; readonly status: string }
  readonly events: ReadonlyArray<StoredTrailEvent>
  readonly artifacts: ReadonlyArray<TimedRecord>
  readonly attestations: ReadonlyArray<TrailAttestation>
}

/** Evidence about several fingerprints: whole trails, the versions of their flows, and the texts of templates. */
export interface EvidenceHistory {
  readonly trails: ReadonlyArray<TrailHistory>
  /** Oldest first; every flow of a trail has at least one version. */
  readonly flows: ReadonlyMap<FlowId, ReadonlyArray<FlowVersion>>
  /** The text of every template that the trails and their flows ever had. */
  readonly templates: ReadonlyMap<TemplateId, string>
}

/** All evidence about one fingerprint. */
export interface FingerprintHistory extends EvidenceHistory {
  readonly fingerprint: string
}

/** The value without evidence. */
export const EMPTY: EvidenceHistory = { trails: [], flows: new Map(), templates: new Map() }

/** Splits evidence by fingerprint; a trail belongs to every fingerprint that has a record in it. */
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
