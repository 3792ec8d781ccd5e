/**
 * Templates that `parse` accepts, from few names, so that trails often match them.
 *
 * `flowTemplate` is for trails; `printable` has names that look like numbers, booleans and punctuation.
 */
import type { AttestationTypePattern } from "@attestry/core/AttestationTypePattern"
import type {
  ExpectedArtifact,
  ExpectedAttestation,
  FlowTemplate
} from "@attestry/core/FlowTemplate"
import * as FastCheck from "effect/FastCheck"

/** Names of attestations in templates and trails. */
export const ATTESTATION_NAMES = ["unit", "scan", "lint"] as const
/** Names of slots in templates and trails. */
export const SLOT_NAMES = ["backend", "frontend", "__proto__"] as const
/** Types of attestations in trails; templates may also expect any. */
export const REPORTED_TYPES = ["generic", "junit", "decision", "sbom", "custom:coverage"] as const

const typePattern: FastCheck.Arbitrary<AttestationTypePattern> = FastCheck.constantFrom(
  "*",
  ...REPORTED_TYPES
)

const templateOf = (names: {
  readonly attestation: FastCheck.Arbitrary<string>
  readonly slot: FastCheck.Arbitrary<string>
  readonly type: FastCheck.Arbitrary<AttestationTypePattern>
}): FastCheck.Arbitrary<FlowTemplate> => {
  const attestations: FastCheck.Arbitrary<ReadonlyArray<ExpectedAttestation>> =
    FastCheck.uniqueArray(FastCheck.record({ name: names.attestation, type: names.type }), {
      selector: ({ name }) => name,
      maxLength: 3
    })
  const artifacts: FastCheck.Arbitrary<ReadonlyArray<ExpectedArtifact>> = FastCheck.uniqueArray(
    FastCheck.record({ name: names.slot, attestations }),
    { selector: ({ name }) => name, maxLength: 3 }
  )
  return FastCheck.record({
    version: FastCheck.constant(1 as const),
    trail: FastCheck.record({ attestations, artifacts })
  })
}

/** Templates with the names and types of trails. */
export const flowTemplate: FastCheck.Arbitrary<FlowTemplate> = templateOf({
  attestation: FastCheck.constantFrom(...ATTESTATION_NAMES),
  slot: FastCheck.constantFrom(...SLOT_NAMES),
  type: typePattern
})

const awkward = ["true", "null", "NO", "123", "0x1F", "1e3", "-", "--", "_", "1_000", "__proto__"]

/** Templates with every kind of name that the rules allow. */
export const printable: FastCheck.Arbitrary<FlowTemplate> = templateOf({
  attestation: FastCheck.oneof(
    FastCheck.constantFrom(...awkward, ",", "a,b"),
    FastCheck.stringMatching(/^[a-zA-Z0-9\-_,]{1,8}$/)
  ),
  slot: FastCheck.oneof(
    FastCheck.constantFrom(...awkward),
    FastCheck.stringMatching(/^[a-zA-Z0-9\-_]{1,8}$/)
  ),
  type: FastCheck.oneof(
    FastCheck.constantFrom<AttestationTypePattern>(
      "*",
      "generic",
      "junit",
      "snyk",
      "pull_request",
      "jira",
      "sonar",
      "decision",
      "sbom",
      "agent_session"
    ),
    FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]{0,8}$/).map(
      (name) => `custom:${name}` as const
    )
  )
})
