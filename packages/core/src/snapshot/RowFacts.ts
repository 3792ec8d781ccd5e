/**
 * Records and attestations → the facts by which policies evaluate a row. DECISIONS.md, "Facts are data"
 *
 * Attestations that are bound to a record or to its trail count (SPEC §3.13), also when the template does not
 * expect them; overrides have their new outcome. DECISIONS.md, "The latest attestation counts"
 */
import type { AttestationFacts } from "../attestation/AttestationFacts.js"
import type { ArtifactRecord, AttestationRecord } from "../compliance/AttestationBinding.js"
import * as AttestationBinding from "../compliance/AttestationBinding.js"
import type { Status } from "../compliance/ComplianceStatus.js"
import type { AttestationFact, FlowView } from "../policy/PolicyFacts.js"
import type { Tags } from "../shared/Tags.js"
import { type Timestamp, toSeconds } from "../shared/Timestamp.js"

/** The fields of an attestation of a trail that policies depend on. */
export interface TrailAttestation extends AttestationRecord {
  readonly trail_id: string
  /** When it was accepted. */
  readonly at: Timestamp
  /** The control of a decision; null for everything else, overrides included. */
  readonly control: string | null
  /** What policies ask about; null for an attestation without facts, absent where it was not read. */
  readonly policy_facts?: AttestationFacts | null
}

/** A record with its flow and its trail. */
export interface KnownRecord {
  readonly record: ArtifactRecord
  readonly trail_id: string
  readonly flow_name: string
  readonly tags: Tags
  readonly trail_name: string
  readonly status: Status
  /** When the record was accepted. */
  readonly at: Timestamp
}

const sameTarget = (left: TrailAttestation, right: TrailAttestation): boolean =>
  left.name === right.name &&
  left.fingerprint === right.fingerprint &&
  left.slots.length === right.slots.length &&
  left.slots.every((slot) => right.slots.includes(slot))

/** The control of an attestation; an override has that of the overridden attestation. */
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
  attestations.map(({ at, control, isCompliant, name, policy_facts, sequence, type }) => ({
    sequence,
    name,
    type,
    is_compliant: isCompliant,
    level,
    control,
    reported_at: toSeconds(at),
    ...(policy_facts ? askedOf(policy_facts) : {})
  }))

/** What policies ask about an attestation, in the form of facts: without what is null. */
const askedOf = ({
  facts,
  verification
}: AttestationFacts): Pick<AttestationFact, "facts" | "verification"> => ({
  ...(verification === null ? {} : { verification }),
  ...(facts === null ? {} : { facts })
})

/** Indexes the attestations of trails by the records that they count for. */
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
  return ({ at, flow_name, record, status, tags, trail_id, trail_name }) => {
    const { bound, trailLevel } = bindingOf(trail_id)
    return {
      flow_name,
      tags,
      trail_name,
      template_reference_name: record.slot,
      artifact_status: status,
      reported_at: toSeconds(at),
      attestations: [...factsOf("artifact", bound(record)), ...factsOf("trail", trailLevel)]
    }
  }
}
