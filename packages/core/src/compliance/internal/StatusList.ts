/**
 * The entries of one scope, a trail or one of its records: what is expected, and what is reported besides.
 *
 * Groups are given oldest first. Binding has decided which attestations belong to a group.
 */
import * as AttestationTypePattern from "../../flow/AttestationTypePattern.js"
import type { ExpectedAttestation } from "../../flow/FlowTemplate.js"
import type { AttestationRecord } from "../AttestationBinding.js"
import type { AttestationStatus } from "../ComplianceStatus.js"

type Group = ReadonlyArray<AttestationRecord>

const groupBy = <A>(items: Iterable<A>, keyOf: (item: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/**
 * The attestations that a status list depends on: of each name and type the first, which gives the order, the
 * latest, which decides, and the one before it, which an override replaces.
 */
export const keepDeciding = (group: Group): Group =>
  [...groupBy(group, ({ name, type }) => `${type} ${name}`).values()]
    .flatMap((same) => (same.length <= 3 ? same : [...same.slice(0, 1), ...same.slice(-2)]))
    .sort((left, right) => left.sequence - right.sequence)

const missing = ({ name, type }: ExpectedAttestation): AttestationStatus => ({
  attestation_name: name,
  attestation_type: AttestationTypePattern.toWire(type),
  attestation_id: null,
  overridden_attestation_id: null,
  status: "MISSING",
  is_compliant: null,
  unexpected: false
})

/** The latest attestation that passes, given oldest first. */
const latest = (group: Group, passes: (attestation: AttestationRecord) => boolean) => {
  for (let index = group.length - 1; index >= 0; index--) {
    const attestation = group[index]
    if (attestation !== undefined && passes(attestation)) return attestation
  }
  return undefined
}

const complete = (
  attestation: AttestationRecord,
  sameName: Group,
  unexpected: boolean
): AttestationStatus => {
  const { sequence, type, isOverride } = attestation
  const replaced = isOverride
    ? latest(sameName, (other) => other.sequence < sequence && other.type === type)
    : undefined
  return {
    attestation_name: attestation.name,
    attestation_type: AttestationTypePattern.toWire(type),
    attestation_id: attestation.id,
    overridden_attestation_id: replaced?.id ?? null,
    status: "COMPLETE",
    is_compliant: attestation.isCompliant,
    unexpected
  }
}

/** The entries of one scope: the expected ones in template order, then the rest in order of appearance. */
export const statusList = (
  expected: ReadonlyArray<ExpectedAttestation>,
  pool: Group
): ReadonlyArray<AttestationStatus> => {
  const reported = groupBy(pool, ({ name }) => name)
  const wanted = groupBy(expected, ({ name }) => name)
  const entries = expected.map((pair) => {
    const sameName = reported.get(pair.name) ?? []
    const found = latest(sameName, ({ type }) => AttestationTypePattern.matches(pair.type, type))
    return found === undefined ? missing(pair) : complete(found, sameName, false)
  })
  // An attestation of the wrong type is unexpected, also under an expected name.
  const unexpected = new Map<string, AttestationRecord>()
  for (const attestation of pool) {
    const fits = wanted
      .get(attestation.name)
      ?.some((pair) => AttestationTypePattern.matches(pair.type, attestation.type))
    if (fits !== true) unexpected.set(attestation.name, attestation)
  }
  return [
    ...entries,
    ...[...unexpected.values()].map((attestation) =>
      complete(attestation, reported.get(attestation.name) ?? [], true)
    )
  ]
}
