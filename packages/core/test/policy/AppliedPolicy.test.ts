import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as AppliedPolicy from "../../src/policy/AppliedPolicy.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"

describe("AppliedPolicy", () => {
  it.prop(
    "POL-22: lists the fingerprints of the rows that a policy fails",
    { given: Generated.policies, rows: FastCheck.array(facts, { maxLength: 5 }) },
    ({ given, rows }) => {
      const compiled = PolicyEvaluation.compile(given)
      const evaluated = rows.map((row) => ({
        fingerprint: row.artifact.fingerprint,
        policy_decisions: PolicyEvaluation.evaluate(compiled, row).policy_decisions
      }))
      const applied = AppliedPolicy.fromRows(compiled, evaluated)
      assert.deepStrictEqual(
        applied.map(({ name }) => name),
        given.map(({ name }) => name).sort()
      )
      for (const { failing_artifacts, id, name, policy_dump, version } of applied) {
        const policy = given.find((one) => one.name === name)
        assert.strictEqual(policy?.id, id)
        assert.strictEqual(policy?.version, version)
        assert.deepStrictEqual(
          policy && PolicyDocument.dump(policy.document),
          policy_dump ?? undefined
        )
        const failing = evaluated.filter(({ policy_decisions }) =>
          policy_decisions.some(
            ({ policy_name, status }) => policy_name === name && status === "NON-COMPLIANT"
          )
        )
        assert.deepStrictEqual(
          failing_artifacts,
          [...new Set(failing.map(({ fingerprint }) => fingerprint))].sort()
        )
      }
      const decode = Schema.decodeUnknownSync(Schema.Array(AppliedPolicy.AppliedPolicy), {
        onExcessProperty: "error"
      })
      assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(applied))), applied)
    }
  )

  it("has no dump of a policy that does not parse", () => {
    const document = Either.getOrThrow(Either.flip(PolicyDocument.parse("")))
    const compiled = PolicyEvaluation.compile([{ id: "1", name: "broken", version: 4, document }])
    assert.deepStrictEqual(AppliedPolicy.fromRows(compiled, []), [
      { id: "1", name: "broken", version: 4, policy_dump: null, failing_artifacts: [] }
    ])
  })
})
