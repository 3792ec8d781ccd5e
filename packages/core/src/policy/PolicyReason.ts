/**
 * Why a policy fails an artifact: one reason for each rule and flow that fails.
 *
 * A description names what is missing and what would make the rule pass; the other fields have the same values.
 * Reasons derive from decisions alone, so also from stored ones.
 */
import * as Schema from "effect/Schema"
import { hiddenField } from "../shared/Hidden.js"
import * as MaxAge from "./MaxAge.js"
import { isFailure, type PolicyDecision, type Resolution, type Rule } from "./PolicyDecision.js"

/** The kind of a reason. */
export const PolicyReasonType = Schema.Literal(
  "missing_provenance",
  "non_compliant_in_trail",
  "missing_attestation",
  "non_compliant_attestation",
  "provenance_expired",
  "evidence_expired",
  "unverified_attestation",
  "unmet_facts",
  "policy_error"
)
/** The kind of a reason. */
export type PolicyReasonType = typeof PolicyReasonType.Type

/** One reason; `rule_index` counts the rule evaluations from 0. */
export const PolicyReason = Schema.Struct({
  type: PolicyReasonType,
  policy_name: Schema.String,
  policy_version: Schema.Int,
  rule_index: Schema.NullOr(Schema.Int),
  flow_name: Schema.NullOr(Schema.String),
  trail_name: Schema.NullOr(Schema.String),
  attestation_name: Schema.NullOr(Schema.String),
  attestation_type: Schema.NullOr(Schema.String),
  for_control: Schema.NullOr(Schema.String),
  description: Schema.String,
  /** When the evidence became too old; only for what has expired. */
  expired_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** Only for a flow that the caller may not read. */
  ...hiddenField
}).annotations({ identifier: "PolicyReason" })
/** One reason. */
export type PolicyReason = typeof PolicyReason.Type

type AttestationDefinition = Extract<Rule, { readonly type: "attestation" }>["definition"]

const place = ({
  flow_name,
  trail_name
}: Pick<Resolution["context"], "flow_name" | "trail_name">): string =>
  `trail \`${trail_name}\` of flow \`${flow_name}\``

const wanted = ({ for_control, name, type }: AttestationDefinition): string => {
  const named = name === "*" ? "" : ` \`${name}\``
  if (for_control !== null) return `decision${named} for control \`${for_control}\``
  return type === "*" ? `attestation${named}` : `attestation${named} of type \`${type}\``
}

const compliant = ({ must_be_compliant }: AttestationDefinition): string =>
  must_be_compliant ? "a compliant one" : "one"

/** A description: the problem and its correction. */
const say = (problem: string, advice: string): string => `${problem}: ${advice}`

const describeMissing = (
  definition: AttestationDefinition,
  context: Resolution["context"]
): string => {
  const sought = wanted(definition)
  if (context.flow_name === null)
    return say(
      `there is no ${sought}, as no flow knows the artifact`,
      "report the artifact to a flow, or add a condition to the rule that is false for it"
    )
  return definition.for_control === null
    ? say(
        `there is no ${sought} in ${place(context)}`,
        `report ${compliant(definition)} for the artifact or its trail`
      )
    : say(
        `no flow that the rule applies to has a ${sought}`,
        `record ${compliant(definition)}, for example in ${place(context)}`
      )
}

const describeFailing = (
  definition: AttestationDefinition,
  context: Resolution["context"]
): string =>
  definition.for_control === null
    ? say(
        `the latest ${wanted(definition)} in ${place(context)} is not compliant`,
        "fix what it found and report a compliant one, or override it"
      )
    : say(
        `the latest ${wanted(definition)} is not compliant`,
        `record a compliant one, for example in ${place(context)}`
      )

/** The most characters of a condition that a description shows. */
const CONDITION_SHOWN_MAX = 200

const shown = (text: string): string =>
  text.length <= CONDITION_SHOWN_MAX ? text : `${text.slice(0, CONDITION_SHOWN_MAX)}…`

/** The attestation that a rule looked at. */
const latest = (definition: AttestationDefinition, context: Resolution["context"]): string =>
  definition.for_control === null
    ? `the latest ${wanted(definition)} in ${place(context)}`
    : `the latest ${wanted(definition)}`

const describeUnverified = (
  definition: AttestationDefinition,
  context: Resolution["context"]
): string =>
  say(
    `${latest(definition, context)} is not verified evidence`,
    "report evidence with a signature that a rule of the trust policy trusts"
  )

