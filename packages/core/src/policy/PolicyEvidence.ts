/**
 * Which attestations satisfy a rule. SPEC §6.5
 *
 * Pure functions over lists of attestations, without conditions, exceptions and flows.
 */
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import type { JsonObject } from "../shared/Evidence.js"
import * as Timestamp from "../shared/Timestamp.js"
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

const latestNamed = (
  attestations: ReadonlyArray<AttestationFact>,
  { name, type }: AttestationRule
): AttestationFact | undefined => {
  let best: AttestationFact | undefined
  for (const attestation of attestations) {
    if (attestation.name !== name || !AttestationTypePattern.matches(type, attestation.type))
      continue
    if (best === undefined || replaces(attestation, best)) best = attestation
  }
  return best
}

const ofName = (attestations: ReadonlyArray<AttestationFact>, rule: AttestationRule): Evidence => {
  const best = latestNamed(attestations, rule)
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
const someLatest = (attestations: ReadonlyArray<AttestationFact>, type: string): boolean =>
  latestOfNames(attestations, type).some(({ is_compliant }) => is_compliant)

/** The latest attestation of each name that matches the type. */
const latestOfNames = (
  attestations: ReadonlyArray<AttestationFact>,
  type: string
): ReadonlyArray<AttestationFact> => {
  const latest = new Map<string, AttestationFact>()
  for (const attestation of attestations) {
    const best = latest.get(attestation.name)
    if (
      AttestationTypePattern.matches(type, attestation.type) &&
      (best === undefined || replaces(attestation, best))
    )
      latest.set(attestation.name, attestation)
  }
  return [...latest.values()]
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

/** The instant at which something of an age limit ends to count; evidence without an instant never counts. */
export const endOf = (reportedAt: number | undefined, maxAge: number): Timestamp.Timestamp =>
  // WHY not by `fromSeconds`: every rule with a `max_age` does this in every flow, and its validation costs most of it.
  reportedAt === undefined
    ? NEVER
    : Timestamp.fromMicros(
        Math.min(Timestamp.MICROSECONDS_MAX, Math.round(reportedAt * MICROS) + maxAge * MICROS)
      )

const MICROS = 1_000_000

const NEVER = Timestamp.fromMicros(-Timestamp.MICROSECONDS_MAX)

/** Why no attestation counts in favour of a rule. */
export type Unfavourable = "missing" | "non-compliant" | "unverified" | "unmet"

/** What a rule asks of an attestation that counts in its favour. */
export interface Asked {
  readonly mustBeCompliant: boolean
  readonly mustBeVerified: boolean
  /** Whether the facts of an attestation are as the rule asks; null where it asks about none. */
  readonly meetsFacts: ((facts: JsonObject | null) => boolean) | null
}

/** The attestations that count in favour among those that a rule looks at; else why there are none. */
export const inFavour = (
  attestations: ReadonlyArray<AttestationFact>,
  { meetsFacts, mustBeCompliant, mustBeVerified }: Asked
): ReadonlyArray<AttestationFact> | Unfavourable => {
  if (attestations.length === 0) return "missing"
  const favouring = attestations.filter(({ is_compliant }) => is_compliant || !mustBeCompliant)
  if (favouring.length === 0) return "non-compliant"
  const verified = mustBeVerified
    ? favouring.filter(({ verification }) => verification === "verified")
    : favouring
  if (verified.length === 0) return "unverified"
  const met =
    meetsFacts === null ? verified : verified.filter(({ facts }) => meetsFacts(facts ?? null))
  return met.length === 0 ? "unmet" : met
}

/** The instant until which attestations in favour count for an age limit: the one that counts longest decides. */
export const endOfAll = (
  attestations: ReadonlyArray<AttestationFact>,
  maxAge: number
): Timestamp.Timestamp =>
  Timestamp.fromMicros(
    Math.max(...attestations.map(({ reported_at }) => endOf(reported_at, maxAge)))
  )

/** The attestations of a flow that a rule looks at: the latest of its name, or of each name. */
export const looksAt = (
  attestations: ReadonlyArray<AttestationFact>,
  rule: AttestationRule
): ReadonlyArray<AttestationFact> => {
  if (rule.name === "*") return latestOfNames(attestations, rule.type)
  const best = latestNamed(attestations, rule)
  return best === undefined ? [] : [best]
}
