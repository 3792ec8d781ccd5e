/** Attestations that count, unless a test overrides their fields. */
import type { AttestationFact } from "../../src/policy/PolicyFacts.js"

/** A passing result of tests about an artifact. */
export const attestation = (over: Partial<AttestationFact> = {}): AttestationFact => ({
  sequence: 1,
  name: "unit",
  type: "junit",
  is_compliant: true,
  level: "artifact",
  control: null,
  ...over
})
