/**
 * Default outcomes of evidence as a table, from the words of the rule: each finding and each test stands for itself.
 */
import type { EvidenceFacts } from "@attestry/core/EvidenceFacts"
import type { OutcomeThresholds } from "@attestry/core/EvidenceOutcome"
import type { VerificationState } from "@attestry/core/EvidenceVerification"

const RANKS = new Map([
  ["negligible", 0],
  ["low", 1],
  ["medium", 2],
  ["high", 3],
  ["critical", 4],
  ["unknown", 5]
])

const THRESHOLDS = new Map([
  ["any", 0],
  ["low", 1],
  ["medium", 2],
  ["high", 3],
  ["critical", 4]
])

/** One entry for each finding that nothing suppresses. */
const ranksOf = (counts: { readonly [severity: string]: number }): ReadonlyArray<number> =>
  [...RANKS].flatMap(([severity, rank]) =>
    Array.from({ length: counts[severity] ?? 0 }, () => rank)
  )

const isContentGood = (facts: EvidenceFacts, trust: OutcomeThresholds): boolean => {
  if ("counts" in facts)
    return ranksOf(facts.counts).every((rank) => rank < (THRESHOLDS.get(trust.failOn) ?? 0))
  if (facts.kind === "tests") return facts.tests.total > 0 && facts.tests.failed === 0
  if (facts.kind === "junit") return facts.tests.failed === 0
  if (facts.kind === "sbom") return facts.components.total > 0
  if (facts.kind === "verification") return facts.result === "PASSED"
  if (facts.kind !== "coverage") return true
  if (trust.minLines !== null)
    return facts.lines !== null && facts.lines.total > 0 && !(facts.lines.percent < trust.minLines)
  return (facts.lines?.total ?? 0) + (facts.branches?.total ?? 0) > 0
}

/** Whether evidence in a state of verification is compliant. */
export const isCompliant = (
  facts: EvidenceFacts,
  state: VerificationState,
  trust: OutcomeThresholds
): boolean => {
  const always = ["provenance", "verification", "signature", "statement"]
  const isVerifiedOnly = [...always, ...trust.mustBeVerified].includes(facts.kind)
  if (isVerifiedOnly && state !== "verified") return false
  return state !== "failed" && isContentGood(facts, trust)
}
