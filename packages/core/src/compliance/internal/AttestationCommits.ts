/**
 * Which commits an attestation belongs to: its own, or those of the artifacts that it counts for, or that of its
 * trail. Every report with a commit links its trail, so no index of its own is needed.
 */
import type { AttestationFact } from "../../attestation/Attestation.js"
import type { CommitSha } from "../../shared/Identifier.js"
import type { ArtifactRecord } from "../AttestationBinding.js"

/** What an attestation's trail knows of commits. */
export interface TrailCommits {
  /** The artifact records of the trail. */
  readonly records: ReadonlyArray<
    Pick<ArtifactRecord, "fingerprint" | "slot"> & { readonly commit: CommitSha | null }
  >
  /** The commit of the trail itself; null when it reports none. */
  readonly commit: CommitSha | null
}

/** The fields of an attestation that its commits depend on. */
export type Attested = Pick<AttestationFact, "fingerprint" | "slots" | "commit">

/** Whether the commits of an attestation depend on the artifacts of its trail. */
export const needsRecords = ({ commit, fingerprint }: Attested): boolean =>
  commit === null && fingerprint !== null

/** The distinct commits of an attestation; none where neither it nor its artifacts nor its trail have one. */
export const of = (
  { commit, fingerprint, slots }: Attested,
  trail: TrailCommits
): ReadonlySet<CommitSha> => {
  if (commit !== null) return new Set([commit])
  const ofArtifacts = new Set(
    trail.records.flatMap((record) =>
      record.fingerprint === fingerprint &&
      (slots.length === 0 || slots.some((slot) => slot === record.slot)) &&
      record.commit !== null
        ? [record.commit]
        : []
    )
  )
  if (ofArtifacts.size > 0) return ofArtifacts
  return new Set(trail.commit === null ? [] : [trail.commit])
}
