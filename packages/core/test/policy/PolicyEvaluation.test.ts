import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as PolicyDecision from "../../src/policy/PolicyDecision.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as Generated from "../../testing/PolicyDocument.js"
import * as Model from "../../testing/PolicyEvaluationModel.js"
import { facts } from "../../testing/PolicyFacts.js"
import { lengthForRun } from "../shared/Effort.js"

const { policies } = Generated

const isDeep = process.env.ATTESTRY_DEEP !== undefined
/** Rows of one set of policies. */
const ROWS = 8
/** Sets of policies: 4,800 rows in all, and 20,000 in a deep run. */
const SETS = lengthForRun({ quick: 200, full: 600, deep: 2_500 })
/** The number of repetitions: a deep run compares a million rows. */
const PARTS = isDeep ? 50 : 1

const evaluate = (given: ReadonlyArray<PolicyEvaluation.PolicyVersion>, row: Facts) =>
  PolicyEvaluation.evaluate(PolicyEvaluation.compile(given), row)

const yaml = (body: string) =>
  Either.getOrThrow(PolicyDocument.parse(`_schema: https://x.example/v1\n${body}`))

const version = (name: string, document: PolicyDocument.PolicyDocument) => ({
  id: name,
  name,
  version: 1,
  document
})

describe("PolicyEvaluation and its model", () => {
  const parts = Array.from({ length: PARTS }, (_, index) => index + 1)
  it.each(parts)(
    `agree on every verdict, rule and resolution of ${SETS * ROWS} rows (part %i)`,
    () => {
      const seen = new Map<string, number>()
      const rows = FastCheck.array(facts, { minLength: ROWS, maxLength: ROWS })
      FastCheck.assert(
        FastCheck.property(policies, rows, (given, drawn) => {
          const compiled = PolicyEvaluation.compile(given)
          for (const row of drawn) {
            const evaluation = PolicyEvaluation.evaluate(compiled, row)
            const expected = Model.evaluate(given, row)
            // WHY: comparing texts is many times faster, and only a difference needs to be shown.
            if (JSON.stringify(evaluation) !== JSON.stringify(expected))
              assert.deepStrictEqual(evaluation, expected)
            seen.set(evaluation.verdict, (seen.get(evaluation.verdict) ?? 0) + 1)
          }
        }),
        { numRuns: SETS }
      )
      // WHY: mutation runs cut properties short.
      const least = process.env.ATTESTRY_BOUNDED === undefined ? (SETS * ROWS) / 20 : 0
      for (const verdict of ["Compliant", "NonCompliant", "Unknown"])
        assert.isAtLeast(seen.get(verdict) ?? 0, least)
    },
    120_000
  )

  it.prop(
    "give what the schema of a decision describes",
    { given: policies, row: facts },
    ({ given, row }) => {
      const { policy_decisions } = evaluate(given, row)
      const decode = Schema.decodeUnknownSync(Schema.Array(PolicyDecision.PolicyDecision), {
        onExcessProperty: "error"
      })
      assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(policy_decisions))), policy_decisions)
    }
  )
})

