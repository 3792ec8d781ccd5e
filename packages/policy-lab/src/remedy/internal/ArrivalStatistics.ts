/** When attestations usually arrive: by the artifacts of the same flow and slot before this one. */
import type { Artifact } from "@attestry/core/Artifact"
import type { Attestation } from "@attestry/core/Attestation"
import { toSeconds } from "@attestry/core/Timestamp"

/** With fewer artifacts than this nothing is usual. */
export const SAMPLES_MIN = 3
/** The share of artifacts, out of ten, that have their attestation by the usual time. */
const OF_TEN = 9

type Reported = Pick<Artifact, "created_at" | "fingerprint" | "trail_id">
type Arrived = Pick<Attestation, "created_at" | "fingerprint" | "trail_id"> & {
  readonly name: string
}

/** How long after an artifact its first attestation of the name arrived, in seconds; none for one without. */
const delayOf = (
  { created_at, fingerprint, trail_id }: Reported,
  attestations: ReadonlyArray<Arrived>
): ReadonlyArray<number> => {
  const times = attestations
    .filter((one) => one.trail_id === trail_id && (one.fingerprint ?? fingerprint) === fingerprint)
    .map((one) => toSeconds(one.created_at) - toSeconds(created_at))
  return times.length === 0 ? [] : [Math.max(0, Math.min(...times))]
}

/**
 * The whole seconds after which nine of ten artifacts had an attestation of the name; undefined where fewer than three
 * ever had one.
 */
export const usuallyAfter = (
  name: string,
  artifacts: ReadonlyArray<Reported>,
  attestations: ReadonlyArray<Arrived>
): number | undefined => {
  const own = attestations.filter((one) => one.name === name)
  const delays = artifacts
    .flatMap((artifact) => delayOf(artifact, own))
    .sort((left, right) => left - right)
  const at = Math.ceil((delays.length * OF_TEN) / 10) - 1
  const found = delays.length < SAMPLES_MIN ? undefined : delays[at]
  return found === undefined ? undefined : Math.ceil(found)
}
