/**
 * Events of one trail, from few names, commits, slots and fingerprints, so that attestations often match
 * artifacts, each other and the template. Lists may be empty.
 */
import type { ArtifactRecord, AttestationRecord } from "@attestry/core/AttestationBinding"
import type { TrailEvidence } from "@attestry/core/TrailCompliance"
import * as FastCheck from "effect/FastCheck"
import { ATTESTATION_NAMES, flowTemplate, REPORTED_TYPES, SLOT_NAMES } from "./FlowTemplate.js"

/** The fingerprints of trails. */
export const FINGERPRINTS = ["f".repeat(64), "e".repeat(64), "d".repeat(64)] as const
/** The commits of trails. */
export const COMMITS = ["1".repeat(40), "2".repeat(40)] as const

/** A report, before it has a sequence number. */
export type TrailEvent =
  | ({ readonly _tag: "Artifact" } & Omit<ArtifactRecord, "sequence" | "id">)
  | ({ readonly _tag: "Attestation" } & Omit<AttestationRecord, "sequence" | "id">)

const slot = FastCheck.constantFrom(...SLOT_NAMES)
const fingerprint = FastCheck.constantFrom(...FINGERPRINTS)
const commit = FastCheck.constantFrom(...COMMITS)

const artifact = FastCheck.record({
  _tag: FastCheck.constant("Artifact" as const),
  slot,
  fingerprint,
  commit: FastCheck.option(commit)
})

const slots = FastCheck.array(slot, { minLength: 1, maxLength: 2 })

/** Every scope of the binding table: the trail, a fingerprint, slots by commit, or both. */
export const scope: FastCheck.Arbitrary<
  Pick<AttestationRecord, "fingerprint" | "slots" | "commit">
> = FastCheck.oneof(
  FastCheck.record({
    fingerprint: FastCheck.constant(null),
    slots: FastCheck.constant([]),
    commit: FastCheck.option(commit)
  }),
  FastCheck.record({
    fingerprint,
    slots: FastCheck.constant([]),
    commit: FastCheck.option(commit)
  }),
  FastCheck.record({ fingerprint: FastCheck.constant(null), slots, commit }),
  FastCheck.record({ fingerprint, slots, commit: FastCheck.option(commit) })
)

const kind = FastCheck.oneof(
  {
    weight: 3,
    arbitrary: FastCheck.record({
      type: FastCheck.constantFrom(...REPORTED_TYPES),
      isOverride: FastCheck.constant(false)
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      type: FastCheck.constantFrom(...REPORTED_TYPES, "custom"),
      isOverride: FastCheck.constant(true)
    })
  }
)

/** One attestation or override of any scope. */
export const attestation = FastCheck.tuple(
  scope,
  kind,
  FastCheck.record({
    name: FastCheck.constantFrom(...ATTESTATION_NAMES, "extra"),
    isCompliant: FastCheck.boolean()
  })
).map(([where, what, said]) => ({ _tag: "Attestation" as const, ...where, ...what, ...said }))

/** The events of a trail, oldest first. */
export const events: FastCheck.Arbitrary<ReadonlyArray<TrailEvent>> = FastCheck.array(
  FastCheck.oneof({ weight: 1, arbitrary: artifact }, { weight: 3, arbitrary: attestation }),
  { maxLength: 14 }
)

/** Many reports under one name about one slot, so that overrides follow each other closely. */
export const crowdedEvents: FastCheck.Arbitrary<ReadonlyArray<TrailEvent>> = FastCheck.array(
  FastCheck.record({
    _tag: FastCheck.constant("Attestation" as const),
    name: FastCheck.constant(ATTESTATION_NAMES[0]),
    type: FastCheck.constantFrom("generic", "junit"),
    isOverride: FastCheck.boolean(),
    isCompliant: FastCheck.boolean(),
    fingerprint: FastCheck.constantFrom(FINGERPRINTS[0], null),
    slots: FastCheck.constant([SLOT_NAMES[0]]),
    commit: FastCheck.constant(COMMITS[0])
  }),
  { minLength: 4, maxLength: 30 }
).map((reports) => [
  ...reports,
  { _tag: "Artifact", slot: SLOT_NAMES[0], fingerprint: FINGERPRINTS[0], commit: COMMITS[0] }
])

/** Events as records: each gets its sequence number and an id with it. */
export const record = (
  happened: ReadonlyArray<TrailEvent>
): Pick<TrailEvidence, "artifacts" | "attestations"> => {
  const artifacts: Array<ArtifactRecord> = []
  const attestations: Array<AttestationRecord> = []
  happened.forEach((event, index) => {
    const sequence = index + 1
    if (event._tag === "Artifact") {
      const { _tag, ...reported } = event
      artifacts.push({ ...reported, sequence, id: `artifact-${sequence}` })
    } else {
      const { _tag, ...reported } = event
      attestations.push({ ...reported, sequence, id: `attestation-${sequence}` })
    }
  })
  return { artifacts, attestations }
}

/** A template and the events of a trail of its flow. */
export const trailHistory = FastCheck.record({ template: flowTemplate, events })
