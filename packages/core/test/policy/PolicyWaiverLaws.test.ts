/** Laws of waivers in evaluations: W-1 to W-4, W-7, W-8, and that `nextChange` is exact with them. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as ActiveWaiver from "../../src/policy/ActiveWaiver.js"
import type { Resolution } from "../../src/policy/PolicyDecision.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { instant, waiversOf } from "../../testing/arbitrary/ActiveWaiver.js"
import { agedDocument } from "../../testing/PolicyDocument.js"
import * as PolicyEvaluationModel from "../../testing/PolicyEvaluationModel.js"
import { agedFacts, FIRST_REPORTED } from "../../testing/PolicyFacts.js"

const isDeep = process.env.ATTESTRY_DEEP !== undefined
const every = { fastCheck: { numRuns: isDeep ? 20_000 : 300 } }

const given = {
  one: agedDocument,
  other: agedDocument,
  facts: agedFacts,
  now: instant,
  waivers: waiversOf(["one", "other"])
}

const policy = (name: string, document: PolicyDocument.PolicyDocument) => ({
  id: name,
  name,
  version: 1,
  document
})

const policiesOf = (drawn: Record<"one" | "other", PolicyDocument.PolicyDocument>) => [
  policy("one", drawn.one),
  policy("other", drawn.other)
]

const compiledOf = (drawn: Record<"one" | "other", PolicyDocument.PolicyDocument>) =>
  PolicyEvaluation.compile(policiesOf(drawn))

/** The result that a resolution has without waivers. */
const unwaived = ({ context, type }: Resolution): Resolution => {
  if (context.waived === undefined) return { type, context }
  const { expires_at: _, waived, waiver: __, ...rest } = context
  return { type: waived, context: rest }
}

/** The evaluation without waivers, read off one with them. */
const withoutWaivers = (
  evaluation: PolicyEvaluation.PolicyEvaluation
): PolicyEvaluation.PolicyEvaluation => {
  const policy_decisions = evaluation.policy_decisions.map((decision) => {
    const rule_evaluations = decision.rule_evaluations.map((each) => {
      const isWaived = each.resolutions.some(({ type }) => type === "rule_waived")
      return {
        ...each,
        satisfied: isWaived ? false : each.satisfied,
        resolutions: each.resolutions.map(unwaived)
      }
    })
    const fails = rule_evaluations.some(({ satisfied }) => satisfied === false)
    return {
      ...decision,
      status: fails ? ("NON-COMPLIANT" as const) : ("COMPLIANT" as const),
      rule_evaluations
    }
  })
  return { verdict: PolicyEvaluation.verdictOf(policy_decisions), policy_decisions }
}

const resolutionsOf = ({ policy_decisions }: PolicyEvaluation.PolicyEvaluation) =>
  policy_decisions.flatMap(({ policy_name, rule_evaluations }) =>
    rule_evaluations.flatMap(({ resolutions, rule }) =>
      resolutions.map((resolution) => ({ policy_name, rule, ...resolution }))
    )
  )

