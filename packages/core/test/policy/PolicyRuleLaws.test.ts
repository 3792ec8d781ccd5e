import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { AttestationFact, Facts, FlowView } from "../../src/policy/PolicyFacts.js"
import { attestationRule, document } from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"
import {
  ALWAYS,
  decide,
  ERROR,
  NEVER,
  neverBetter,
  only,
  resolutions,
  status
} from "./PolicyLawKit.js"

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

describe("PolicyEvaluation: laws of rules about attestations", () => {
  it.prop(
    "POL-13, COND-11: False skips, True and Error equal no condition",
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
    "POL-14: `must_be_compliant: false` is weaker",
    { rule: attestationRule, row: facts },
    ({ rule, row }) =>
      neverBetter(
        only({ ...rule, mustBeCompliant: true }),
        only({ ...rule, mustBeCompliant: false }),
        row
      )
  )

  it.prop(
    "POL-15: an applicable rule is missing, failing or satisfied",
    { rule: attestationRule, row: facts },
    (given) => {
      const applicable = only({ ...given.rule, condition: null })
      for (const type of resolutions(applicable, given.row))
        assert.include(["missing_attestation", "non_compliant_attestation", "rule_satisfied"], type)
    }
  )

  it.prop(
    "POL-16: a later compliant attestation at the deciding level satisfies",
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
    "POL-17: a compliant attestation that matches no rule changes nothing",
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
    "POL-18: one more flow fails only through rules that apply to it, never through old decisions",
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
    "POL-19: the most recent matching decision alone decides about a control",
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
    "POL-20: decisions of one control never count for another",
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
})
