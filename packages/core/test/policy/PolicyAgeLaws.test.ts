/** Laws of evidence that ages: F-1 to F-5. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { agedDocument, document } from "../../testing/PolicyDocument.js"
import * as PolicyEvaluationModel from "../../testing/PolicyEvaluationModel.js"
import { agedFacts, FIRST_REPORTED } from "../../testing/PolicyFacts.js"

const DAY = 86_400

/** A moment in the ten days that begin before the first report, on a boundary or next to one. */
const moment = FastCheck.record({
  half: FastCheck.integer({ min: -2, max: 20 }),
  micros: FastCheck.integer({ min: -1, max: 1 })
}).map(({ half, micros }) => ({
  now: Timestamp.fromMicros((FIRST_REPORTED + half * 43_200) * 1_000_000 + micros),
  waivers: []
}))

const policyOf = (drawn: PolicyDocument.PolicyDocument) => ({
  id: "p",
  name: "p",
  version: 1,
  document: drawn
})

const compiledOf = (drawn: PolicyDocument.PolicyDocument) =>
  PolicyEvaluation.compile([policyOf(drawn)])

const given = { aged: agedDocument, facts: agedFacts, moment }
const isDeep = process.env.ATTESTRY_DEEP !== undefined
const every = { fastCheck: { numRuns: isDeep ? 20_000 : 300 } }

const outcomesOf = ({ policy_decisions }: PolicyEvaluation.PolicyEvaluation) =>
  policy_decisions.flatMap(({ rule_evaluations }) =>
    rule_evaluations.flatMap(({ resolutions }) => resolutions.map(({ type }) => type))
  )

/** The facts with every instant moved to a moment. */
const renewedAt = ({ now }: { readonly now: Timestamp.Timestamp }, facts: Facts): Facts => {
  const reported_at = Timestamp.toSeconds(now)
  return {
    ...facts,
    flows: facts.flows.map((flow) => ({
      ...flow,
      reported_at,
      attestations: flow.attestations.map((fact) => ({ ...fact, reported_at }))
    }))
  }
}

