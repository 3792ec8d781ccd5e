import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { AttestationFact, FlowView } from "../../src/policy/PolicyFacts.js"
import { attestation } from "./AttestationSample.js"

const decision = (sequence: number, is_compliant: boolean) =>
  attestation({ sequence, is_compliant, name: "go", type: "decision", control: "CTL" })
const flow = (flow_name: string, ...attestations: ReadonlyArray<AttestationFact>): FlowView => ({
  flow_name,
  tags: {},
  trail_name: "t",
  artifact_status: "COMPLIANT",
  attestations
})

/** The result of the only rule about attestations, in total and in each flow. */
const evaluate = (rules: string, ...flows: ReadonlyArray<FlowView>) => {
  const document = Either.getOrThrow(
    PolicyDocument.parse(`_schema: https://x.example/v1\nartifacts: { attestations: [${rules}] }`)
  )
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document }])
  const artifact = { name: "shop", fingerprint: "f".repeat(64) }
  const { policy_decisions } = PolicyEvaluation.evaluate(compiled, { artifact, flows })
  return policy_decisions
    .flatMap(({ rule_evaluations }) => rule_evaluations.slice(2))
    .map(({ ignored, resolutions, satisfied }) => ({
      satisfied,
      ignored,
      types: resolutions.map(({ type }) => type)
    }))
}

const notInA = `if: { text: 'flow.name != "a"' }`

describe("a rule over flows with different results", () => {
  const rule = `{ type: junit, name: unit, ${notInA} }`

  it("holds when it holds wherever it applies", () =>
    assert.deepStrictEqual(evaluate(rule, flow("a"), flow("b", attestation())), [
      { satisfied: true, ignored: false, types: ["rule_not_applicable", "rule_satisfied"] }
    ]))

  it("fails when it fails in one flow that it applies to", () => {
    const failing = attestation({ is_compliant: false })
    assert.deepStrictEqual(
      evaluate(rule, flow("a"), flow("b", attestation()), flow("c", failing), flow("d")),
      [
        {
          satisfied: false,
          ignored: false,
          types: [
            "rule_not_applicable",
            "rule_satisfied",
            "non_compliant_attestation",
            "missing_attestation"
          ]
        }
      ]
    )
  })

  it("is ignored where it applies to none", () =>
    assert.deepStrictEqual(evaluate(rule, flow("a", attestation({ is_compliant: false }))), [
      { satisfied: null, ignored: true, types: ["rule_not_applicable"] }
    ]))

  it("memoises its result for each flow, and for each rule", () => {
    const both = `{ type: junit, name: unit }, { type: junit, name: lint }`
    const flows = [
      flow("b", attestation()),
      flow("c", attestation({ name: "lint", is_compliant: false }))
    ]
    const unit = {
      satisfied: false,
      ignored: false,
      types: ["rule_satisfied", "missing_attestation"]
    }
    const lint = {
      satisfied: false,
      ignored: false,
      types: ["missing_attestation", "non_compliant_attestation"]
    }
    assert.deepStrictEqual<unknown>(evaluate(`${both}, ${both}`, ...flows), [
      unit,
      lint,
      unit,
      lint
    ])
  })
})

describe("a rule about a control over several flows", () => {
  const rule = `{ type: decision, for_control: CTL, ${notInA} }`

  it("ignores decisions in flows that it does not apply to", () => {
    assert.deepStrictEqual(
      evaluate(rule, flow("a", decision(9, false)), flow("b", decision(1, true))),
      [{ satisfied: true, ignored: false, types: ["rule_not_applicable", "rule_satisfied"] }]
    )
    assert.deepStrictEqual(evaluate(rule, flow("a", decision(9, true)), flow("b")), [
      { satisfied: false, ignored: false, types: ["rule_not_applicable", "missing_attestation"] }
    ])
  })

  it("applies the latest decision of all flows to each of them", () =>
    assert.deepStrictEqual(
      evaluate(rule, flow("b", decision(1, true)), flow("c", decision(2, false))),
      [
        {
          satisfied: false,
          ignored: false,
          types: ["non_compliant_attestation", "non_compliant_attestation"]
        }
      ]
    ))

  it("misses its decision where no flow knows the artifact", () =>
    assert.deepStrictEqual(evaluate(`{ type: decision, for_control: CTL }`), [
      { satisfied: false, ignored: false, types: ["missing_attestation"] }
    ]))
})
