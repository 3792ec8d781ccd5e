/**
 * Which attestations satisfy a rule. SPEC §6.5
 *
 * Pure functions over lists of attestations, without conditions, exceptions and flows.
 */
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import type { AttestationRule } from "./PolicyDocument.js"
import type { AttestationFact } from "./PolicyFacts.js"

/** The evidence of one flow for a rule. */
export type Evidence = "missing" | "compliant" | "non-compliant"

/** Whether one attestation is later than another; for equal sequences the non-compliant one counts as later. */
const isLater = (one: AttestationFact, other: AttestationFact): boolean =>
  one.sequence !== other.sequence ? one.sequence > other.sequence : !one.is_compliant

/** An attestation of the artifact takes precedence over one of its trail. The closer one counts. */
const replaces = (one: AttestationFact, other: AttestationFact): boolean =>
  one.level !== other.level ? one.level === "artifact" : isLater(one, other)

const ofName = (
  attestations: ReadonlyArray<AttestationFact>,
  { name, type }: AttestationRule
): Evidence => {
  let best: AttestationFact | undefined
  for (const attestation of attestations) {
    if (attestation.name !== name || !AttestationTypePattern.matches(type, attestation.type))
      continue
    if (best === undefined || replaces(attestation, best)) best = attestation
  }
  return best === undefined ? "missing" : best.is_compliant ? "compliant" : "non-compliant"
}

/**
 * With any name, one compliant attestation among the latest of each name is enough. A wildcard asks for some
 * attestation.
 */
const ofAnyName = (
  attestations: ReadonlyArray<AttestationFact>,
  { type }: AttestationRule
): Evidence => {
  let isThere = false
  let isCompliant = false
  let isMixed = false
  for (const attestation of attestations) {
    if (!AttestationTypePattern.matches(type, attestation.type)) continue
    if (isThere && attestation.is_compliant !== isCompliant) isMixed = true
    isThere = true
    isCompliant = attestation.is_compliant
  }
  if (!isThere) return "missing"
  return (isMixed ? someLatest(attestations, type) : isCompliant) ? "compliant" : "non-compliant"
}

/** Whether the latest attestation of some name that matches the type is compliant. */
const someLatest = (attestations: ReadonlyArray<AttestationFact>, type: string): boolean => {
  const latest = new Map<string, AttestationFact>()
  for (const attestation of attestations) {
    const best = latest.get(attestation.name)
    if (
      AttestationTypePattern.matches(type, attestation.type) &&
      (best === undefined || replaces(attestation, best))
    )
      latest.set(attestation.name, attestation)
  }
  return [...latest.values()].some(({ is_compliant }) => is_compliant)
}

/** The evidence of one flow for a rule without a control. */
export const ofFlow = (
  attestations: ReadonlyArray<AttestationFact>,
  rule: AttestationRule
): Evidence => (rule.name === "*" ? ofAnyName : ofName)(attestations, rule)

/**
 * The later of a decision and those for a control among the attestations of a flow. A decision may be made in any flow,
 * and the newest counts.
 */
export const latestDecision = (
  attestations: ReadonlyArray<AttestationFact>,
  { forControl, name }: AttestationRule,
  before: AttestationFact | undefined
): AttestationFact | undefined => {
  let best = before
  for (const attestation of attestations) {
    if (attestation.control !== forControl) continue
    if (!AttestationTypePattern.matches("decision", attestation.type)) continue
    if (name !== "*" && name !== attestation.name) continue
    if (best === undefined || isLater(attestation, best)) best = attestation
  }
  return best
}
