/**
 * The rules of a policy one by one, and which rule holds in a flow whenever another one does.
 *
 * A rule about attestations is a set of points (name, type, control), whether the latest must be compliant, and how
 * old it may be. A rule can hold without another one unless its points all lie in those of the other.
 */
import type { AttestationRule, PolicyDocument } from "@attestry/core/PolicyDocument"
import { type Expression, print } from "@attestry/core/PolicyExpressionTree"
import { ERROR, FALSE, TRUE } from "@attestry/core/PolicyPredicate"
import type { Constraint } from "./ConditionSearch.js"

/** A rule that is evaluated: a requirement, or a rule about attestations. */
export interface Rule {
  readonly kind: "provenance" | "trail-compliance" | "attestation" | "control"
  /** The position among the rule evaluations of the policy. */
  readonly index: number
  /** The condition of the rule, or all its exceptions; null when it always applies. */
  readonly gate: Expression | null
  /** Whether the gate waives the rule when it is True; else the rule is skipped when it is False. */
  readonly isWaiver: boolean
  readonly asks: AttestationRule | null
  /** The age in seconds at which evidence no longer counts; undefined without a limit. */
  readonly maxAge: number | undefined
}

const anyOf = (conditions: ReadonlyArray<Expression>): Expression | null => {
  const [first, ...others] = conditions
  if (first === undefined) return null
  return others.length === 0 ? first : { _tag: "Or", terms: [first, ...others] }
}

/** The rules of a document that are not switched off. */
export const rulesOf = ({
  attestations,
  provenance,
  trailCompliance
}: PolicyDocument): ReadonlyArray<Rule> => [
  ...(["provenance", "trail-compliance"] as const).flatMap((kind, index): ReadonlyArray<Rule> => {
    const { exceptions, required } = kind === "provenance" ? provenance : trailCompliance
    const maxAge = kind === "provenance" ? provenance.maxAge : undefined
    const gate = anyOf(exceptions.map(({ expression }) => expression))
    return required ? [{ kind, index, gate, isWaiver: true, asks: null, maxAge }] : []
  }),
  ...attestations.map(
    (asks, index): Rule => ({
      kind: asks.forControl === null ? "attestation" : "control",
      index: index + 2,
      gate: asks.condition?.expression ?? null,
      isWaiver: false,
      asks,
      maxAge: asks.maxAge
    })
  )
]

const ALWAYS: Expression = { _tag: "Boolean", value: true }

/** That the rule applies. */
export const applies = ({ gate, isWaiver }: Rule): Constraint => ({
  expression: gate ?? ALWAYS,
  allowed: gate === null ? [TRUE] : isWaiver ? [FALSE, ERROR] : [TRUE, ERROR]
})

/** That the rule does not apply. */
export const skips = ({ gate, isWaiver }: Rule): Constraint => ({
  expression: gate ?? ALWAYS,
  allowed: gate === null ? [] : isWaiver ? [TRUE] : [FALSE]
})

const covers = (pattern: string, other: string): boolean => pattern === "*" || pattern === other

/** Whether all points of a rule are points of the other; controls are looked at by the caller. */
export const isInside = (inner: AttestationRule, outer: AttestationRule): boolean =>
  covers(outer.type, inner.type) && covers(outer.name, inner.name)

/** Whether evidence that is young enough for the one is young enough for the other. */
const isAsYoung = ({ maxAge: one }: MaybeAged, { maxAge: other }: MaybeAged): boolean =>
  other === undefined || (one !== undefined && one <= other)

interface MaybeAged {
  readonly maxAge?: number | undefined
}

/** The conditions that are all true where a condition on facts is; conditions are compared as texts. */
const partsOf = ({ where }: AttestationRule): ReadonlyArray<string> => {
  if (where === undefined) return []
  const { expression } = where
  return expression._tag === "And" ? expression.terms.map(print) : [print(expression)]
}

/** Whether facts for which the condition of the one is true make the condition of the other true: it says so itself. */
const asksFactsOf = (one: AttestationRule, other: AttestationRule): boolean => {
  const parts = new Set(partsOf(one))
  return partsOf(other).every((part) => parts.has(part))
}

/** Whether a result that satisfies the one satisfies the other, if both look at the same attestation. */
const isAsStrict = (one: AttestationRule, other: AttestationRule): boolean =>
  (one.mustBeCompliant || !other.mustBeCompliant) &&
  (one.mustBeVerified === true || other.mustBeVerified !== true) &&
  asksFactsOf(one, other)

/** Whether a rule asks whether evidence is verified, or about its facts. */
export const asksMore = ({ mustBeVerified, where }: AttestationRule): boolean =>
  mustBeVerified === true || where !== undefined

/** Whether a rule asks for more than some attestation. */
const asksResult = (rule: AttestationRule): boolean =>
  rule.mustBeCompliant || rule.maxAge !== undefined || asksMore(rule)

/** Whether a rule without a control holds in a flow in which the other one holds. */
const evidenceForces = (holding: AttestationRule, other: AttestationRule): boolean => {
  if (!isInside(holding, other) || !isAsYoung(holding, other)) return false
  if (!asksResult(other)) return true
  // WHY the type: among all types a later attestation of the same name decides.
  return holding.type === other.type && isAsStrict(holding, other)
}

/** Whether a rule that applies and holds in a flow makes another one hold there; never across flows. */
export const forces = (holding: Rule, other: Rule): boolean => {
  if (holding.kind !== other.kind) return false
  if (holding.asks === null || other.asks === null) return isAsYoung(holding, other)
  return holding.kind === "attestation" && evidenceForces(holding.asks, other.asks)
}

/** Whether a decision that satisfies the one satisfies the other, if both look at the same flows. */
export const decides = (holding: Rule, other: Rule): "always" | "any" | "no" => {
  const [one, two] = [holding.asks, other.asks]
  if (holding.kind !== "control" || other.kind !== "control" || one === null || two === null)
    return "no"
  if (one.forControl !== two.forControl || !covers(two.name, one.name)) return "no"
  if (!asksResult(two)) return "any"
  return isAsYoung(one, two) && isAsStrict(one, two) && one.name === two.name ? "always" : "no"
}
