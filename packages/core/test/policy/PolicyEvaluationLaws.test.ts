import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { PolicyDocument } from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"
import {
  ALWAYS,
  decide,
  ERROR,
  NEVER,
  neverBetter,
  nothing,
  status,
  version
} from "./PolicyLawKit.js"

const { document, policies } = Generated

const required = { required: true, exceptions: [] }

const verdict = (given: ReadonlyArray<PolicyEvaluation.PolicyVersion>, row: Facts) =>
  PolicyEvaluation.evaluate(PolicyEvaluation.compile(given), row).verdict

describe("PolicyEvaluation: laws of one policy", () => {
  it.prop("POL-1: an empty policy fails nothing", { row: facts }, ({ row }) => {
    const decision = decide(nothing, row)
    assert.strictEqual(decision.status, "COMPLIANT")
    assert.isTrue(decision.rule_evaluations.every(({ ignored }) => ignored))
  })

  it.prop(
    "POL-2, POL-3, POL-4: rules follow their resolutions, the status its rules",
    { document, row: facts },
    (given) => {
      const decision = decide(given.document, given.row)
      for (const rule of decision.rule_evaluations) {
        const types = rule.resolutions.map(({ type }) => type)
        const isIgnored = types.every((type) => type === "rule_not_applicable")
        assert.strictEqual(rule.ignored, isIgnored)
        assert.strictEqual(rule.satisfied === null, isIgnored)
        assert.strictEqual(types.length, Math.max(1, given.row.flows.length))
      }
      assert.strictEqual(
        decision.status === "COMPLIANT",
        decision.rule_evaluations.every(({ satisfied }) => satisfied !== false)
      )
    }
  )

  it.prop(
    "POL-5: the order of flows and attestations does not matter",
    { document, row: facts },
    (given) => {
      const turned: Facts = {
        ...given.row,
        flows: [...given.row.flows]
          .reverse()
          .map((flow) => ({ ...flow, attestations: [...flow.attestations].reverse() }))
      }
      const decision = decide(given.document, given.row)
      const other = decide(given.document, turned)
      assert.strictEqual(other.status, decision.status)
      assert.deepStrictEqual(
        other.rule_evaluations.map(({ resolutions: found }) => [...found].reverse()),
        decision.rule_evaluations.map(({ resolutions: found }) => found)
      )
    }
  )

  it.prop("POL-7: required provenance is having a flow", { row: facts }, ({ row }) =>
    assert.strictEqual(
      status({ ...nothing, provenance: required }, row) === "COMPLIANT",
      row.flows.length > 0
    )
  )

  it.prop(
    "POL-8: required trail-compliance is being compliant in all flows",
    { row: facts },
    ({ row }) =>
      assert.strictEqual(
        status({ ...nothing, trailCompliance: required }, row) === "COMPLIANT",
        row.flows.length > 0 &&
          row.flows.every(({ artifact_status }) => artifact_status === "COMPLIANT")
      )
  )

  it.prop(
    "POL-10: removing a rule never fails more",
    { document, row: facts, at: FastCheck.nat(5) },
    (given) => {
      const { attestations } = given.document
      neverBetter(
        given.document,
        { ...given.document, attestations: attestations.filter((_, index) => index !== given.at) },
        given.row
      )
      neverBetter(given.document, { ...given.document, provenance: nothing.provenance }, given.row)
      neverBetter(
        given.document,
        { ...given.document, trailCompliance: nothing.trailCompliance },
        given.row
      )
    }
  )

  it.prop(
    "POL-11: adding an exception never fails more",
    { document, row: facts, exception: Generated.condition },
    (given) => {
      const { provenance, trailCompliance } = given.document
      const more = [...provenance.exceptions, given.exception]
      neverBetter(
        given.document,
        { ...given.document, provenance: { ...provenance, exceptions: more } },
        given.row
      )
      const others = [given.exception, ...trailCompliance.exceptions]
      neverBetter(
        given.document,
        { ...given.document, trailCompliance: { ...trailCompliance, exceptions: others } },
        given.row
      )
    }
  )

  it.prop(
    "POL-12, COND-11: True waives, False and Error change nothing",
    { document, row: facts },
    (given) => {
      for (const section of ["provenance", "trailCompliance"] as const) {
        const requirement = { ...given.document[section], required: true }
        const added = (exception: typeof ALWAYS): PolicyDocument => ({
          ...given.document,
          [section]: { ...requirement, exceptions: [...requirement.exceptions, exception] }
        })
        const plain = decide({ ...given.document, [section]: requirement }, given.row)
        const index = section === "provenance" ? 0 : 1
        assert.isTrue(decide(added(ALWAYS), given.row).rule_evaluations[index]?.ignored)
        for (const exception of [NEVER, ERROR])
          assert.deepStrictEqual(
            decide(added(exception), given.row).rule_evaluations.map(
              ({ resolutions: found }) => found
            ),
            plain.rule_evaluations.map(({ resolutions: found }) => found)
          )
      }
    }
  )

  it.prop(
    "POL-25: renaming a flow changes nothing unless an expression names it",
    { document, row: facts },
    (given) => {
      const texts = [
        ...given.document.provenance.exceptions,
        ...given.document.trailCompliance.exceptions,
        ...given.document.attestations.flatMap((rule) => rule.condition ?? [])
      ]
      if (texts.some(({ expression }) => PolicyExpression.usesFlowName(expression))) return
      const renamed: Facts = {
        ...given.row,
        flows: given.row.flows.map((flow) => ({ ...flow, flow_name: `renamed-${flow.flow_name}` }))
      }
      const types = (row: Facts) =>
        decide(given.document, row).rule_evaluations.map(({ resolutions: found }) =>
          found.map(({ type }) => type)
        )
      assert.deepStrictEqual(types(renamed), types(given.row))
    }
  )
})

