/** The stored form of decisions, against the decisions. */
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as RowDecision from "../../src/snapshot/RowDecision.js"
import * as SnapshotDiff from "../../src/snapshot/SnapshotDiff.js"
import { policies } from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"

type Policies = ReadonlyArray<PolicyEvaluation.PolicyVersion>

const evaluate = (given: Policies, row: Facts) => {
  const compiled = PolicyEvaluation.compile(given)
  const evaluation = PolicyEvaluation.evaluate(compiled, row)
  return {
    ...evaluation,
    reasons: PolicyEvaluation.reasons(compiled, evaluation),
    kept: RowDecision.fromDecisions(evaluation.policy_decisions, (name) => `id-of-${name}`)
  }
}

const viewsOf = ({ flows }: Facts): ReadonlyArray<RowDecision.ShownView> =>
  flows.map(({ artifact_status: status, flow_name, trail_name }) => ({
    flow_name,
    trail_name,
    status
  }))

const dumpOf = (given: Policies, id: string) => {
  const document = given.find((policy) => policy.id === id)?.document
  return document === undefined || "_tag" in document ? null : PolicyDocument.dump(document)
}

const keyOf = ({ kept, verdict }: ReturnType<typeof evaluate>): string =>
  SnapshotDiff.decisionKey({
    statuses: kept,
    reasons: RowDecision.failuresOf(verdict, kept)
  })

describe("RowDecision", () => {
  it.prop("restores every stored decision exactly", { policies, facts }, (given) => {
    const evaluated = evaluate(given.policies, given.facts)
    const shown = evaluated.kept.map((decision) =>
      RowDecision.toDecision(
        decision,
        dumpOf(given.policies, decision.policy_id),
        viewsOf(given.facts)
      )
    )
    assert.deepStrictEqual(shown, evaluated.policy_decisions)
    assert.deepStrictEqual(RowDecision.reasonsOf(evaluated.verdict, shown), evaluated.reasons)
  })

  it.prop(
    "POL-21: has a failure for each reason, and none unless the row is not compliant",
    { policies, facts },
    (given) => {
      const { kept, reasons, verdict } = evaluate(given.policies, given.facts)
      const failures = RowDecision.failuresOf(verdict, kept)
      assert.strictEqual(failures.length, reasons.length)
      assert.strictEqual(failures.length > 0, verdict === "NonCompliant")
      assert.deepStrictEqual(RowDecision.failuresOf("Compliant", kept), [])
      assert.deepStrictEqual(RowDecision.reasonsOf("Compliant", []), [])
    }
  )

  it.prop(
    "POL-25: is the same for a row whose flows were renamed, unless a condition names one",
    { policies, facts },
    (given) => {
      const named = given.policies.some(({ document }) => PolicyDocument.usesFlowName(document))
      FastCheck.pre(!named)
      const renamed = {
        ...given.facts,
        flows: given.facts.flows.map((flow) => ({ ...flow, flow_name: `${flow.flow_name}-2` }))
      }
      assert.deepStrictEqual(
        evaluate(given.policies, renamed).kept,
        evaluate(given.policies, given.facts).kept
      )
    }
  )

  it.prop(
    "has equal keys exactly when the statuses of policies and the reasons are equal",
    { policies, one: facts, other: facts },
    ({ one, other, policies: given }) => {
      // Rows in the same flows: the provenance key distinguishes flows.
      const second = { ...other, flows: other.flows.slice(0, one.flows.length) }
      FastCheck.pre(second.flows.length === one.flows.length)
      const moved = {
        ...second,
        flows: second.flows.map((flow, index) => ({
          ...flow,
          flow_name: one.flows[index]?.flow_name ?? "",
          trail_name: one.flows[index]?.trail_name ?? "",
          artifact_status: one.flows[index]?.artifact_status ?? "COMPLIANT"
        }))
      }
      const [left, right] = [evaluate(given, one), evaluate(given, moved)]
      const told = ({ policy_decisions, reasons }: ReturnType<typeof evaluate>) => [
        policy_decisions.map(({ policy_name, status }) => [policy_name, status]),
        reasons
      ]
      assert.strictEqual(
        keyOf(left) === keyOf(right),
        JSON.stringify(told(left)) === JSON.stringify(told(right))
      )
    }
  )

  it("records that a version cannot be evaluated, without rules", () => {
    const kept = { policy_id: "p", policy_name: "p", version: 3, status: "NON-COMPLIANT" as const }
    const decision = RowDecision.toDecision({ ...kept, outcomes: [] }, null, [])
    assert.deepStrictEqual(decision.rule_evaluations, [])
    const [reason] = RowDecision.reasonsOf("NonCompliant", [decision])
    assert.strictEqual(reason?.type, "policy_error")
  })
})
