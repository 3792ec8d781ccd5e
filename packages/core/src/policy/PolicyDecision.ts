/**
 * The decision of a policy about one artifact, rule by rule, in the form of the wire. SPEC §2.6
 *
 * Vocabulary only. Decisions may share their parts, which must not be changed.
 */
import * as Schema from "effect/Schema"
import { hiddenField } from "../shared/Hidden.js"
import { warningField } from "./PolicyMode.js"

/** Why a rule holds or does not hold in one flow. */
export const ResolutionType = Schema.Literal(
  "rule_not_applicable",
  "rule_satisfied",
  "missing_provenance",
  "non_compliant_in_trail",
  "missing_attestation",
  "non_compliant_attestation",
  "provenance_expired",
  "evidence_expired",
  "unverified_attestation",
  "unmet_facts",
  "rule_waived"
)
/** Why a rule holds or does not hold in one flow. */
export type ResolutionType = typeof ResolutionType.Type

/** The result of a rule that fails it. */
export type Failure = Exclude<
  ResolutionType,
  "rule_not_applicable" | "rule_satisfied" | "rule_waived"
>

/** Whether a result fails its rule. */
export const isFailure = (type: ResolutionType): type is Failure =>
  type !== "rule_not_applicable" && type !== "rule_satisfied" && type !== "rule_waived"

/**
 * Where a rule was evaluated; without provenance there is no flow. `for_control` only with a control, `expired_at` only
 * for evidence that is too old; `waiver` and those after it only for a rule that is waived.
 */
export const ResolutionContext = Schema.Struct({
  flow_name: Schema.NullOr(Schema.String),
  trail_name: Schema.NullOr(Schema.String),
  artifact_status: Schema.NullOr(Schema.String),
  for_control: Schema.optionalWith(Schema.String, { exact: true }),
  expired_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The number of the waiver. */
  waiver: Schema.optionalWith(Schema.Int, { exact: true }),
  /** When the waiver ends. */
  expires_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The result without the waiver. */
  waived: Schema.optionalWith(ResolutionType, { exact: true }),
  /** Only for a flow that the caller may not read. */
  ...hiddenField
})
/** Where a rule was evaluated. */
export type ResolutionContext = typeof ResolutionContext.Type

/** The result of one rule in one flow. */
export const Resolution = Schema.Struct({ type: ResolutionType, context: ResolutionContext })
/** The result of one rule in one flow. */
export type Resolution = typeof Resolution.Type

const ConditionText = Schema.Struct({ text: Schema.String })

/** The age in seconds at which evidence no longer counts; absent without one. */
const maxAge = { max_age_seconds: Schema.optionalWith(Schema.Int, { exact: true }) }

/** A rule of the policy. */
export const Rule = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("provenance", "trail-compliance"),
    definition: Schema.Struct({
      required: Schema.Boolean,
      exceptions: Schema.Array(Schema.Struct({ if: ConditionText })),
      ...maxAge
    })
  }),
  Schema.Struct({
    type: Schema.Literal("attestation"),
    definition: Schema.Struct({
      if: Schema.NullOr(ConditionText),
      name: Schema.String,
      type: Schema.String,
      must_be_compliant: Schema.Boolean,
      for_control: Schema.NullOr(Schema.String),
      ...maxAge,
      /** Only where it is true. */
      must_be_verified: Schema.optionalWith(Schema.Boolean, { exact: true }),
      /** The condition on the facts of the attestation; absent without one. */
      where: Schema.optionalWith(ConditionText, { exact: true })
    })
  })
)
/** A rule of the policy. */
export type Rule = typeof Rule.Type

/** One rule over all flows: ignored where it applies to none, satisfied where none fails. SPEC §3.13 */
export const RuleEvaluation = Schema.Struct({
  rule: Rule,
  satisfied: Schema.NullOr(Schema.Boolean),
  ignored: Schema.Boolean,
  resolutions: Schema.Array(Resolution)
})
/** One rule over all flows. */
export type RuleEvaluation = typeof RuleEvaluation.Type

/** Whether a rule asks for something: every policy has the first two rules, also where its text requires neither. */
const isDemanded = ({ rule: { definition } }: RuleEvaluation): boolean =>
  "name" in definition || definition.required

/** The numbers of rules for people: from 1, in the order of the text; null for a rule that asks for nothing. */
export const ruleNumbers = (
  evaluations: ReadonlyArray<RuleEvaluation>
): ReadonlyArray<number | null> => {
  let count = 0
  return evaluations.map((evaluation) => (isDemanded(evaluation) ? ++count : null))
}

/** The status of one artifact under one policy. */
export const PolicyStatus = Schema.Literal("COMPLIANT", "NON-COMPLIANT")
/** The status of one artifact under one policy. */
export type PolicyStatus = typeof PolicyStatus.Type

/** The decision of one policy about one artifact. A policy that does not parse has no rule evaluations. */
export const PolicyDecision = Schema.Struct({
  policy_name: Schema.String,
  policy_version: Schema.Int,
  status: PolicyStatus,
  rule_evaluations: Schema.Array(RuleEvaluation),
  /** Only for a policy that warns. */
  ...warningField
}).annotations({ identifier: "PolicyDecision" })
/** The decision of one policy about one artifact. */
export type PolicyDecision = typeof PolicyDecision.Type