describe("PolicyEvaluation: examples", () => {
  const row: Facts = {
    artifact: { name: "registry/shop:1.4", fingerprint: "f".repeat(64) },
    flows: [
      {
        flow_name: "shop-build",
        tags: { kind: "build" },
        trail_name: "t1",
        artifact_status: "COMPLIANT",
        attestations: [
          {
            sequence: 1,
            name: "pr",
            type: "pull_request",
            is_compliant: true,
            level: "trail",
            control: null
          }
        ]
      }
    ]
  }

  it("is Unknown without a policy, for any facts", () =>
    assert.deepStrictEqual(evaluate([], row), { verdict: "Unknown", policy_decisions: [] }))

  it("has the form of the wire", () =>
    assert.deepStrictEqual(
      evaluate(
        [
          version(
            "prod",
            yaml(`
artifacts:
  provenance: { required: true, exceptions: [{ if: '\${{ flow.name == "x" }}' }] }
  attestations:
    - { type: decision, for_control: CTL-7 }
    - { type: pull_request, if: { text: 'flow.tags.kind == "build"' } }`)
          )
        ],
        row
      ),
      {
        verdict: "NonCompliant",
        policy_decisions: [
          {
            policy_name: "prod",
            policy_version: 1,
            status: "NON-COMPLIANT",
            rule_evaluations: [
              {
                rule: {
                  type: "provenance",
                  definition: { required: true, exceptions: [{ if: { text: 'flow.name == "x"' } }] }
                },
                satisfied: true,
                ignored: false,
                resolutions: [
                  {
                    type: "rule_satisfied",
                    context: { flow_name: "shop-build", trail_name: "t1", artifact_status: null }
                  }
                ]
              },
              {
                rule: { type: "trail-compliance", definition: { required: false, exceptions: [] } },
                satisfied: null,
                ignored: true,
                resolutions: [
                  {
                    type: "rule_not_applicable",
                    context: {
                      flow_name: "shop-build",
                      trail_name: "t1",
                      artifact_status: "COMPLIANT"
                    }
                  }
                ]
              },
              {
                rule: {
                  type: "attestation",
                  definition: {
                    if: null,
                    name: "*",
                    type: "decision",
                    must_be_compliant: true,
                    for_control: "CTL-7"
                  }
                },
                satisfied: false,
                ignored: false,
                resolutions: [
                  {
                    type: "missing_attestation",
                    context: {
                      flow_name: "shop-build",
                      trail_name: "t1",
                      artifact_status: null,
                      for_control: "CTL-7"
                    }
                  }
                ]
              },
              {
                rule: {
                  type: "attestation",
                  definition: {
                    if: { text: 'flow.tags.kind == "build"' },
                    name: "*",
                    type: "pull_request",
                    must_be_compliant: true,
                    for_control: null
                  }
                },
                satisfied: true,
                ignored: false,
                resolutions: [
                  {
                    type: "rule_satisfied",
                    context: { flow_name: "shop-build", trail_name: "t1", artifact_status: null }
                  }
                ]
              }
            ]
          }
        ]
      }
    ))

  it("orders decisions by policy name", () => {
    const empty = yaml("")
    const { policy_decisions } = evaluate(
      ["b", "a", "B", "a-1"].map((name) => version(name, empty)),
      row
    )
    assert.deepStrictEqual(
      policy_decisions.map(({ policy_name }) => policy_name),
      ["B", "a", "a-1", "b"]
    )
  })

  it("evaluates `require_provenance` as a policy of version 0", () => {
    const without = { ...row, flows: [] }
    const given = [PolicyEvaluation.REQUIRE_PROVENANCE]
    assert.strictEqual(evaluate(given, row).verdict, "Compliant")
    const refused = evaluate(given, without)
    assert.strictEqual(refused.verdict, "NonCompliant")
    assert.deepStrictEqual(
      refused.policy_decisions.map(({ policy_name, policy_version }) => [
        policy_name,
        policy_version
      ]),
      [["require_provenance", 0]]
    )
    const { document } = PolicyEvaluation.REQUIRE_PROVENANCE
    assert.isFalse("_tag" in document)
    if (!("_tag" in document))
      assert.deepStrictEqual(
        PolicyDocument.parse(PolicyDocument.print(document)),
        Either.right(document)
      )
  })

  it("fails a policy that does not parse, and evaluates the others", () => {
    const unreadable = Either.getOrThrow(Either.flip(PolicyDocument.parse("artifacts: 3")))
    const { policy_decisions, verdict } = evaluate(
      [
        { id: "1", name: "broken", version: 7, document: unreadable },
        version("fine", yaml("artifacts: { provenance: { required: true } }"))
      ],
      row
    )
    assert.strictEqual(verdict, "NonCompliant")
    assert.deepStrictEqual(policy_decisions[0], {
      policy_name: "broken",
      policy_version: 7,
      status: "NON-COMPLIANT",
      rule_evaluations: []
    })
    assert.strictEqual(policy_decisions[1]?.status, "COMPLIANT")
  })

  it("fails a policy whose patterns exceed the limits, made without a file", () => {
    const document: PolicyDocument.PolicyDocument = {
      ...yaml("artifacts: { provenance: { required: true } }"),
      provenance: {
        required: true,
        exceptions: [
          {
            text: "made by hand",
            expression: {
              _tag: "Matches",
              operand: { _tag: "Field", field: "artifact.name" },
              pattern: "("
            }
          }
        ]
      }
    }
    const { policy_decisions } = evaluate([version("hand", document)], row)
    assert.deepStrictEqual(
      policy_decisions.map(({ status }) => status),
      ["NON-COMPLIANT"]
    )
  })

  it("matches an override of a custom type without reports with every custom type", () => {
    const document = yaml("artifacts: { attestations: [{ type: custom:coverage, name: cov }] }")
    const [flow] = row.flows
    assert.isDefined(flow)
    const facts: Facts = {
      ...row,
      flows: [
        {
          ...(flow as NonNullable<typeof flow>),
          attestations: [
            {
              sequence: 2,
              name: "cov",
              type: "custom",
              is_compliant: true,
              level: "artifact",
              control: null
            }
          ]
        }
      ]
    }
    assert.strictEqual(evaluate([version("p", document)], facts).verdict, "Compliant")
  })

  it("takes the non-compliant of two attestations with one sequence", () => {
    const document = yaml(
      "artifacts: { attestations: [{ type: junit, name: unit }, { type: junit }] }"
    )
    const [flow] = row.flows
    const attestations = [true, false].map((is_compliant) => ({
      sequence: 5,
      name: "unit",
      type: "junit",
      is_compliant,
      level: "artifact" as const,
      control: null
    }))
    for (const order of [attestations, [...attestations].reverse()]) {
      const given = {
        ...row,
        flows: [{ ...(flow as NonNullable<typeof flow>), attestations: order }]
      }
      const [decision] = evaluate([version("p", document)], given).policy_decisions
      assert.deepStrictEqual(
        decision?.rule_evaluations.map(({ satisfied }) => satisfied),
        [null, null, false, false]
      )
    }
  })

  it("shares the definition of a rule, frozen, between all its evaluations", () => {
    const compiled = PolicyEvaluation.compile([
      version("p", yaml("artifacts: { attestations: [{ type: junit }] }"))
    ])
    const rules = [row, { ...row, flows: [] }].map(
      (facts) =>
        PolicyEvaluation.evaluate(compiled, facts).policy_decisions[0]?.rule_evaluations[2]?.rule
    )
    assert.strictEqual(rules[0], rules[1])
    assert.isTrue(Object.isFrozen(rules[0]) && Object.isFrozen(rules[0]?.definition))
  })
})
