import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { ResolutionType } from "../../src/policy/PolicyDecision.js"
import type { AttestationRule, PolicyDocument } from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { AttestationFact, Facts, FlowView } from "../../src/policy/PolicyFacts.js"
import * as Generated from "../../testing/arbitrary/PolicyDocument.js"
import { facts } from "../../testing/arbitrary/PolicyFacts.js"

const { attestationRule, document, policies } = Generated

const version = (given: PolicyDocument, name = "p") => ({
  id: name,
  name,
  version: 1,
  document: given
})

const decide = (given: PolicyDocument, row: Facts) => {
  const [decision] = PolicyEvaluation.evaluate(
    PolicyEvaluation.compile([version(given)]),
    row
  ).policy_decisions
  if (decision === undefined) throw new Error("there is one policy")
  return decision
}

const status = (given: PolicyDocument, row: Facts) => decide(given, row).status

const verdict = (given: ReadonlyArray<PolicyEvaluation.PolicyVersion>, row: Facts) =>
  PolicyEvaluation.evaluate(PolicyEvaluation.compile(given), row).verdict

/** The first status may be worse than the second, never better. */
const neverBetter = (given: PolicyDocument, weaker: PolicyDocument, row: Facts): void =>
  assert.isFalse(status(given, row) === "COMPLIANT" && status(weaker, row) !== "COMPLIANT")

const condition = (text: string) => ({
  text,
  expression: Either.getOrThrow(PolicyExpression.parse(text))
})
const ALWAYS = condition("true")
const NEVER = condition("false")
const ERROR = condition("flow.tags.missing < 3")

const nothing: PolicyDocument = {
  schema: "https://x.example/v1",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: []
}
const required = { required: true, exceptions: [] }

const only = (rule: AttestationRule): PolicyDocument => ({ ...nothing, attestations: [rule] })

/** How the last rule of a policy comes out in each flow. */
const resolutions = (given: PolicyDocument, row: Facts): ReadonlyArray<ResolutionType> =>
  decide(given, row)
    .rule_evaluations.at(-1)
    ?.resolutions.map(({ type }) => type) ?? []

const plainRule = attestationRule.map((rule) => ({ ...rule, forControl: null }))
const controlRule = attestationRule.map((rule) => ({
  ...rule,
  type: "decision",
  forControl: rule.forControl ?? "CTL-1"
}))

const withFlow = (row: Facts, index: number, change: (flow: FlowView) => FlowView): Facts => ({
  ...row,
  flows: row.flows.map((flow, at) => (at === index ? change(flow) : flow))
})

const latest = (row: Facts): number =>
  Math.max(0, ...row.flows.flatMap((flow) => flow.attestations.map(({ sequence }) => sequence)))

const append = (row: Facts, index: number, fact: Omit<AttestationFact, "sequence">): Facts =>
  withFlow(row, index, (flow) => ({
    ...flow,
    attestations: [...flow.attestations, { ...fact, sequence: latest(row) + 1 }]
  }))

