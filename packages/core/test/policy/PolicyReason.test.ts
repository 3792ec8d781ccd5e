// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExplanation from "../../src/policy/PolicyExplanation.js"
import type { AttestationFact, Facts } from "../../src/policy/PolicyFacts.js"
import * as PolicyReason from "../../src/policy/PolicyReason.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"
import { attestation } from "./AttestationSample.js"

const evaluate = (policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>, row: Facts) => {
  const compiled = PolicyEvaluation.compile(policies)
  const evaluation = PolicyEvaluation.evaluate(compiled, row)
  const reasons = PolicyEvaluation.reasons(compiled, evaluation)
  return { artifact: row.artifact, evaluation, reasons }
}

const policy = (artifacts: string, name = "prod") => ({
  id: name,
  name,
  version: 3,
  document: Either.getOrThrow(
    PolicyDocument.parse(`_schema: https://x.example/v1\nartifacts: ${artifacts}`)
  )
})

const failing = (changes: Partial<AttestationFact>) =>
  attestation({ is_compliant: false, ...changes })

const known: Facts = {
  artifact: { name: "shop", fingerprint: "f".repeat(64) },
  flows: [
    {
      flow_name: "build",
      tags: {},
      trail_name: "t1",
      artifact_status: "INCOMPLETE",
      attestations: [
        failing({}),
        failing({ sequence: 2, name: "go", type: "decision", control: "CTL-7", level: "trail" })
      ]
    }
  ]
}
const unknown: Facts = { ...known, flows: [] }

const descriptions = (artifacts: string, row: Facts) =>
  evaluate([policy(artifacts)], row).reasons.map(({ description }) => description)

describe("PolicyReason", () => {
  it.prop("fits its schema", { given: Generated.policies, row: facts }, ({ given, row }) => {
    const { reasons } = evaluate(given, row)
    const decode = Schema.decodeUnknownSync(Schema.Array(PolicyReason.PolicyReason), {
      onExcessProperty: "error"
    })
    assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(reasons))), reasons)
  })

  it("has every value of one failure", () =>
    assert.deepStrictEqual(
      evaluate(
        [policy("{ attestations: [{ type: decision, name: go, for_control: CTL-7 }] }")],
        known
      ).reasons,
      [
        {
          type: "non_compliant_attestation",
          policy_name: "prod",
          policy_version: 3,
          rule_index: 2,
          flow_name: "build",
          trail_name: "t1",
          attestation_name: "go",
          attestation_type: "decision",
          for_control: "CTL-7",
          description:
            "the latest decision `go` for control `CTL-7` is not compliant: record a compliant one, " +
            "for example in trail `t1` of flow `build`"
        }
      ]
    ))

  const cases: ReadonlyArray<readonly [artifacts: string, row: Facts, description: string]> = [
    [
      "{ provenance: { required: true } }",
      unknown,
      "no flow knows the artifact: report it to a flow, or add an exception to the policy that is true for it"
    ],
    [
      "{ trail-compliance: { required: true } }",
      unknown,
      "no flow knows the artifact, so it has no trail that is compliant: report it to a flow, or add " +
        "an exception to `trail-compliance` that is true for it"
    ],
    [
      "{ trail-compliance: { required: true } }",
      known,
      "the artifact is INCOMPLETE in trail `t1` of flow `build`: report what the trail still " +
        "misses, or fix what fails there"
    ],
    [
      "{ attestations: [{ type: snyk, name: scan }] }",
      known,
      "there is no attestation `scan` of type `snyk` in trail `t1` of flow `build`: report a " +
        "compliant one for the artifact or its trail"
    ],
    [
      "{ attestations: [{ type: '*', name: scan, must_be_compliant: false }] }",
      known,
      "there is no attestation `scan` in trail `t1` of flow `build`: report one for the artifact or its trail"
    ],
    [
      "{ attestations: [{ type: junit }] }",
      known,
      "the latest attestation of type `junit` in trail `t1` of flow `build` is not compliant: " +
        "fix what it found and report a compliant one, or override it"
    ],
    [
      "{ attestations: [{ type: decision, for_control: CTL-8 }] }",
      known,
      "no flow that the rule applies to has a decision for control `CTL-8`: record a compliant " +
        "one, for example in trail `t1` of flow `build`"
    ],
    [
      "{ attestations: [{ type: junit, name: unit }] }",
      unknown,
      "there is no attestation `unit` of type `junit`, as no flow knows the artifact: report " +
        "the artifact to a flow, or add a condition to the rule that is false for it"
    ]
  ]
  for (const [artifacts, row, description] of cases)
    it(`describes: ${description}`, () =>
      assert.deepStrictEqual(descriptions(artifacts, row), [description]))

  it("has one reason for a policy that cannot be evaluated", () => {
    const document = Either.getOrThrow(Either.flip(PolicyDocument.parse("artifacts: {}")))
    assert.deepStrictEqual(
      evaluate([{ id: "x", name: "broken", version: 2, document }, policy("{}")], known).reasons,
      [
        {
          type: "policy_error",
          policy_name: "broken",
          policy_version: 2,
          rule_index: null,
          flow_name: null,
          trail_name: null,
          attestation_name: null,
          attestation_type: null,
          for_control: null,
          description:
            "version 2 of the policy cannot be evaluated (invalid policy: `policy_yaml` at line 1, " +
            "column 1: `_schema` is missing: add `_schema:` with an address such as " +
            "`https://HOST/schemas/environment-policy/v1`): save a version that is valid"
        }
      ]
    )
  })

  it("derives from stored decisions alone", () => {
    const { evaluation, reasons } = evaluate(
      [policy("{ provenance: { required: true } }")],
      unknown
    )
    const stored = JSON.parse(JSON.stringify(evaluation.policy_decisions))
    assert.deepStrictEqual(
      stored.flatMap((decision: never) => PolicyReason.fromDecision(decision)),
      reasons
    )
  })
})

describe("PolicyExplanation", () => {
  it.prop(
    "has the verdict first, and every reason once",
    { given: Generated.policies, row: facts },
    ({ given, row }) => {
      const explained = evaluate(given, row)
      const [headline, ...lines] = PolicyExplanation.render(explained).split("\n")
      assert.isTrue(headline?.startsWith(`\`${row.artifact.name}\` is `))
      assert.strictEqual(lines.length, given.length + explained.reasons.length)
    }
  )

  it("explains a non-compliant row", () =>
    assert.strictEqual(
      PolicyExplanation.render(
        evaluate(
          [
            policy(
              "{ provenance: { required: true }, attestations: [{ type: junit, if: '${{ exists(flow) }}' }] }",
              "strict"
            ),
            policy("{}", "lax")
          ],
          unknown
        )
      ),
      [
        "`shop` is not compliant: 1 of 2 policies says no",
        "  lax, version 3: COMPLIANT (0 holding, 2 not applicable)",
        "  strict, version 3: NON-COMPLIANT (1 rule failing, 0 holding, 2 not applicable)",
        "    - no flow knows the artifact: report it to a flow, or add an exception to the policy that is true for it"
      ].join("\n")
    ))

  it("explains a compliant row, and the absence of policies", () => {
    assert.strictEqual(
      PolicyExplanation.render(evaluate([policy("{ provenance: { required: true } }")], known)),
      "`shop` is compliant with 1 policy\n  prod, version 3: COMPLIANT (1 holding, 1 not applicable)"
    )
    assert.strictEqual(
      PolicyExplanation.render(evaluate([], known)),
      "`shop` is neither compliant nor not: no policy asks anything of it"
    )
  })
})
