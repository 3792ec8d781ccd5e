/**
 * A waiver as an evaluation sees it: which rules of a policy it waives, for which artifacts, and from when to when.
 *
 * Approvals, owners and states are not inputs of an evaluation.
 */
import * as Schema from "effect/Schema"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Rule } from "./PolicyDecision.js"
import type { Condition } from "./PolicyDocument.js"
import * as PolicyExpression from "./PolicyExpression.js"

/**
 * The rules that a waiver names, by what they ask. For attestations, an absent type or name is `*`, and an absent
 * control is none, as in a policy file.
 */
export const WaivedRule = Schema.Struct({
  type: Schema.Literal("provenance", "trail-compliance", "attestation"),
  attestation_type: Schema.optionalWith(Schema.String, { exact: true }),
  attestation_name: Schema.optionalWith(Schema.String, { exact: true }),
  for_control: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "WaivedRule" })
/** The rules that a waiver names. */
export type WaivedRule = typeof WaivedRule.Type

/** The fields of a waiver that decisions depend on. */
export interface WaiverTerms {
  readonly number: number
  readonly policy_name: string
  /** Null for every rule of the policy. */
  readonly rule: WaivedRule | null
  /** Null for every artifact; otherwise only True waives. */
  readonly condition: Condition | null
  readonly starts_at: Timestamp
  readonly expires_at: Timestamp
  /** The instant of its revocation; absent without one. */
  readonly revoked_at?: Timestamp
}

/** A waiver in the form of evaluations, with its condition compiled. */
export interface ActiveWaiver extends WaiverTerms {
  /** Whether the waiver reaches an artifact in a flow. */
  readonly reaches: (scope: PolicyExpression.Scope) => boolean
}

/** A waiver in the form of evaluations. */
export const make = (terms: WaiverTerms): ActiveWaiver => {
  if (terms.condition === null) return { ...terms, reaches: () => true }
  const test = PolicyExpression.compile(terms.condition.expression)
  return { ...terms, reaches: (scope) => test(scope) === "True" }
}

/** The time of a waiver. */
type Time = Pick<WaiverTerms, "starts_at" | "expires_at" | "revoked_at">

/** Whether a waiver counts at an instant: from its start, until before its end or its revocation. */
export const isInForce = ({ expires_at, revoked_at, starts_at }: Time, now: Timestamp): boolean =>
  starts_at <= now && now < expires_at && (revoked_at === undefined || now < revoked_at)

/** The instants at which the effect of a waiver begins or ends. */
export const turnsOf = ({ expires_at, revoked_at, starts_at }: Time): ReadonlyArray<Timestamp> =>
  revoked_at === undefined ? [starts_at, expires_at] : [starts_at, revoked_at, expires_at]

/** Whether a waiver names a rule: both ask for the same. */
export const fits = (
  named: WaivedRule | null,
  { definition, type }: Pick<Rule, "type" | "definition">
): boolean => {
  if (named === null) return true
  if (named.type !== type) return false
  return (
    !("name" in definition) ||
    ((named.attestation_type ?? "*") === definition.type &&
      (named.attestation_name ?? "*") === definition.name &&
      (named.for_control ?? null) === definition.for_control)
  )
}

/** Of two waivers the one that ends last, then the one with the lower number. */
export const later = <W extends Pick<WaiverTerms, "number" | "expires_at">>(one: W, other: W): W =>
  one.expires_at !== other.expires_at
    ? one.expires_at > other.expires_at
      ? one
      : other
    : one.number <= other.number
      ? one
      : other

/** The rule that a waiver names to waive a rule of a policy. */
export const ruleOf = ({ definition, type }: Pick<Rule, "type" | "definition">): WaivedRule =>
  "name" in definition
    ? {
        type,
        attestation_type: definition.type,
        attestation_name: definition.name,
        ...(definition.for_control === null ? {} : { for_control: definition.for_control })
      }
    : { type }
