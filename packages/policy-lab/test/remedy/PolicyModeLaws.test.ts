import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as RowDecision from "@attestry/core/RowDecision"
import { type GeneratedPolicy, policies } from "@attestry/core/testing/PolicyDocument"
import { facts } from "@attestry/core/testing/PolicyFacts"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PolicyRemedy from "../../src/remedy/PolicyRemedy.js"

const warning = (given: ReadonlyArray<GeneratedPolicy>, isWarned: ReadonlyArray<boolean>) =>
  given.map((policy, index) =>
    isWarned[index] === true ? { ...policy, mode: "warn" as const } : policy
  )

const evaluate = (given: ReadonlyArray<PolicyEvaluation.PolicyVersion>, row: Facts) => {
  const compiled = PolicyEvaluation.compile(given)
  const evaluation = PolicyEvaluation.evaluate(compiled, row)
  return {
    compiled,
    evaluation,
    reasons: PolicyEvaluation.reasons(compiled, evaluation),
    warnings: PolicyEvaluation.warnings(compiled, evaluation)
  }
}

const stored = ({ policy_decisions }: PolicyEvaluation.PolicyEvaluation) =>
  RowDecision.fromDecisions(policy_decisions, (name) => `id-of-${name}`)

const drawn = {
  given: policies,
  row: facts,
  isWarned: FastCheck.array(FastCheck.boolean(), { minLength: 3, maxLength: 3 })
}

describe("PolicyMode: laws", () => {
  it.prop("MODE-1: warning policies change no verdict, reason or remedy", drawn, (each) => {
    const mixed = warning(each.given, each.isWarned)
    const all = evaluate(mixed, each.row)
    const counting = evaluate(
      each.given.filter((_, index) => each.isWarned[index] !== true),
      each.row
    )
    assert.strictEqual(all.evaluation.verdict, counting.evaluation.verdict)
    assert.deepStrictEqual(all.reasons, counting.reasons)
    assert.strictEqual(RowDecision.verdictOf(stored(all.evaluation)), counting.evaluation.verdict)
    assert.deepStrictEqual(
      PolicyRemedy.remedies(all.compiled, each.row),
      PolicyRemedy.remedies(counting.compiled, each.row)
    )
  })

  it.prop("MODE-3: without a warning policy nothing has a mode", drawn, ({ given, row }) => {
    const { evaluation, warnings } = evaluate(given, row)
    assert.deepStrictEqual(warnings, [])
    assert.notInclude(JSON.stringify(evaluation), '"mode"')
    assert.notInclude(JSON.stringify(stored(evaluation)), '"mode"')
  })

  it.prop("MODE-4: warnings are the reasons that enforcing would give", drawn, (each) => {
    const mixed = warning(each.given, each.isWarned)
    const enforced = evaluate(each.given, each.row)
    const names = new Set(mixed.flatMap((policy) => ("mode" in policy ? [policy.name] : [])))
    assert.deepStrictEqual(
      evaluate(mixed, each.row).warnings,
      enforced.reasons.filter(({ policy_name }) => names.has(policy_name))
    )
  })

  it.prop("a change of a warning is a change of the row's key", drawn, ({ given, row }) => {
    const all = warning(given, [true, true, true])
    const { evaluation } = evaluate(all, row)
    const decisions = stored(evaluation)
    const key = RowDecision.keyOf("Unknown", decisions)
    for (const [index, { outcomes }] of decisions.entries())
      if (outcomes.flat().some(RowDecision.isFailure)) {
        const fixed = decisions.map((decision, at) =>
          at === index
            ? {
                ...decision,
                outcomes: outcomes.map((flows) => flows.map(() => "rule_satisfied" as const))
              }
            : decision
        )
        assert.notStrictEqual(RowDecision.keyOf("Unknown", fixed), key)
      }
  })
})