describe("evidence that ages", () => {
  it.prop(
    "is evaluated as the model does",
    given,
    ({ aged, facts, moment: at }) =>
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiledOf(aged), facts, at),
        PolicyEvaluationModel.evaluate([policyOf(aged)], facts, at)
      ),
    every
  )

  it.prop(
    "F-1: leaves documents of version 1 as they are, whatever the moment",
    { drawn: document, facts: agedFacts, moment },
    ({ drawn, facts, moment: at }) => {
      const compiled = compiledOf(drawn)
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, facts, at),
        PolicyEvaluation.evaluate(compiled, facts)
      )
      assert.isNull(PolicyEvaluation.nextChange(compiled, facts, at))
    },
    every
  )

  it.prop(
    "F-2: only turns a rule from satisfied to expired as time passes",
    { ...given, later: FastCheck.nat(10 * DAY) },
    ({ aged, facts, later, moment: at }) => {
      const compiled = compiledOf(aged)
      const after = { now: Timestamp.plusSeconds(at.now, later), waivers: [] }
      const then = outcomesOf(PolicyEvaluation.evaluate(compiled, facts, after))
      for (const [index, before] of outcomesOf(
        PolicyEvaluation.evaluate(compiled, facts, at)
      ).entries())
        if (before === "rule_satisfied")
          assert.include(
            ["rule_satisfied", "evidence_expired", "provenance_expired"],
            String(then[index])
          )
        else assert.strictEqual(then[index], before)
    },
    every
  )

  it.prop(
    "F-3: is restored by new evidence, and a longer max_age accepts more",
    given,
    ({ aged, facts, moment: at }) => {
      const renewed = outcomesOf(
        PolicyEvaluation.evaluate(compiledOf(aged), renewedAt(at, facts), at)
      )
      assert.notInclude(renewed, "evidence_expired")
      assert.notInclude(renewed, "provenance_expired")
      const longer = {
        ...aged,
        attestations: aged.attestations.map((rule) =>
          rule.maxAge === undefined ? rule : { ...rule, maxAge: rule.maxAge + DAY }
        )
      }
      const accepts = (drawn: PolicyDocument.PolicyDocument) =>
        PolicyEvaluation.evaluate(compiledOf(drawn), facts, at).verdict === "Compliant"
      if (accepts(aged)) assert.isTrue(accepts(longer))
    },
    every
  )

  it.prop(
    "F-4: nextChange is exact",
    given,
    ({ aged, facts, moment: at }) => {
      const compiled = compiledOf(aged)
      const now = PolicyEvaluation.evaluate(compiled, facts, at)
      const next = PolicyEvaluation.nextChange(compiled, facts, at)
      const evaluatedAt = (instant: number) =>
        PolicyEvaluation.evaluate(compiled, facts, {
          now: Timestamp.fromMicros(instant),
          waivers: []
        })
      if (next === null) {
        assert.deepStrictEqual(evaluatedAt(at.now + 100 * DAY * 1_000_000), now)
        return
      }
      assert.isAbove(next, at.now)
      assert.deepStrictEqual(evaluatedAt(next - 1), now)
      assert.notDeepEqual(evaluatedAt(next), now)
    },
    every
  )

  it.prop(
    "F-4: failsFrom is the end of a compliant verdict",
    given,
    ({ aged, facts, moment: at }) => {
      const compiled = compiledOf(aged)
      const verdictAt = (instant: number) =>
        PolicyEvaluation.evaluate(compiled, facts, {
          now: Timestamp.fromMicros(instant),
          waivers: []
        }).verdict
      if (verdictAt(at.now) !== "Compliant") return
      const end = PolicyEvaluation.failsFrom(compiled, facts, at)
      const last = end === null ? at.now + 100 * DAY * 1_000_000 : end - 1
      assert.strictEqual(verdictAt(last), "Compliant")
      if (end !== null) assert.strictEqual(verdictAt(end), "NonCompliant")
    },
    every
  )

  it.prop(
    "F-5: does not depend on the order of facts",
    given,
    ({ aged, facts, moment: at }) => {
      const reversed = {
        ...facts,
        flows: facts.flows.map((flow) => ({
          ...flow,
          attestations: [...flow.attestations].reverse()
        }))
      }
      const compiled = compiledOf(aged)
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, reversed, at),
        PolicyEvaluation.evaluate(compiled, facts, at)
      )
    },
    every
  )

  it.prop(
    "is printed and read back",
    { aged: agedDocument },
    ({ aged }) => {
      const read = Either.getOrThrow(PolicyDocument.parse(PolicyDocument.print(aged)))
      assert.deepStrictEqual(PolicyDocument.dump(read), PolicyDocument.dump(aged))
      assert.strictEqual(PolicyDocument.dump(read).schema_version, "2")
    },
    every
  )

  it("never passes without a moment, and without an instant", () => {
    const aged = Either.getOrThrow(
      PolicyDocument.parse(
        "_schema: https://a.example/v2\nartifacts:\n  provenance: {required: true, max_age: 90d}\n"
      )
    )
    const flow = {
      flow_name: "f",
      tags: {},
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations: []
    } as const
    const artifact = { name: "a", fingerprint: "" }
    const at = { now: Timestamp.fromSeconds(FIRST_REPORTED), waivers: [] }
    const verdictOf = (facts: Facts, when?: typeof at) =>
      PolicyEvaluation.evaluate(compiledOf(aged), facts, when).verdict
    const known = { artifact, flows: [{ ...flow, reported_at: FIRST_REPORTED }] }
    assert.strictEqual(verdictOf(known, at), "Compliant")
    assert.strictEqual(verdictOf(known), "NonCompliant")
    assert.strictEqual(verdictOf({ artifact, flows: [flow] }, at), "NonCompliant")
  })
})

describe("max_age in a policy", () => {
  const problems = (text: string) =>
    Either.match(PolicyDocument.parse(text), {
      onLeft: ({ problems: found }) => found.map(({ message, path }) => `${path}: ${message}`),
      onRight: () => []
    })
  const rule = (version: string, age: string) =>
    `_schema: https://a.example/${version}\nartifacts:\n  attestations:\n    - {type: snyk, max_age: ${age}}\n`

  it("has a number and a unit, up to 3,650 days", () => {
    for (const age of ["1m", "90m", "12h", "7d", "4w", "3650d", "99999m"])
      assert.deepStrictEqual(problems(rule("v2", age)), [], age)
    for (const age of ["0d", "3651d", "7", "7 d", "-7d", "1y", "01d", "100000m", "522w", "true"])
      assert.match(problems(rule("v2", age)).join(), /max_age: expected an age/, age)
  })

  it("is unknown in version 1, with the version that has it", () =>
    assert.deepStrictEqual(problems(rule("v1", "7d")), [
      "artifacts.attestations.0.max_age: unknown key `max_age`: version 2 of policies has it: " +
        "end the address in `_schema` with `/v2`"
    ]))
})
