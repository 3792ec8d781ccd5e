/** The decisions about a row as lines: each rule in each flow with its result, and the evidence that decided it. */
import type { SnapshotRow } from "../shared/Contract.js"
import { numbersOf } from "../shared/RuleNumber.js"
import type { Verdict } from "../shared/Verdict.js"

type Decision = SnapshotRow["policy_decisions"][number]
type Evaluation = Decision["rule_evaluations"][number]
type Resolution = Evaluation["resolutions"][number]

/** The result of one rule of a policy in one flow. */
export interface RuleOutcome {
  readonly key: string
  readonly policy: string
  readonly version: number
  /** Zero-based, as in the API. */
  readonly index: number
  /** Its number in the text; null for a rule that requires nothing. */
  readonly number: number | null
  readonly title: string
  readonly flow: string | null
  readonly trail: string | null
  readonly verdict: Verdict
  readonly text: string
  /** The attestation that the rule requires. */
  readonly wanted: { readonly name: string; readonly type: string } | undefined
}

const TEXTS: { readonly [type in Resolution["type"]]: readonly [Verdict, string] } = {
  rule_not_applicable: ["not-applicable", "not applicable"],
  rule_satisfied: ["compliant", "satisfied"],
  missing_provenance: ["non-compliant", "no flow knows it"],
  non_compliant_in_trail: ["non-compliant", "not compliant in its trail"],
  missing_attestation: ["missing", "missing"],
  non_compliant_attestation: ["non-compliant", "not compliant"],
  provenance_expired: ["non-compliant", "its newest record is too old: build and report it again"],
  evidence_expired: ["non-compliant", "too old: report a new one"],
  unverified_attestation: [
    "non-compliant",
    "not verified: report evidence with a trusted signature"
  ],
  unmet_facts: ["non-compliant", "without the facts that the policy asks for"],
  rule_waived: ["compliant", "waived"]
}

/** The requirement of a rule, in a few words. */
export const titleOf = ({ type, definition }: Evaluation["rule"]): string => {
  if (!("name" in definition)) return type === "provenance" ? "provenance" : "compliant trail"
  const name = definition.name === "*" ? "any" : definition.name
  if (definition.for_control !== null) return `decision for ${definition.for_control}`
  return definition.type === "*" ? name : `${name} (${definition.type})`
}

const isAsked = ({ rule: { definition } }: Evaluation): boolean =>
  "name" in definition || definition.required

/** Every rule in every flow, in order. */
export const outcomesOf = ({
  policy_decisions
}: Pick<SnapshotRow, "policy_decisions">): ReadonlyArray<RuleOutcome> =>
  policy_decisions.flatMap(({ policy_name, policy_version, rule_evaluations }) => {
    const numbers = numbersOf(rule_evaluations.map(isAsked))
    return rule_evaluations.flatMap(({ rule, resolutions }, index) =>
      resolutions.map(({ type, context }, position): RuleOutcome => {
        const [verdict, text] = TEXTS[type]
        return {
          key: `${policy_name} ${index} ${position}`,
          policy: policy_name,
          version: policy_version,
          index,
          number: numbers[index] ?? null,
          title: titleOf(rule),
          flow: context.flow_name,
          trail: context.trail_name,
          verdict,
          text,
          wanted:
            "name" in rule.definition
              ? { name: rule.definition.name, type: rule.definition.type }
              : undefined
        }
      })
    )
  })

/** The number of rules that hold, fail and do not apply. A rule that fails in one flow fails. */
export const countsOf = ({ policy_decisions }: Pick<SnapshotRow, "policy_decisions">) => {
  const counts = { satisfied: 0, failing: 0, ignored: 0 }
  for (const { rule_evaluations } of policy_decisions)
    for (const { satisfied, ignored } of rule_evaluations) {
      if (ignored) counts.ignored += 1
      else if (satisfied === true) counts.satisfied += 1
      else counts.failing += 1
    }
  return counts
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The type without the prefix `system:`, which rules omit. */
const plainType = (type: string): string => type.replace(/^system:/, "")

/** The payload of an attestation. */
type Fields = { readonly [field: string]: unknown }

/**
 * The id of the newest attestation of a trail that a rule requires; undefined without one. The list is newest first,
 * and attestations of other artifacts do not count.
 */
export const evidenceOf = (
  { data }: { readonly data: ReadonlyArray<Fields> },
  { wanted, trail, flow }: RuleOutcome,
  fingerprint: string
): string | undefined => {
  if (wanted === undefined) return undefined
  const found = data.find((each) => {
    const bound = textOf(each.artifact_fingerprint)
    return (
      each.trail_name === trail &&
      each.flow_name === flow &&
      (wanted.name === "*" || each.attestation_name === wanted.name) &&
      (wanted.type === "*" ||
        plainType(textOf(each.attestation_type)) === plainType(wanted.type)) &&
      (bound === "" || bound === fingerprint)
    )
  })
  return found === undefined ? undefined : textOf(found.attestation_id)
}
