/**
 * Whether an attestation made from evidence is compliant by default, and why it is not.
 *
 * Evidence whose verification failed, or that must be verified and is not, is never compliant, whatever it says. A type
 * of the org's own decides by its schema and rules instead.
 */
import type { TrustPolicyDocument } from "../trust-policy/TrustPolicyDocument.js"
import {
  type EvidenceFacts,
  type FactsOf,
  type FindingCounts,
  SEVERITIES,
  type Severity
} from "./EvidenceFacts.js"
import * as EvidenceKind from "./EvidenceKind.js"
import type { EvidenceVerification } from "./EvidenceVerification.js"

/** The thresholds of the trust policy that decide default outcomes. */
export type OutcomeThresholds = Pick<TrustPolicyDocument, "failOn" | "minLines" | "mustBeVerified">

/** The severities that reach a threshold; an unknown severity reaches every one. */
const reaching = (failOn: OutcomeThresholds["failOn"]): ReadonlyArray<Severity> =>
  failOn === "any"
    ? [...SEVERITIES, "unknown"]
    : [...SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1), "unknown"]

const findingsProblem = (counts: FindingCounts, { failOn }: OutcomeThresholds): string | null => {
  const reached = reaching(failOn).filter((severity) => counts[severity] !== 0)
  if (reached.length > 0) {
    const listed = reached.map((severity) => `${counts[severity]} ${severity}`).join(", ")
    return `it has findings that reach the threshold \`${failOn}\`: ${listed}`
  }
  return failOn === "any" && counts.total !== 0
    ? `it has findings that reach the threshold \`any\`: ${counts.total}`
    : null
}

const failedProblem = (failed: number): string | null => {
  if (failed === 0) return null
  return failed === 1 ? "1 test failed" : `${failed} tests failed`
}

const testsProblem = ({ tests }: FactsOf<"tests">): string | null =>
  tests.total >= 1 ? failedProblem(tests.failed) : "it has no tests"

const coverageProblem = (
  { lines, branches }: FactsOf<"coverage">,
  { minLines }: OutcomeThresholds
): string | null => {
  const isMeasured = [lines, branches].some((each) => each !== null && each.total > 0)
  if (minLines === null) return isMeasured ? null : "it measures no lines and no branches"
  if (lines === null || lines.total < 1) return "it measures no lines"
  return lines.percent >= minLines
    ? null
    : `its line coverage is ${lines.percent}%, below ${minLines}%`
}

/** Why the content is not compliant, verification aside; null if it is. */
const contentProblem = (facts: EvidenceFacts, trust: OutcomeThresholds): string | null => {
  switch (facts.kind) {
    case "verification":
      return facts.result === "PASSED" ? null : "its result is not `PASSED`"
    case "sbom":
      return facts.components.total >= 1 ? null : "it has no components"
    case "scan":
    case "analysis":
    case "snyk":
      return findingsProblem(facts.counts, trust)
    case "tests":
      return testsProblem(facts)
    // WHY: the type `junit` asks for a suite, even one without tests, and its reader refuses files without suites.
    case "junit":
      return failedProblem(facts.tests.failed)
    case "coverage":
      return coverageProblem(facts, trust)
    case "provenance":
    case "vex":
    case "signature":
    case "statement":
      return null
  }
}

/** Why the state of verification excludes compliance; null if it does not. */
const verificationProblem = (
  kind: EvidenceKind.EvidenceKind,
  { state, reason }: EvidenceVerification,
  { mustBeVerified }: Pick<OutcomeThresholds, "mustBeVerified">
): string | null => {
  if (state === "verified") return null
  const found = reason === null ? state : `${state} (${reason})`
  if (state === "failed") return `its verification is ${found}`
  if (EvidenceKind.needsVerification(kind))
    return `\`${kind}\` must be verified, and this is ${found}`
  return mustBeVerified.includes(kind)
    ? `the trust policy demands that \`${kind}\` is verified, and this is ${found}`
    : null
}

/** Whether the state of verification allows that evidence of a kind is compliant. */
export const isVerifiedEnough = (
  kind: EvidenceKind.EvidenceKind,
  verification: EvidenceVerification,
  trust: Pick<OutcomeThresholds, "mustBeVerified">
): boolean => verificationProblem(kind, verification, trust) === null

/** Why evidence is not compliant, in one sentence for people; null if it is compliant. */
export const explain = (
  facts: EvidenceFacts,
  verification: EvidenceVerification,
  trust: OutcomeThresholds
): string | null =>
  verificationProblem(facts.kind, verification, trust) ?? contentProblem(facts, trust)

/** Whether evidence is compliant. */
export const isCompliant = (
  facts: EvidenceFacts,
  verification: EvidenceVerification,
  trust: OutcomeThresholds
): boolean => explain(facts, verification, trust) === null
