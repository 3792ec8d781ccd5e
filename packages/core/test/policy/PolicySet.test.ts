import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import {
  CONTEXT_CONTROL,
  CONTEXT_PLAIN,
  CONTEXT_STATUS,
  MISSING_PROVENANCE,
  NOT_APPLICABLE,
  Row,
  SATISFIED
} from "../../src/policy/internal/PolicyRow.js"
import {
  compileAttestation,
  compileRequirement,
  evaluateRule
} from "../../src/policy/internal/PolicyRules.js"
import * as PolicySet from "../../src/policy/internal/PolicySet.js"
import { TIMELESS } from "../../src/policy/Moment.js"
import type { AttestationRule, PolicyDocument } from "../../src/policy/PolicyDocument.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { AttestationFact, FlowView } from "../../src/policy/PolicyFacts.js"
import { evaluate, FALSE, TRUE } from "../../src/policy/PolicyPredicate.js"
import { attestation } from "./AttestationSample.js"

const condition = (text: string) => ({
  text,
  expression: Either.getOrThrow(PolicyExpression.parse(text))
})
const rule = (over: Partial<AttestationRule> = {}): AttestationRule => ({
  type: "junit",
  name: "unit",
  condition: null,
  mustBeCompliant: true,
  forControl: null,
  ...over
})
const document = (over: Partial<PolicyDocument> = {}): PolicyDocument => ({
  schema: "https://x.example/v1",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: [],
  ...over
})
const attesting = (...attestations: ReadonlyArray<AttestationRule>) => document({ attestations })

const artifact = { name: "shop", fingerprint: "f".repeat(64) }
const flow = (flow_name: string, over: Partial<FlowView> = {}): FlowView => ({
  flow_name,
  tags: {},
  trail_name: `${flow_name}-1`,
  artifact_status: "COMPLIANT",
  attestations: [],
  ...over
})

describe("PolicySet: memo slots", () => {
  it("has a slot of each flow for evidence that two rules share, none for the rest", () => {
    const once = rule({ name: "once" })
    const { slotOf, slots } = PolicySet.make([attesting(rule(), once), attesting(rule())])
    assert.deepStrictEqual([slotOf(rule()), slotOf(once)], [0, -1])
    assert.deepStrictEqual([slots.ofFlow, slots.ofRow, slots.blank], [1, 0, [0]])
  })

  it("shares a slot between rules only for the same evidence", () => {
    for (const over of [{ name: "lint" }, { type: "snyk" }, { mustBeCompliant: false }]) {
      const { slotOf, slots } = PolicySet.make([attesting(rule(), rule(over))])
      assert.deepStrictEqual([slotOf(rule()), slotOf(rule(over)), slots.ofFlow], [-1, -1, 0])
    }
    const gated = rule({ condition: condition("exists(flow)") })
    assert.strictEqual(PolicySet.make([attesting(rule(), gated)]).slotOf(gated), 0)
  })

  it("numbers repeated keys in order of first use", () => {
    const rules = ["a", "b", "c"].map((name) => rule({ name }))
    const [a, b, c] = rules
    if (a === undefined || b === undefined || c === undefined) return assert.fail("are three")
    const { slotOf, slots } = PolicySet.make([attesting(a, b, c), attesting(c, a)])
    assert.deepStrictEqual([slotOf(a), slotOf(b), slotOf(c)].sort(), [-1, 0, 1])
    assert.strictEqual(slotOf(b), -1)
    assert.strictEqual(slots.ofFlow, 2)
  })

  it("has a slot of the row for each rule about a control, after those of conditions", () => {
    const first = rule({ type: "decision", forControl: "A" })
    const second = rule({ type: "decision", forControl: "B" })
    const again = rule({ type: "decision", forControl: "A" })
    const gate = condition('matches(artifact.name, "a+")')
    const { indexOf, slotOf, slots } = PolicySet.make([
      attesting(first, rule({ condition: gate })),
      attesting(second, again)
    ])
    assert.deepStrictEqual([slotOf(first), slotOf(second), slotOf(again)], [1, 2, 3])
    assert.deepStrictEqual(slots.controls, ["A", "B"])
    assert.deepStrictEqual([indexOf("A"), indexOf("B")], [0, 1])
    assert.deepStrictEqual([slots.ofRow, slots.ofFlow], [4, 0])
    assert.deepStrictEqual(slots.blank, [0, 0, 0, 0])
  })

  it("has the slots of evidence after those of conditions about the flow", () => {
    const gate = condition('flow.name == "a"')
    const { slotOf, slots } = PolicySet.make([
      attesting(rule({ condition: gate }), rule({ condition: gate }))
    ])
    assert.deepStrictEqual([slotOf(rule()), slots.ofFlow], [1, 2])
  })

  it("ignores the exceptions of what is not required", () => {
    const exceptions = [condition('matches(artifact.name, "a+")')]
    for (const section of ["provenance", "trailCompliance"] as const)
      for (const required of [true, false]) {
        const { slots } = PolicySet.make([document({ [section]: { required, exceptions } })])
        assert.strictEqual(slots.ofRow, required ? 1 : 0)
      }
  })

  it("has a predicate for several conditions, and none without one", () => {
    const { predicate } = PolicySet.make([])
    const holds = (...texts: ReadonlyArray<string>) => {
      const asked = predicate(texts.map(condition))
      return asked === null
        ? null
        : evaluate(asked, { artifact, flow: flow("b"), memo: [], base: 0 })
    }
    assert.isNull(holds())
    assert.strictEqual(holds('flow.name == "a"'), FALSE)
    assert.strictEqual(holds('flow.name == "b"'), TRUE)
    assert.strictEqual(holds('flow.name == "a"', 'flow.name == "b"'), TRUE)
    assert.strictEqual(holds('flow.name == "a"', 'flow.name == "c"'), FALSE)
  })
})

