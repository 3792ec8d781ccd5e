/** The form of policies on the wire: dumps, decisions in order, and reasons. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, Option, Schema, SchemaAST } from "effect"
import * as AppliedPolicy from "../../src/policy/AppliedPolicy.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyReason from "../../src/policy/PolicyReason.js"

const HEAD = "_schema: https://x.example/v1\n"
const parse = (text: string) => Either.getOrThrow(PolicyDocument.parse(HEAD + text))
const document = parse(`artifacts:
  provenance: { required: true, exceptions: [{ if: { text: exists(flow) } }] }
  attestations: [{ type: junit, if: { text: "true" } }, { type: decision, for_control: CTL-7 }]
`)
const unknown = { artifact: { name: "shop", fingerprint: "f".repeat(64) }, flows: [] }
const version = (name: string, number: number, given = document) => ({
  id: `${name}#${number}`,
  name,
  version: number,
  document: given
})
const compiled = PolicyEvaluation.compile([version("prod", 2)])
const evaluation = PolicyEvaluation.evaluate(compiled, unknown)

/** Every way to spoil one leaf of a value: a symbol is valid nowhere. */
const spoiled = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      spoiled(item).map((wrong) => Object.assign([...value], { [at]: wrong }))
    )
  if (typeof value !== "object" || value === null) return [Symbol("wrong")]
  return Object.entries(value).flatMap(([key, item]) =>
    spoiled(item).map((wrong) => ({ ...value, [key]: wrong }))
  )
}

describe("the schemas of policies on the wire", () => {
  const [applied] = AppliedPolicy.fromRows(compiled, [
    { fingerprint: "f".repeat(64), policy_decisions: evaluation.policy_decisions }
  ])
  const reasons = PolicyEvaluation.reasons(compiled, evaluation)
  const published = [
    { name: "PolicyDump", schema: AppliedPolicy.PolicyDump, values: [applied?.policy_dump] },
    { name: "AppliedPolicy", schema: AppliedPolicy.AppliedPolicy, values: [applied] },
    { name: "PolicyReason", schema: PolicyReason.PolicyReason, values: reasons }
  ] as const

  for (const { name, schema, values } of published)
    it(`${name} names each of its parts, and is published under its name`, () => {
      const fits: (value: unknown) => boolean = Schema.is(schema as Schema.Schema.AnyNoContext)
      assert.isNotEmpty(values)
      for (const value of values) {
        assert.isTrue(fits(value))
        for (const wrong of spoiled(value)) assert.isFalse(fits(wrong), JSON.stringify(wrong))
      }
      deepStrictEqual(SchemaAST.getIdentifierAnnotation(schema.ast), Option.some(name))
    })

  it("knows every type of reason", () =>
    assert.deepStrictEqual(PolicyReason.PolicyReasonType.literals, [
      "missing_provenance",
      "non_compliant_in_trail",
      "missing_attestation",
      "non_compliant_attestation",
      "provenance_expired",
      "evidence_expired",
      "unverified_attestation",
      "unmet_facts",
      "policy_error"
    ]))
})

describe("policies on the wire", () => {
  it("dumps a policy with its conditions as texts", () =>
    assert.deepStrictEqual(AppliedPolicy.dump(document), {
      schema_version: "1",
      artifacts: {
        provenance: { required: true, exceptions: [{ if_condition: { text: "exists(flow)" } }] },
        trail_compliance: { required: false, exceptions: [] },
        attestations: [
          {
            if_condition: { text: "true" },
            name: "*",
            type: "junit",
            must_be_compliant: true,
            for_control: null
          },
          {
            if_condition: null,
            name: "*",
            type: "decision",
            must_be_compliant: true,
            for_control: "CTL-7"
          }
        ]
      }
    }))

  it("orders decisions by name, and by version where a policy is called like the built-in one", () => {
    const { REQUIRE_PROVENANCE } = PolicyEvaluation
    const given = [version("b", 1), version("require_provenance", 3), REQUIRE_PROVENANCE]
    const shown = (policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>) =>
      PolicyEvaluation.evaluate(PolicyEvaluation.compile(policies), unknown).policy_decisions.map(
        (decision) => [decision.policy_name, decision.policy_version]
      )
    const expected = [
      ["b", 1],
      ["require_provenance", 0],
      ["require_provenance", 3]
    ]
    assert.deepStrictEqual(shown(given), expected)
    assert.deepStrictEqual(shown([...given].reverse()), expected)
  })

  it("shows `require_provenance` as a policy that requires nothing else", () =>
    assert.deepStrictEqual(PolicyEvaluation.REQUIRE_PROVENANCE, {
      id: "require_provenance",
      name: "require_provenance",
      version: 0,
      document: {
        ...parse("artifacts: { provenance: { required: true } }"),
        schema: "attestry:schemas/environment-policy/v1"
      }
    }))

  it("has no reason for a compliant decision, and one for a stored failure without rules", () => {
    const stored = { policy_name: "prod", policy_version: 2, rule_evaluations: [] }
    assert.deepStrictEqual(PolicyReason.fromDecision({ ...stored, status: "COMPLIANT" }), [])
    assert.deepStrictEqual(
      PolicyReason.fromDecision({ ...stored, status: "NON-COMPLIANT" }).map(
        ({ description, type }) => [type, description]
      ),
      [
        [
          "policy_error",
          "version 2 of the policy cannot be evaluated: save a version that is valid"
        ]
      ]
    )
  })
})
