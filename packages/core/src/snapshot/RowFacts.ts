/**
 * Records and attestations → the facts that policies judge a row by. DECISION E3
 *
 * What counts for a record is what was bound to it and what is about its trail (SPEC §3.13), whatever the
 * template asked for; overrides carry the outcome that they put in place. DECISION D2.15
 */
import type { ArtifactRecord, AttestationRecord } from "../compliance/AttestationBinding.js"
import * as AttestationBinding from "../compliance/AttestationBinding.js"
import type { Status } from "../compliance/ComplianceStatus.js"
import type { AttestationFact, FlowView } from "../policy/PolicyFacts.js"
import type { Tags } from "../shared/Tags.js"

/** An attestation of a trail, as far as policies depend on it. */
export interface TrailAttestation extends AttestationRecord {
  readonly trail_id: string
  /** The control that a decision says it is about; null for everything else, overrides included. */
  readonly control: string | null
}

/** A record with what its flow and its trail say about it. */
export interface KnownRecord {
  readonly record: ArtifactRecord
  readonly trail_id: string
  readonly flow_name: string
  readonly tags: Tags
  readonly trail_name: string
  readonly status: Status
}

const sameTarget = (left: TrailAttestation, right: TrailAttestation): boolean =>
  left.name === right.name &&
  left.fingerprint === right.fingerprint &&
  left.slots.length === right.slots.length &&
  left.slots.every((slot) => right.slots.includes(slot))

/** The control that an attestation is about; an override is about that of what it replaced. */
const controlOf = (
  attestation: TrailAttestation,
  others: ReadonlyArray<TrailAttestation>
): string | null => {
  if (attestation.type !== "decision" || !attestation.isOverride) return attestation.control
  let replaced: TrailAttestation | undefined
  for (const other of others)
    if (
      other.control !== null &&
      other.sequence < attestation.sequence &&
      sameTarget(other, attestation) &&
      (replaced === undefined || other.sequence > replaced.sequence)
    )
      replaced = other
  return replaced?.control ?? null
}

const factsOf = (
  level: AttestationFact["level"],
  attestations: ReadonlyArray<TrailAttestation>
): ReadonlyArray<AttestationFact> =>
  attestations.map(({ control, isCompliant, name, sequence, type }) => ({
    sequence,
    name,
    type,
    is_compliant: isCompliant,
    level,
    control
  }))

/** Arranges the attestations of trails for asking what counts for records of them. */
export const make = (
  attestations: ReadonlyArray<TrailAttestation>
): ((known: KnownRecord) => FlowView) => {
  const byTrail = new Map<string, Array<TrailAttestation>>()
  for (const attestation of attestations) {
    const others = byTrail.get(attestation.trail_id)
    if (others === undefined) byTrail.set(attestation.trail_id, [attestation])
    else others.push(attestation)
  }
  const bindings = new Map<string, AttestationBinding.Binding<TrailAttestation>>()
  const bindingOf = (trail: string): AttestationBinding.Binding<TrailAttestation> => {
    const known = bindings.get(trail)
    if (known !== undefined) return known
    const all = byTrail.get(trail) ?? []
    const made = AttestationBinding.make(
      all.map((attestation) => ({ ...attestation, control: controlOf(attestation, all) }))
    )
    bindings.set(trail, made)
    return made
  }
  return ({ flow_name, record, status, tags, trail_id, trail_name }) => {
    const { bound, trailLevel } = bindingOf(trail_id)
    return {
      flow_name,
      tags,
      trail_name,
      template_reference_name: record.slot,
      artifact_status: status,
      attestations: [...factsOf("artifact", bound(record)), ...factsOf("trail", trailLevel)]
    }
  }
}