describe("PolicyRow", () => {
  const { slots } = PolicySet.make([
    attesting(rule(), rule(), rule({ type: "decision", forControl: "CTL" }))
  ])
  const row = (...flows: ReadonlyArray<FlowView>) => new Row({ artifact, flows }, slots)

  it("has a frame for each flow, each with its own slots", () => {
    for (const count of [1, 2, 3]) {
      const flows = Array.from({ length: count }, (_, index) => flow(`f${index}`))
      const { first, frames, memo, others } = row(...flows)
      assert.deepStrictEqual([first, ...others], frames)
      assert.deepStrictEqual(
        frames.map((frame) => frame.flow?.flow_name),
        flows.map(({ flow_name }) => flow_name)
      )
      assert.deepStrictEqual(
        frames.map(({ base }) => base),
        flows.map((_, index) => slots.ofRow + index * slots.ofFlow)
      )
      assert.deepStrictEqual(memo, new Array(slots.ofRow + count * slots.ofFlow).fill(0))
      assert.isTrue(frames.every((frame) => frame.memo === memo && frame.artifact === artifact))
    }
  })

  it("has one frame without a flow when no flow knows the artifact", () => {
    const { first, frames, others } = row()
    assert.deepStrictEqual([first.flow, frames.length, others.length], [null, 1, 0])
  })

  it("creates resolutions once, and one for each flow", () => {
    const two = row(flow("a"), flow("b", { artifact_status: "INCOMPLETE" }))
    const made = two.alike(CONTEXT_STATUS, SATISFIED)
    assert.strictEqual(two.alike(CONTEXT_STATUS, SATISFIED), made)
    assert.deepStrictEqual(made, [
      {
        type: "rule_satisfied",
        context: { flow_name: "a", trail_name: "a-1", artifact_status: "COMPLIANT" }
      },
      {
        type: "rule_satisfied",
        context: { flow_name: "b", trail_name: "b-1", artifact_status: "INCOMPLETE" }
      }
    ])
    assert.strictEqual(two.resolution(CONTEXT_STATUS, SATISFIED, 1), made[1])
    assert.strictEqual(two.alike(CONTEXT_STATUS, NOT_APPLICABLE)[0]?.context, made[0]?.context)
  })

  it("shows the status with trail-compliance only, and the control with its rules only", () => {
    const one = row(flow("a"))
    const place = { flow_name: "a", trail_name: "a-1" }
    assert.deepStrictEqual(one.alike(CONTEXT_PLAIN, NOT_APPLICABLE), [
      { type: "rule_not_applicable", context: { ...place, artifact_status: null } }
    ])
    assert.deepStrictEqual(one.alike(CONTEXT_CONTROL, SATISFIED), [
      { type: "rule_satisfied", context: { ...place, artifact_status: null, for_control: "CTL" } }
    ])
    const none = { flow_name: null, trail_name: null, artifact_status: null }
    for (const context of [CONTEXT_PLAIN, CONTEXT_STATUS])
      assert.deepStrictEqual(row().alike(context, MISSING_PROVENANCE), [
        { type: "missing_provenance", context: none }
      ])
  })
})

