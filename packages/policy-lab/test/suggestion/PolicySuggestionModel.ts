/**
 * Suggestion by brute force: tries every rule of the space on every row.
 *
 * The rules: one for each name and type, without a condition or with one for each tag that two flows share, compliant
 * or any. Of those that hold, it takes the unconditional one that asks for compliance, else all that no stronger one
 * covers.
 */
import type { AttestationRule, PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as Either from "effect/Either"

const NOTHING: PolicyDocument = {
  schema: "attestry:schemas/environment-policy/v1",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: []
}

/** Whether the rule applies to at least so many rows, and every one of them satisfies it. */
const holds = (
  rule: AttestationRule,
  rows: ReadonlyArray<Facts>,
  minArtifacts: number
): boolean => {
  const document = { ...NOTHING, attestations: [rule] }
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 0, document }])
  const evaluations = rows.flatMap((row) =>
    PolicyEvaluation.evaluate(compiled, row).policy_decisions.flatMap(({ rule_evaluations }) =>
      rule_evaluations.filter(({ ignored }) => !ignored)
    )
  )
  return (
    evaluations.length >= minArtifacts && evaluations.every(({ satisfied }) => satisfied !== false)
  )
}

const conditionsOf = (rows: ReadonlyArray<Facts>): ReadonlyArray<AttestationRule["condition"]> => {
  const flows = rows.flatMap((row) => row.flows)
  const tags = flows.flatMap((flow) => Object.entries(flow.tags))
  const texts = tags.flatMap(([key, value]) => {
    const names = flows.flatMap((flow) =>
      Object.hasOwn(flow.tags, key) && flow.tags[key] === value ? [flow.flow_name] : []
    )
    if (new Set(names).size < 2) return []
    return PolicyExpression.print({
      _tag: "Compare",
      operator: "==",
      left: { _tag: "Tag", key },
      right: { _tag: "Text", value }
    })
  })
  return [...new Set(texts)].flatMap((text) => {
    const parsed = PolicyExpression.parse(text)
    return Either.isRight(parsed) ? [{ text, expression: parsed.right }] : []
  })
}

/** The rules about attestations that a suggestion has, as lines, sorted. */
export const rules = (rows: ReadonlyArray<Facts>, minArtifacts: number): ReadonlyArray<string> => {
  const facts = rows.flatMap((row) => row.flows.flatMap((flow) => flow.attestations))
  const asked = new Map(facts.map(({ name, type }) => [`${type} ${name}`, { name, type }]))
  const conditions = conditionsOf(rows)
  const found = [...asked.values()].flatMap((one) => {
    const make = (condition: AttestationRule["condition"], mustBeCompliant: boolean) => ({
      ...one,
      condition,
      mustBeCompliant,
      forControl: null
    })
    const isTaken = (rule: AttestationRule) => holds(rule, rows, minArtifacts)
    if (isTaken(make(null, true))) return [make(null, true)]
    const lenient = [make(null, false)].filter(isTaken)
    const conditional = conditions.flatMap((condition) => {
      const kinds = lenient.length > 0 ? [true] : [true, false]
      return kinds
        .map((must) => make(condition, must))
        .filter(isTaken)
        .slice(0, 1)
    })
    return [...lenient, ...conditional]
  })
  return found.map(line).sort()
}

/** A rule as one line. */
export const line = ({ condition, mustBeCompliant, name, type }: AttestationRule): string =>
  `${type} ${name} ${mustBeCompliant} ${condition === null ? "" : condition.text}`
