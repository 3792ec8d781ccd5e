/**
 * Template × artifacts × attestations → the status of a trail, its slots and its records, and the missing evidence.
 *
 * A pure fold over one trail, with its current template; the use case decides when to evaluate. The cost is linear in
 * the evidence. `testing/internal/model/TrailComplianceModel` is the slow model.
 */
import * as Option from "effect/Option"
import type { ExpectedAttestation, FlowTemplate } from "../flow/FlowTemplate.js"
import type { ArtifactRecord, AttestationRecord } from "./AttestationBinding.js"
import * as AttestationBinding from "./AttestationBinding.js"
import {
  type ArtifactStatus,
  type AttestationStatus,
  type RecordStatus,
  reasons,
  rollUp,
  type TrailStatus,
  worse
} from "./ComplianceStatus.js"
import { keepDeciding, statusList } from "./internal/StatusList.js"

/** The evidence of one trail; the order of the lists does not matter. */
export interface TrailEvidence {
  readonly template: FlowTemplate
  readonly artifacts: ReadonlyArray<ArtifactRecord>
  readonly attestations: ReadonlyArray<AttestationRecord>
}

/** The status of a trail, and of each of its records in order of report. */
export interface TrailEvaluation {
  readonly trail: TrailStatus
  readonly records: ReadonlyArray<RecordStatus>
}

/** The expected attestations of each slot; a stored template that names a slot twice expects both. */
const expectedBySlot = ({ trail }: FlowTemplate) => {
  const slots = new Map<string, ReadonlyArray<ExpectedAttestation>>()
  for (const { name, attestations } of trail.artifacts)
    slots.set(name, [...(slots.get(name) ?? []), ...attestations])
  return slots
}

const inOrder = (artifacts: ReadonlyArray<ArtifactRecord>): ReadonlyArray<ArtifactRecord> =>
  [...artifacts].sort((left, right) => left.sequence - right.sequence)

/** The values that all slots and records of a trail share. */
const prepare = ({ template, attestations }: Omit<TrailEvidence, "artifacts">) => {
  const binding = AttestationBinding.make(attestations, keepDeciding)
  const slots = expectedBySlot(template)
  const trailLevel = statusList(template.trail.attestations, binding.trailLevel)
  return {
    slots,
    waiting: binding.waiting,
    bound: binding.bound,
    trailLevel,
    trailLevelStatus: rollUp(trailLevel),
    trailLevelReasons: reasons("trail", trailLevel)
  }
}

type Prepared = ReturnType<typeof prepare>

/** The status of records; equal inputs share their entries, because records often differ in their id alone. */
const recordStatuses = (trail: Prepared): ((record: ArtifactRecord) => RecordStatus) => {
  const known = new Map<string, ReadonlyArray<AttestationStatus>>()
  return (record) => {
    const key = `${record.fingerprint} ${record.commit} ${record.slot}`
    const own =
      known.get(key) ?? statusList(trail.slots.get(record.slot) ?? [], trail.bound(record))
    known.set(key, own)
    const status = worse(rollUp(own), trail.trailLevelStatus)
    return {
      artifact_id: record.id,
      artifact_fingerprint: record.fingerprint,
      template_reference_name: record.slot,
      status,
      is_compliant: status === "COMPLIANT",
      attestations_statuses: own,
      flow_reasons_for_non_compliance: [...reasons("artifact", own), ...trail.trailLevelReasons]
    }
  }
}

const emptySlot = (trail: Prepared, slot: string): ArtifactStatus => ({
  artifact_fingerprint: null,
  artifact_id: null,
  status: "MISSING",
  is_compliant: null,
  attestations_statuses: statusList(trail.slots.get(slot) ?? [], trail.waiting.get(slot) ?? []),
  unexpected: !trail.slots.has(slot)
})

const filledSlot = (trail: Prepared, record: RecordStatus): ArtifactStatus => ({
  artifact_fingerprint: record.artifact_fingerprint,
  artifact_id: record.artifact_id,
  status: record.status,
  is_compliant: record.is_compliant,
  attestations_statuses: record.attestations_statuses,
  unexpected: !trail.slots.has(record.template_reference_name)
})

/** The slots of a trail: those of the template in its order, then others in order of appearance. */
const slotNames = (trail: Prepared, artifacts: ReadonlyArray<ArtifactRecord>): Iterable<string> => {
  const seen = [
    ...artifacts.map(({ slot, sequence }) => ({ slot, sequence })),
    ...[...trail.waiting].map(([slot, group]) => ({ slot, sequence: group[0]?.sequence ?? 0 }))
  ].sort((left, right) => left.sequence - right.sequence)
  return new Set([...trail.slots.keys(), ...seen.map(({ slot }) => slot)])
}

/** The status of the trail, its slots and each of its records. */
export const evaluate = (evidence: TrailEvidence): TrailEvaluation => {
  const trail = prepare(evidence)
  const artifacts = inOrder(evidence.artifacts)
  const records = artifacts.map(recordStatuses(trail))
  const newest = new Map(records.map((record) => [record.template_reference_name, record]))
  const slots = [...slotNames(trail, artifacts)].map((slot) => {
    const record = newest.get(slot)
    return [
      slot,
      record === undefined ? emptySlot(trail, slot) : filledSlot(trail, record)
    ] as const
  })
  // Of the missing slots only the expected ones make a trail incomplete.
  const isLacking = slots.some(([, slot]) => slot.status === "MISSING" && !slot.unexpected)
  const status = slots
    .map(([, slot]) => rollUp(slot.attestations_statuses))
    .reduce(worse, worse(trail.trailLevelStatus, isLacking ? "INCOMPLETE" : "COMPLIANT"))
  return {
    trail: {
      status,
      is_compliant: status === "COMPLIANT",
      attestations_statuses: trail.trailLevel,
      artifacts_statuses: Object.fromEntries(slots)
    },
    records
  }
}

/** The status of one record, also when its slot has a newer one; none when there is no such record. */
export const evaluateRecord = (
  evidence: TrailEvidence,
  artifactId: string
): Option.Option<RecordStatus> =>
  Option.map(
    Option.fromNullable(evidence.artifacts.find(({ id }) => id === artifactId)),
    recordStatuses(prepare(evidence))
  )
