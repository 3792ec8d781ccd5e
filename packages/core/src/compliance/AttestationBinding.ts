/**
 * Which attestations of a trail count for which of its artifact records, in any order of arrival.
 *
 * An attestation of a fingerprint counts for every record of it; one of a slot counts for the records of that
 * slot with the same commit. Whether an attestation is expected is decided elsewhere.
 */
import type { AttestationScope } from "../attestation/AttestationScope.js"

/** The fields of an artifact record that binding depends on. */
export interface ArtifactRecord {
  /** The position in the org's journal: the record with the higher number is the later. */
  readonly sequence: number
  readonly id: string
  readonly slot: string
  readonly fingerprint: string
  readonly commit: string | null
}

/** The fields of an attestation that compliance depends on. */
export interface AttestationRecord extends AttestationScope {
  /** The position in the org's journal; the latest has the highest number. */
  readonly sequence: number
  readonly id: string
  readonly name: string
  /** The reported type; of an override, the type of the overridden attestation. */
  readonly type: string
  readonly isCompliant: boolean
  readonly isOverride: boolean
}

type Buckets<A> = ReadonlyMap<string, ReadonlyArray<A>>

/** The attestations of one trail, indexed by what they count for. */
export interface Binding<A> {
  /** About the trail itself, oldest first. */
  readonly trailLevel: ReadonlyArray<A>
  /** Bound to a record, oldest first. */
  readonly bound: (record: ArtifactRecord) => ReadonlyArray<A>
  /**
   * For slots without a record, of any commit, oldest first. They count provisionally, because the order of reports
   * should not matter.
   */
  readonly waiting: Buckets<A>
}

const bySequence = (left: { readonly sequence: number }, right: { readonly sequence: number }) =>
  left.sequence - right.sequence

/** A key of two parts. INVARIANT: fingerprints and commits contain no space. */
const key = (content: string, slot: string): string => `${content} ${slot}`

const push = <A>(buckets: Map<string, Array<A>>, name: string, attestation: A): void => {
  const bucket = buckets.get(name)
  if (bucket === undefined) buckets.set(name, [attestation])
  else bucket.push(attestation)
}

/** Indexes attestations. `keep` filters each group that counts together, oldest first, and is called once for it. */
export const make = <A extends AttestationRecord>(
  attestations: ReadonlyArray<A>,
  keep: (group: ReadonlyArray<A>) => ReadonlyArray<A> = (group) => group
): Binding<A> => {
  const trailLevel: Array<A> = []
  const byFingerprint = new Map<string, Array<A>>()
  const byFingerprintInSlot = new Map<string, Array<A>>()
  const byCommitInSlot = new Map<string, Array<A>>()
  const bySlot = new Map<string, Array<A>>()
  for (const attestation of [...attestations].sort(bySequence)) {
    const { fingerprint, commit } = attestation
    const slots = new Set(attestation.slots)
    if (fingerprint === null && slots.size === 0) trailLevel.push(attestation)
    if (fingerprint !== null && slots.size === 0) push(byFingerprint, fingerprint, attestation)
    for (const slot of slots) {
      if (fingerprint !== null) push(byFingerprintInSlot, key(fingerprint, slot), attestation)
      else {
        push(bySlot, slot, attestation)
        if (commit !== null) push(byCommitInSlot, key(commit, slot), attestation)
      }
    }
  }
  const kept = (buckets: Buckets<A>): Buckets<A> =>
    buckets.size === 0 ? buckets : new Map([...buckets].map(([name, group]) => [name, keep(group)]))
  const groups = {
    fingerprint: kept(byFingerprint),
    fingerprintInSlot: kept(byFingerprintInSlot),
    commitInSlot: kept(byCommitInSlot)
  }
  return {
    trailLevel: keep(trailLevel),
    bound: ({ fingerprint, slot, commit }) =>
      [
        ...(groups.fingerprint.get(fingerprint) ?? []),
        ...(groups.fingerprintInSlot.get(key(fingerprint, slot)) ?? []),
        ...(commit === null ? [] : (groups.commitInSlot.get(key(commit, slot)) ?? []))
      ].sort(bySequence),
    waiting: kept(bySlot)
  }
}