describe("PolicyEvaluation: laws of one policy", () => {
  it.prop("P-1: asks nothing, refuses nothing", { row: facts }, ({ row }) => {
    const decision = decide(nothing, row)
    assert.strictEqual(decision.status, "COMPLIANT")
    assert.isTrue(decision.rule_evaluations.every(({ ignored }) => ignored))
  })

  it.prop(
    "P-2, P-3, P-4: rules follow their resolutions, the status its rules",
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
    "P-5: the order of flows and attestations does not matter",
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

  it.prop("P-7: required provenance is having a flow", { row: facts }, ({ row }) =>
    assert.strictEqual(
      status({ ...nothing, provenance: required }, row) === "COMPLIANT",
      row.flows.length > 0
    )
  )

  it.prop(
    "P-8: required trail-compliance is being compliant in all flows",
    { row: facts },
    ({ row }) =>
      assert.strictEqual(
        status({ ...nothing, trailCompliance: required }, row) === "COMPLIANT",
        row.flows.length > 0 &&
          row.flows.every(({ artifact_status }) => artifact_status === "COMPLIANT")
      )
  )

  it.prop(
    "P-10: removing a rule never refuses more",
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
    "P-11: adding an exception never refuses more",
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
    "P-12, E-11: True waives, False and Error change nothing",
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
    "P-13, E-11: False skips, True and Error equal no condition",
    { rule: attestationRule, row: facts },
    (given) => {
      const types = (gate: typeof ALWAYS | null) =>
        resolutions(only({ ...given.rule, condition: gate }), given.row)
      assert.isTrue(types(NEVER).every((type) => type === "rule_not_applicable"))
      assert.deepStrictEqual(types(ALWAYS), types(null))
      assert.deepStrictEqual(types(ERROR), types(null))
    }
  )

  it.prop(
    "P-14: `must_be_compliant: false` is weaker",
    { rule: attestationRule, row: facts },
    ({ rule, row }) =>
      neverBetter(
        only({ ...rule, mustBeCompliant: true }),
        only({ ...rule, mustBeCompliant: false }),
        row
      )
  )

  it.prop(
    "P-15: an applicable rule is missing, failing or satisfied",
    { rule: attestationRule, row: facts },
    (given) => {
      const applicable = only({ ...given.rule, condition: null })
      for (const type of resolutions(applicable, given.row))
        assert.include(["missing_attestation", "non_compliant_attestation", "rule_satisfied"], type)
    }
  )

  it.prop(
    "P-16: a later compliant attestation at the level that counts satisfies (A-43)",
    { rule: plainRule, row: facts.filter(({ flows }) => flows.length > 0), at: FastCheck.nat(2) },
    ({ rule, row, at }) => {
      const index = at % row.flows.length
      const appended = append(row, index, {
        name: rule.name === "*" ? "fresh" : rule.name,
        type: rule.type === "*" ? "generic" : rule.type,
        is_compliant: true,
        level: "artifact",
        control: null
      })
      assert.strictEqual(
        resolutions(only({ ...rule, condition: null }), appended)[index],
        "rule_satisfied"
      )
    }
  )

  it.prop(
    "P-17: a compliant attestation that fits no rule changes nothing",
    { document, row: facts.filter(({ flows }) => flows.length > 0) },
    (given) => {
      const appended = append(given.row, 0, {
        name: "fits-no-rule",
        type: "custom:fits-no-rule",
        is_compliant: true,
        level: "trail",
        control: null
      })
      const named = {
        ...given.document,
        attestations: given.document.attestations.filter(({ name }) => name !== "*")
      }
      assert.deepStrictEqual(decide(named, appended), decide(named, given.row))
    }
  )

  it.prop(
    "P-18: one more flow refuses only through rules that apply to it, never through old decisions",
    { rule: attestationRule, row: facts.filter(({ flows }) => flows.length > 0) },
    ({ rule, row }) => {
      const [added, ...others] = row.flows
      const before = { ...row, flows: others }
      if (added === undefined || others.length === 0) return
      const [type] = resolutions(only(rule), row)
      if (status(only(rule), before) !== "COMPLIANT" || status(only(rule), row) === "COMPLIANT")
        return
      assert.notStrictEqual(type, "rule_not_applicable")
      if (rule.forControl === null) return
      const decisions = (flows: ReadonlyArray<FlowView>) =>
        flows.flatMap((flow) =>
          flow.attestations.filter(
            ({ control, name }) =>
              control === rule.forControl && (rule.name === "*" || rule.name === name)
          )
        )
      const old = Math.max(-1, ...decisions(others).map(({ sequence }) => sequence))
      const isNewerFailing = decisions([added]).some(
        ({ is_compliant, sequence }) => !is_compliant && sequence > old
      )
      const appliedNowhere = resolutions(only(rule), before).every(
        (found) => found === "rule_not_applicable"
      )
      assert.isTrue(isNewerFailing || appliedNowhere)
    },
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "P-19: a control is answered by the most recent fitting decision alone",
    {
      rule: controlRule,
      row: facts.filter(({ flows }) => flows.length > 0),
      isCompliant: FastCheck.boolean()
    },
    ({ rule, row, isCompliant }) => {
      const given = only({ ...rule, condition: null })
      const decided = append(row, 0, {
        name: rule.name === "*" ? "any" : rule.name,
        type: "decision",
        is_compliant: isCompliant,
        level: "trail",
        control: rule.forControl
      })
      const expected =
        isCompliant || !rule.mustBeCompliant ? "rule_satisfied" : "non_compliant_attestation"
      const last = latest(decided)
      const flipped: Facts = {
        ...decided,
        flows: decided.flows.map((flow) => ({
          ...flow,
          attestations: flow.attestations.map((fact) =>
            fact.sequence === last
              ? fact
              : { ...fact, sequence: last - fact.sequence, is_compliant: !fact.is_compliant }
          )
        }))
      }
      for (const given_row of [decided, flipped])
        assert.isTrue(resolutions(given, given_row).every((type) => type === expected))
    }
  )

  it.prop(
    "P-20: decisions of one control never answer for another",
    { rule: controlRule, row: facts },
    ({ rule, row }) => {
      const without: Facts = {
        ...row,
        flows: row.flows.map((flow) => ({
          ...flow,
          attestations: flow.attestations.filter(
            ({ control }) => control === null || control === rule.forControl
          )
        }))
      }
      assert.deepStrictEqual(decide(only(rule), row), decide(only(rule), without))
    }
  )

  it.prop(
    "P-25: renaming a flow changes nothing unless an expression names it",
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
    "P-6: neither the order of rows nor that of policies matters, and no waiver leaks",
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
    "P-6: a policy says the same in company and alone",
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
    "P-9: one more policy never pardons, and never leaves Unknown",
    { given: policies, document, row: facts },
    (drawn) => {
      const before = verdict(drawn.given, drawn.row)
      const after = verdict([...drawn.given, version(drawn.document, "one-more")], drawn.row)
      assert.notStrictEqual(after, "Unknown")
      if (before === "NonCompliant") assert.strictEqual(after, "NonCompliant")
    }
  )

  it.prop(
    "P-21: reasons are empty unless the row is refused, and each points at a failure",
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
    "P-23: any valid policy judges any row",
    { given: policies, row: facts },
    ({ given, row }) =>
      assert.include(["Compliant", "NonCompliant", "Unknown"], verdict(given, row))
  )
})