describe("waivers", () => {
  it.prop(
    "are evaluated as the model does",
    given,
    ({ facts, now, waivers, ...drawn }) =>
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiledOf(drawn), facts, { now, waivers }),
        PolicyEvaluationModel.evaluate(policiesOf(drawn), facts, { now, waivers })
      ),
    every
  )

  it.prop(
    "W-1: never fail a policy, and removing one restores exactly its results",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      const plain = PolicyEvaluation.evaluate(compiled, facts, { now, waivers: [] })
      const waived = PolicyEvaluation.evaluate(compiled, facts, { now, waivers })
      for (const [index, { status }] of plain.policy_decisions.entries())
        if (status === "COMPLIANT")
          assert.deepStrictEqual(waived.policy_decisions[index], plain.policy_decisions[index])
      for (const { number } of waivers) {
        const fewer = resolutionsOf(
          PolicyEvaluation.evaluate(compiled, facts, {
            now,
            waivers: waivers.filter((waiver) => waiver.number !== number)
          })
        )
        for (const [index, before] of resolutionsOf(waived).entries())
          if (before.context.waiver !== number) assert.deepStrictEqual(fewer[index], before)
          else assert.notStrictEqual(fewer[index]?.context.waiver, number)
      }
    },
    every
  )

  it.prop(
    "W-2: do nothing outside of their time",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      const idle = waivers.filter((waiver) => !ActiveWaiver.isInForce(waiver, now))
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: idle }),
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: [] })
      )
    },
    every
  )

  it.prop(
    "W-3: of a whole policy equal one waiver for each of its rules",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      const [first] = waivers
      if (first === undefined) return
      const whole = { ...first, rule: null }
      const rules = compiled.policies
        .filter(({ policy: { name } }) => name === first.policy_name)
        .flatMap((each) => each.rules)
      const union = rules.map(({ rule }) => ({ ...first, rule: ActiveWaiver.ruleOf(rule) }))
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: [whole] }),
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: union })
      )
    },
    every
  )

  it.prop(
    "W-4: leave the evaluation without them readable",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      assert.deepStrictEqual(
        withoutWaivers(PolicyEvaluation.evaluate(compiled, facts, { now, waivers })),
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: [] })
      )
    },
    every
  )

  it.prop(
    "W-7: match the same rules in any order of rules",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const reversed = {
        ...drawn,
        one: { ...drawn.one, attestations: [...drawn.one.attestations].reverse() }
      }
      const decisionOf = (each: typeof drawn) =>
        PolicyEvaluation.evaluate(compiledOf(each), facts, { now, waivers }).policy_decisions[0]
          ?.rule_evaluations ?? []
      const straight = decisionOf(drawn)
      assert.deepStrictEqual(
        [...straight.slice(0, 2), ...straight.slice(2).reverse()],
        decisionOf(reversed)
      )
    },
    every
  )

  it.prop(
    "W-8: reach only the flows, artifacts and policies that they name, in any order of flows and waivers",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      const found = resolutionsOf(PolicyEvaluation.evaluate(compiled, facts, { now, waivers }))
      for (const { context, policy_name, rule, type } of found) {
        if (type !== "rule_waived") continue
        const waiver = waivers.find(({ number }) => number === context.waiver)
        if (waiver === undefined) throw new Error("the waiver is not one of those given")
        const flow = facts.flows.find(({ flow_name }) => flow_name === context.flow_name) ?? null
        assert.strictEqual(waiver.policy_name, policy_name)
        assert.isTrue(ActiveWaiver.fits(waiver.rule, rule))
        assert.isTrue(
          waiver.condition === null ||
            PolicyExpression.evaluate(waiver.condition.expression, {
              artifact: facts.artifact,
              flow
            }) === "True"
        )
      }
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers: [...waivers].reverse() }),
        PolicyEvaluation.evaluate(compiled, facts, { now, waivers })
      )
    },
    every
  )

  it.prop(
    "F-4: nextChange is exact",
    given,
    ({ facts, now, waivers, ...drawn }) => {
      const compiled = compiledOf(drawn)
      const evaluatedAt = (at: number) =>
        PolicyEvaluation.evaluate(compiled, facts, { now: Timestamp.fromMicros(at), waivers })
      const next = PolicyEvaluation.nextChange(compiled, facts, { now, waivers })
      if (next === null) {
        assert.deepStrictEqual(evaluatedAt(now + 1e14), evaluatedAt(now))
        return
      }
      assert.isAbove(next, now)
      const turns = waivers.flatMap(ActiveWaiver.turnsOf)
      for (const at of [next - 1, ...turns.filter((turn) => turn > now && turn < next)])
        assert.deepStrictEqual(evaluatedAt(at), evaluatedAt(now))
      assert.notDeepEqual(evaluatedAt(next), evaluatedAt(now))
    },
    every
  )

  it("cannot waive a policy that does not parse", () => {
    const document = Either.match(PolicyDocument.parse("_schema: none"), {
      onLeft: (error) => error,
      onRight: (read) => read
    })
    const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document }])
    const waiver = ActiveWaiver.make({
      number: 1,
      policy_name: "p",
      rule: null,
      condition: null,
      starts_at: Timestamp.fromSeconds(FIRST_REPORTED),
      expires_at: Timestamp.fromSeconds(FIRST_REPORTED + 60)
    })
    const facts = { artifact: { name: "a", fingerprint: "" }, flows: [] }
    const moment = { now: Timestamp.fromSeconds(FIRST_REPORTED), waivers: [waiver] }
    assert.strictEqual(PolicyEvaluation.evaluate(compiled, facts, moment).verdict, "NonCompliant")
  })
})
