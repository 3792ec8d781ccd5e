/** AC-14: what a masked row says is what the whole row says, or nothing; and a hidden flow is nowhere in it. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as FastCheck from "effect/FastCheck"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import { ArtifactId, FlowId, SlotName, TrailId, TrailName } from "../../src/shared/Identifier.js"
import * as FlowMask from "../../src/snapshot/FlowMask.js"
import type { FlowView } from "../../src/snapshot/FlowView.js"
import * as RowDecision from "../../src/snapshot/RowDecision.js"
import * as Fixture from "../../testing/Fixture.js"
import { isMaskOf } from "../../testing/MaskLaw.js"
import { policies } from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"

/** Names that no other text of a row has. */
const named = (given: Facts): Facts => ({
  ...given,
  flows: given.flows.map((flow, index) => ({
    ...flow,
    flow_name: `canary-flow-${index}`,
    trail_name: `canary-trail-${index}`
  }))
})

const viewOf = (flow: Facts["flows"][number]): FlowView => ({
  flow_id: FlowId.make(`id-of-${flow.flow_name}`),
  trail_id: TrailId.make(`id-of-${flow.trail_name}`),
  trail_name: TrailName.make(flow.trail_name),
  slot: SlotName.make("slot"),
  artifact_id: ArtifactId.make("artifact"),
  status: flow.artifact_status,
  reasons: [],
  git_commit: null,
  commit_url: null,
  git_commit_info: null,
  repo: null,
  first_reported_at: Fixture.AT,
  previous: null
})

const rowOf = (
  given: ReadonlyArray<PolicyEvaluation.PolicyVersion>,
  row: Facts
): FlowMask.RowWithDecisions & { readonly verdict: string } => {
  const compiled = PolicyEvaluation.compile(given)
  const { policy_decisions, verdict } = PolicyEvaluation.evaluate(compiled, row)
  return {
    verdict,
    flows: row.flows.map(viewOf),
    policy_decisions,
    reasons: RowDecision.reasonsOf(verdict, policy_decisions),
    warnings: RowDecision.warningsOf(policy_decisions)
  }
}

/** Hides the flows at some positions. */
const hiding = (row: Facts, positions: ReadonlyArray<number>): FlowMask.HiddenFlows => {
  const hidden = row.flows.filter((_, index) => positions.includes(index))
  return {
    ids: new Set(hidden.map(({ flow_name }) => `id-of-${flow_name}`)),
    names: new Set(hidden.map(({ flow_name }) => flow_name))
  }
}

const world = {
  policies,
  facts: facts.map(named),
  positions: FastCheck.uniqueArray(FastCheck.nat(3), { maxLength: 4 })
}

describe("a masked row", () => {
  it.prop("says what the whole one says, or nothing: AC-14", world, (given) => {
    const whole = rowOf(given.policies, given.facts)
    const masked = FlowMask.rows(hiding(given.facts, given.positions))(whole)
    assert.isTrue(isMaskOf(masked, whole))
    assert.strictEqual(masked.verdict, whole.verdict)
  })

  it.prop("has no word of hidden flows: AC-11", world, (given) => {
    const hidden = hiding(given.facts, given.positions)
    const text = JSON.stringify(FlowMask.rows(hidden)(rowOf(given.policies, given.facts)))
    for (const [index, flow] of given.facts.flows.entries()) {
      if (!given.positions.includes(index)) continue
      assert.notInclude(text, flow.flow_name)
      assert.notInclude(text, flow.trail_name)
    }
  })

  it.prop("fails the same rules for the same kinds of reasons", world, (given) => {
    const whole = rowOf(given.policies, given.facts)
    const masked = FlowMask.rows(hiding(given.facts, given.positions))(whole)
    const kinds = ({ policy_decisions, reasons, warnings }: FlowMask.RowWithDecisions) => ({
      rules: policy_decisions.map(({ policy_name, rule_evaluations, status }) => [
        policy_name,
        status,
        rule_evaluations.map(({ ignored, resolutions, satisfied }) => [
          satisfied,
          ignored,
          [...new Set(resolutions.map(({ type }) => type))].sort()
        ])
      ]),
      reasons: [...reasons, ...warnings].map(({ policy_name, rule_index, type }) =>
        [policy_name, rule_index, type].join()
      )
    })
    const [one, other] = [kinds(masked), kinds(whole)]
    deepStrictEqual(one.rules, other.rules)
    deepStrictEqual(new Set(one.reasons), new Set(other.reasons))
  })

  it.prop(
    "is the same object where no flow is hidden, and hides the primary flow first",
    world,
    (given) => {
      const whole = rowOf(given.policies, given.facts)
      const masked = FlowMask.rows(hiding(given.facts, given.positions))(whole)
      const [primary] = whole.flows
      const isPrimary = primary !== undefined && given.positions.includes(0)
      const isAny = whole.flows.some((_, index) => given.positions.includes(index))
      assert.strictEqual(masked === whole, !isAny)
      assert.strictEqual(masked.hidden, isPrimary ? "primary" : isAny ? "other" : undefined)
      assert.strictEqual(FlowMask.primaryOf(masked), isPrimary ? undefined : primary)
    }
  )

  it("has one result for several hidden flows that are alike, which counts none", () => {
    const context = { flow_name: "a", trail_name: "t", artifact_status: null }
    const decision = {
      policy_name: "p",
      policy_version: 1,
      status: "NON-COMPLIANT" as const,
      rule_evaluations: [
        {
          rule: {
            type: "provenance" as const,
            definition: { required: true, exceptions: [] }
          },
          satisfied: false,
          ignored: false,
          resolutions: ["a", "b", "c"].map((flow_name) => ({
            type: "provenance_expired" as const,
            context: { ...context, flow_name, expired_at: 1 }
          }))
        }
      ]
    }
    const hidden = { ids: new Set<string>(), names: new Set(["a", "c"]) }
    const [masked] = FlowMask.decisions(hidden, [decision])
    deepStrictEqual(masked?.rule_evaluations[0]?.resolutions, [
      {
        type: "provenance_expired",
        context: { flow_name: null, trail_name: null, artifact_status: null, hidden: true }
      },
      {
        type: "provenance_expired",
        context: { ...context, flow_name: "b", expired_at: 1 }
      }
    ])
  })
})