describe("PolicyRules: shared work of a set", () => {
  /** A flow that counts the passes over its attestations. */
  const counted = (flow_name: string, ...given: ReadonlyArray<AttestationFact>) => {
    const seen = { count: 0 }
    const attestations = Object.assign([...given], {
      [Symbol.iterator]: () => {
        seen.count++
        return given[Symbol.iterator]()
      }
    })
    return { seen, view: flow(flow_name, { attestations }) }
  }

  const evaluated = (rules: ReadonlyArray<AttestationRule>, ...flows: ReadonlyArray<FlowView>) => {
    const compiler = PolicySet.make([attesting(...rules)])
    const row = new Row({ artifact, flows }, compiler.slots)
    return rules.map((asked) => evaluateRule(compileAttestation(asked, compiler), row, TIMELESS))
  }

  it("reads evidence that several rules share once in each flow", () => {
    const fits = counted("a", attestation())
    const fails = counted("b", attestation({ is_compliant: false }))
    const [first, second] = evaluated([rule(), rule()], fits.view, fails.view)
    assert.deepStrictEqual(second, first)
    assert.deepStrictEqual(
      first?.resolutions.map(({ type }) => type),
      ["rule_satisfied", "non_compliant_attestation"]
    )
    assert.deepStrictEqual([fits.seen.count, fails.seen.count], [1, 1])
  })

  it("reads the decision about a control once for the rule", () => {
    const decision = attestation({ type: "decision", control: "CTL", is_compliant: false })
    const one = counted("a", decision)
    const two = counted("b")
    const [found] = evaluated(
      [rule({ type: "decision", name: "*", forControl: "CTL" })],
      one.view,
      two.view
    )
    assert.deepStrictEqual(
      found?.resolutions.map(({ type }) => type),
      ["non_compliant_attestation", "non_compliant_attestation"]
    )
    assert.deepStrictEqual([one.seen.count, two.seen.count], [1, 1])
  })

  it("returns frozen rules", () => {
    const compiler = PolicySet.make([])
    const exceptions = [condition("exists(flow)")]
    const { rule: shown } = compileRequirement(
      "provenance",
      { required: true, exceptions },
      compiler
    )
    assert.deepStrictEqual<unknown>(shown, {
      type: "provenance",
      definition: { required: true, exceptions: [{ if: { text: "exists(flow)" } }] }
    })
    const { rule: asked } = compileAttestation(
      rule({ condition: condition("exists(flow)") }),
      compiler
    )
    const parts = (value: unknown): ReadonlyArray<unknown> =>
      typeof value === "object" && value !== null
        ? [value, ...Object.values(value).flatMap(parts)]
        : []
    for (const part of [...parts(shown), ...parts(asked)]) assert.isTrue(Object.isFrozen(part))
  })
})