const describeUnmet = (definition: AttestationDefinition, context: Resolution["context"]): string =>
  say(
    `${latest(definition, context)} does not have the facts that the policy asks for, ` +
      `\`${shown(definition.where?.text ?? "")}\``,
    "report evidence for which this is true"
  )

const age = ({ max_age_seconds }: Rule["definition"]): string =>
  MaxAge.describe(max_age_seconds ?? 0)

const describeExpired = (definition: Rule["definition"], context: Resolution["context"]): string =>
  "name" in definition
    ? say(
        definition.for_control === null
          ? `the latest ${wanted(definition)} in ${place(context)} is older than ${age(definition)}`
          : `the latest ${wanted(definition)} is older than ${age(definition)}`,
        `report a new one, and again at least every ${age(definition)}`
      )
    : say(
        `the newest record of the artifact in ${place(context)} is older than ${age(definition)}`,
        "build and report it again"
      )

const describe = ({ definition, type: rule }: Rule, { context, type }: Resolution): string => {
  if (type === "evidence_expired" || type === "provenance_expired")
    return describeExpired(definition, context)
  // WHY by the rule: an exception lifts the rule that it stands at, and no other one.
  if (type === "missing_provenance" && rule === "trail-compliance")
    return say(
      "no flow knows the artifact, so it has no trail that is compliant",
      "report it to a flow, or add an exception to `trail-compliance` that is true for it"
    )
  if (type === "missing_provenance")
    return say(
      "no flow knows the artifact",
      "report it to a flow, or add an exception to the policy that is true for it"
    )
  if (!("name" in definition))
    return say(
      `the artifact is ${context.artifact_status} in ${place(context)}`,
      "report what the trail still misses, or fix what fails there"
    )
  switch (type) {
    case "missing_attestation":
      return describeMissing(definition, context)
    case "unverified_attestation":
      return describeUnverified(definition, context)
    case "unmet_facts":
      return describeUnmet(definition, context)
    default:
      return describeFailing(definition, context)
  }
}

const policyError = (
  { policy_name, policy_version }: PolicyDecision,
  problem: string | undefined
): PolicyReason => ({
  type: "policy_error",
  policy_name,
  policy_version,
  rule_index: null,
  flow_name: null,
  trail_name: null,
  attestation_name: null,
  attestation_type: null,
  for_control: null,
  description: say(
    `version ${policy_version} of the policy cannot be evaluated${problem === undefined ? "" : ` (${problem})`}`,
    "save a version that is valid"
  )
})

/** The reasons of one decision; `problem` is why a policy has no rule evaluations. */
export const fromDecision = (
  decision: PolicyDecision,
  problem?: string | undefined
): ReadonlyArray<PolicyReason> => {
  if (decision.status === "COMPLIANT") return []
  // A policy that cannot be evaluated fails, and this is its one reason.
  if (decision.rule_evaluations.length === 0) return [policyError(decision, problem)]
  return decision.rule_evaluations.flatMap(({ resolutions, rule }, rule_index) =>
    resolutions.flatMap((resolution) => {
      if (!isFailure(resolution.type)) return []
      const { definition } = rule
      const { expired_at, flow_name, trail_name } = resolution.context
      return {
        type: resolution.type,
        policy_name: decision.policy_name,
        policy_version: decision.policy_version,
        rule_index,
        flow_name,
        trail_name,
        attestation_name: "name" in definition ? definition.name : null,
        attestation_type: "name" in definition ? definition.type : null,
        for_control: "name" in definition ? definition.for_control : null,
        description: describe(rule, resolution),
        ...(expired_at === undefined ? {} : { expired_at })
      }
    })
  )
}

/** How a flow is called that the reader may not read. */
const HIDDEN = "a flow that you may not read"

/** The reason for a reader who may not read its flow: what fails, and nothing of what the flow knows. */
export const withoutFlow = ({
  expired_at: _,
  ...reason
}: PolicyReason): PolicyReason & { readonly hidden: true } => ({
  ...reason,
  flow_name: null,
  trail_name: null,
  description:
    reason.type === "non_compliant_in_trail"
      ? say(`the artifact is not compliant in ${HIDDEN}`, "ask who may read it what is missing")
      : reason.description.replaceAll(place(reason), HIDDEN),
  hidden: true
})
