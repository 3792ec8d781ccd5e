/**
 * A slow, plain model of the status of a trail: each part is computed from the whole evidence.
 *
 * Written from the specification; shares only the shapes with the module under test.
 */
import type { ArtifactRecord, AttestationRecord } from "@attestry/core/AttestationBinding"
import type {
  ArtifactStatus,
  AttestationStatus,
  FlowReason,
  RecordStatus,
  Status
} from "@attestry/core/ComplianceStatus"
import type { TrailEvaluation, TrailEvidence } from "@attestry/core/TrailCompliance"

type Pool = ReadonlyArray<AttestationRecord>
type Pair = { readonly name: string; readonly type: string }

const newest = <A extends { readonly sequence: number }>(items: ReadonlyArray<A>): A | undefined =>
  items.find((item) => items.every((other) => other.sequence <= item.sequence))

const isTrailLevel = (attestation: AttestationRecord): boolean =>
  attestation.fingerprint === null && attestation.slots.length === 0

const isBound = (attestation: AttestationRecord, record: ArtifactRecord): boolean => {
  const namesSlot = attestation.slots.includes(record.slot)
  if (attestation.fingerprint !== null)
    return (
      attestation.fingerprint === record.fingerprint &&
      (attestation.slots.length === 0 || namesSlot)
    )
  return namesSlot && record.commit !== null && attestation.commit === record.commit
}

const isWaiting = (attestation: AttestationRecord, slot: string): boolean =>
  attestation.fingerprint === null && attestation.slots.includes(slot)

const fits = (pair: Pair, attestation: AttestationRecord): boolean => {
  if (pair.name !== attestation.name) return false
  if (pair.type === "*") return true
  if (attestation.type === "custom") return pair.type.startsWith("custom:")
  return pair.type === attestation.type
}

const shownType = (type: string): string =>
  type === "decision" || type === "sbom" || type === "agent_session" ? `system:${type}` : type

const shown = (
  attestation: AttestationRecord,
  pool: Pool,
  unexpected: boolean
): AttestationStatus => {
  const replaced = newest(
    pool.filter(
      (other) =>
        attestation.isOverride &&
        other.sequence < attestation.sequence &&
        other.name === attestation.name &&
        other.type === attestation.type
    )
  )
  return {
    attestation_name: attestation.name,
    attestation_type: shownType(attestation.type),
    attestation_id: attestation.id,
    overridden_attestation_id: replaced === undefined ? null : replaced.id,
    status: "COMPLETE",
    is_compliant: attestation.isCompliant,
    unexpected
  }
}

const entries = (expected: ReadonlyArray<Pair>, pool: Pool): ReadonlyArray<AttestationStatus> => {
  const list: Array<AttestationStatus> = []
  for (const pair of expected) {
    const found = newest(pool.filter((attestation) => fits(pair, attestation)))
    list.push(
      found !== undefined
        ? shown(found, pool, false)
        : {
            attestation_name: pair.name,
            attestation_type: shownType(pair.type),
            attestation_id: null,
            overridden_attestation_id: null,
            status: "MISSING",
            is_compliant: null,
            unexpected: false
          }
    )
  }
  const rest = pool.filter((attestation) => !expected.some((pair) => fits(pair, attestation)))
  const firsts = rest.filter(
    (attestation) =>
      !rest.some(
        (other) => other.name === attestation.name && other.sequence < attestation.sequence
      )
  )
  for (const first of [...firsts].sort((left, right) => left.sequence - right.sequence)) {
    const last = newest(rest.filter(({ name }) => name === first.name))
    if (last !== undefined) list.push(shown(last, pool, true))
  }
  return list
}

/** The table of 2.5.2. */
export const rollUp = (list: ReadonlyArray<AttestationStatus>): Status => {
  if (list.some((entry) => entry.status === "COMPLETE" && entry.is_compliant === false))
    return "NON-COMPLIANT"
  return list.some((entry) => entry.status === "MISSING") ? "INCOMPLETE" : "COMPLIANT"
}

const reason =
  (level: "artifact" | "trail") =>
  (entry: AttestationStatus): FlowReason => ({
    type: entry.status === "MISSING" ? "missing_attestation" : "non_compliant_attestation",
    level,
    attestation_name: entry.attestation_name,
    attestation_type: entry.attestation_type
  })

const isAgainst = (entry: AttestationStatus): boolean =>
  entry.status === "MISSING" || entry.is_compliant === false

/** The status of a trail, its slots and each of its records. */
export const evaluate = ({ template, artifacts, attestations }: TrailEvidence): TrailEvaluation => {
  const expectedIn = (slot: string): ReadonlyArray<Pair> =>
    template.trail.artifacts.filter(({ name }) => name === slot).flatMap((one) => one.attestations)
  const isExpected = (slot: string): boolean =>
    template.trail.artifacts.some(({ name }) => name === slot)
  const trailEntries = entries(template.trail.attestations, attestations.filter(isTrailLevel))

  const ofRecord = (record: ArtifactRecord): RecordStatus => {
    const own = entries(
      expectedIn(record.slot),
      attestations.filter((attestation) => isBound(attestation, record))
    )
    const status = rollUp([...own, ...trailEntries])
    return {
      artifact_id: record.id,
      artifact_fingerprint: record.fingerprint,
      template_reference_name: record.slot,
      status,
      is_compliant: status === "COMPLIANT",
      attestations_statuses: own,
      flow_reasons_for_non_compliance: [
        ...own.filter(isAgainst).map(reason("artifact")),
        ...trailEntries.filter(isAgainst).map(reason("trail"))
      ]
    }
  }

  const ofSlot = (slot: string): ArtifactStatus => {
    const record = newest(artifacts.filter((artifact) => artifact.slot === slot))
    const unexpected = !isExpected(slot)
    if (record !== undefined) {
      const { status, is_compliant, attestations_statuses } = ofRecord(record)
      return {
        artifact_fingerprint: record.fingerprint,
        artifact_id: record.id,
        status,
        is_compliant,
        attestations_statuses,
        unexpected
      }
    }
    return {
      artifact_fingerprint: null,
      artifact_id: null,
      status: "MISSING",
      is_compliant: null,
      attestations_statuses: entries(
        expectedIn(slot),
        attestations.filter((attestation) => isWaiting(attestation, slot))
      ),
      unexpected
    }
  }

  const mentions = [
    ...artifacts.map(({ slot, sequence }) => ({ slot, sequence })),
    ...attestations
      .filter(({ fingerprint }) => fingerprint === null)
      .flatMap(({ slots, sequence }) => slots.map((slot) => ({ slot, sequence })))
  ].sort((left, right) => left.sequence - right.sequence)
  const names = [
    ...template.trail.artifacts.map(({ name }) => name),
    ...mentions.map(({ slot }) => slot)
  ].filter((name, index, all) => all.indexOf(name) === index)
  const slots = names.map((name) => [name, ofSlot(name)] as const)

  const rolledUp = rollUp([
    ...trailEntries,
    ...slots.flatMap(([, slot]) => slot.attestations_statuses)
  ])
  const lacksSlot = slots.some(
    ([name, slot]) => isExpected(name) && slot.artifact_fingerprint === null
  )
  const status = rolledUp === "COMPLIANT" && lacksSlot ? "INCOMPLETE" : rolledUp
  return {
    trail: {
      status,
      is_compliant: status === "COMPLIANT",
      attestations_statuses: trailEntries,
      artifacts_statuses: Object.fromEntries(slots)
    },
    records: [...artifacts].sort((left, right) => left.sequence - right.sequence).map(ofRecord)
  }
}
