/**
 * Everything that was ever written about a fingerprint, with its place in the order of knowledge: the trails that have
 * records of it with all their evidence, and the versions of their flows.
 *
 * What of it a judging could see is `FactTimeline`.
 */
import type { ArtifactRecord } from "../compliance/AttestationBinding.js"
import type { FlowId, FlowName, TemplateId, TrailId, TrailName } from "../shared/Identifier.js"
import type { Knowledge } from "../shared/Knowledge.js"
import type { Tags } from "../shared/Tags.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TrailAttestation } from "../snapshot/RowFacts.js"

/** One version of a flow: what it said from a change until the next. */
export interface FlowVersion extends Knowledge {
  readonly flow_id: FlowId
  readonly name: FlowName
  readonly tags: Tags
  readonly template_id: TemplateId
  readonly archived_at: Timestamp | null
}

/** What an event on a trail left: the number of its entry in the journal, the template and the status of the trail. */
export interface TrailMark extends Knowledge {
  readonly sequence: number
  readonly template_id: TemplateId
  readonly status: string
}

/** An artifact record of a trail, and its instant. */
export interface PastRecord extends ArtifactRecord {
  readonly at: Timestamp
}

/** An attestation of a trail, and its instant. */
export interface PastAttestation extends TrailAttestation {
  readonly at: Timestamp
}

/** A trail with everything that was reported to it, each list in order of report. */
export interface TrailPast {
  readonly id: TrailId
  readonly flow_id: FlowId
  readonly name: TrailName
  /** The template of the last evaluation, and the status that lists show. */
  readonly evaluated: { readonly template_id: TemplateId; readonly status: string }
  /** One for each event. */
  readonly marks: ReadonlyArray<TrailMark>
  readonly artifacts: ReadonlyArray<PastRecord>
  readonly attestations: ReadonlyArray<PastAttestation>
}

/** The evidence about some fingerprints: whole trails, the versions of their flows, and the texts of templates. */
export interface EvidenceHistory {
  readonly trails: ReadonlyArray<TrailPast>
  /** Oldest first; every flow of a trail has at least one. */
  readonly flows: ReadonlyMap<FlowId, ReadonlyArray<FlowVersion>>
  /** The text of every template that the trails and their flows ever had. */
  readonly templates: ReadonlyMap<TemplateId, string>
}

/** Everything that was ever written about one fingerprint. */
export interface FingerprintHistory extends EvidenceHistory {
  readonly fingerprint: string
}

/** No evidence. */
export const EMPTY: EvidenceHistory = { trails: [], flows: new Map(), templates: new Map() }

/** Splits evidence by fingerprint; a trail belongs to every fingerprint that it has a record of. */
export const group = (evidence: EvidenceHistory): ((fingerprint: string) => FingerprintHistory) => {
  const trails = new Map<string, Array<TrailPast>>()
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