describe("PolicyEvaluation: laws of several policies and rows", () => {
  it.prop(
    "POL-6: neither the order of rows nor that of policies matters, and no waiver leaks",
    { given: policies, rows: FastCheck.array(facts, { maxLength: 4 }) },
    ({ given, rows }) => {
      const compiled = PolicyEvaluation.compile(given)
      const turned = PolicyEvaluation.compile([...given].reverse())
      const alone = rows.map((row) =>
        PolicyEvaluation.evaluate(PolicyEvaluation.compile(given), row)
      )
      assert.deepStrictEqual(
        rows.map((row) => PolicyEvaluation.evaluate(compiled, row)),
        alone
      )
      assert.deepStrictEqual(
        [...rows]
          .reverse()
          .map((row) => PolicyEvaluation.evaluate(turned, row))
          .reverse(),
        alone
      )
    }
  )

  it.prop(
    "POL-6: a policy decides the same alone and among others",
    { given: policies, row: facts },
    ({ given, row }) => {
      const together = PolicyEvaluation.evaluate(PolicyEvaluation.compile(given), row)
      for (const decision of together.policy_decisions) {
        const own = given.filter(({ name }) => name === decision.policy_name)
        const alone = PolicyEvaluation.evaluate(PolicyEvaluation.compile(own), row)
        assert.deepStrictEqual(alone.policy_decisions, [decision])
      }
    }
  )

  it.prop(
    "POL-9: one more policy never makes compliant, and never leaves Unknown",
    { given: policies, document, row: facts },
    (drawn) => {
      const before = verdict(drawn.given, drawn.row)
      const after = verdict([...drawn.given, version(drawn.document, "one-more")], drawn.row)
      assert.notStrictEqual(after, "Unknown")
      if (before === "NonCompliant") assert.strictEqual(after, "NonCompliant")
    }
  )

  it.prop(
    "POL-21: reasons are empty unless the row fails, and each refers to a failure",
    { given: policies, row: facts },
    ({ given, row }) => {
      const compiled = PolicyEvaluation.compile(given)
      const evaluation = PolicyEvaluation.evaluate(compiled, row)
      const reasons = PolicyEvaluation.reasons(compiled, evaluation)
      assert.strictEqual(reasons.length > 0, evaluation.verdict === "NonCompliant")
      const failures = evaluation.policy_decisions.flatMap((decision) =>
        decision.rule_evaluations.flatMap(({ resolutions: found }, rule_index) =>
          found
            .filter(({ type }) => type !== "rule_satisfied" && type !== "rule_not_applicable")
            .map(({ context, type }) => ({
              type,
              policy_name: decision.policy_name,
              rule_index,
              flow_name: context.flow_name,
              trail_name: context.trail_name
            }))
        )
      )
      assert.deepStrictEqual<unknown>(
        reasons.map(({ flow_name, policy_name, rule_index, trail_name, type }) => ({
          type,
          policy_name,
          rule_index,
          flow_name,
          trail_name
        })),
        failures
      )
    }
  )

  it.prop(
    "POL-23: any valid policy evaluates any row",
    { given: policies, row: facts },
    ({ given, row }) =>
      assert.include(["Compliant", "NonCompliant", "Unknown"], verdict(given, row))
  )
})
