// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.

import * as PolicyDocument from "@attestry/core/PolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { policyTest, vocabularyOf } from "../testing/PolicyTestKit.js"

const policy = `
_schema: https://x.example/v1
artifacts:
  provenance:
    required: true
    exceptions: [{ if: '\${{ matches(artifact.name, "^datadog:") }}' }]
  attestations:
    - { type: junit, name: unit, if: '\${{ flow.tags.risk >= 3 or flow.name in ["pay", "ship"] }}' }
    - { type: decision, for_control: CTL-7, if: "\${{ exists(flow) }}" }
`

const message = (run: () => void): string => {
  try {
    run()
    return "the law holds"
  } catch (error) {
    return String(error)
  }
}

describe("policyTest", () => {
  it("passes where the law holds", () => {
    policyTest(
      policy,
      ({ facts, verdict }) =>
        verdict !== "Compliant" ||
        facts.flows.length > 0 ||
        facts.artifact.name.startsWith("datadog:")
    )
    policyTest(policy, ({ policy_decisions, reasons, verdict }) => {
      assert.strictEqual(policy_decisions.length, 1)
      assert.strictEqual(reasons.length > 0, verdict === "NonCompliant")
    })
  })

  it("covers every rule with facts from the words of the policy", () => {
    const seen = new Set<string>()
    policyTest(policy, ({ policy_decisions }) => {
      for (const { rule_evaluations } of policy_decisions)
        for (const [index, { satisfied }] of rule_evaluations.entries())
          seen.add(`${index} ${satisfied}`)
    })
    assert.deepStrictEqual([...seen].sort(), [
      "0 false",
      "0 null",
      "0 true",
      "1 null",
      "2 false",
      "2 null",
      "2 true",
      "3 false",
      "3 null",
      "3 true"
    ])
  })

  it("throws the smallest facts, the explanation, and how to replay them", () => {
    const law = ({ verdict }: { readonly verdict: string }) => verdict !== "NonCompliant"
    const failed = message(() => policyTest(policy, law))
    assert.include(failed, "the law does not hold for these facts:")
    assert.include(failed, "is not compliant: 1 of 1 policy says no")
    const [, seed, path] = /replay with \{ seed: (-?\d+), path: "([\d:]+)" \}/.exec(failed) ?? []
    assert.isDefined(seed)
    assert.strictEqual(
      message(() => policyTest(policy, law, { seed: Number(seed), path: path ?? "" })),
      failed
    )
  })

  it("shows why a law throws", () =>
    assert.include(
      message(() => policyTest(policy, ({ verdict }) => assert.strictEqual(verdict, "Unknown"))),
      "to equal 'Unknown'"
    ))

  it("takes several policies, and facts of the caller's making", () => {
    const facts = FastCheck.constant({
      artifact: { name: "x", fingerprint: "" },
      flows: []
    })
    policyTest(
      { strict: policy, lax: "_schema: https://x.example/v1" },
      ({ policy_decisions }) =>
        assert.deepStrictEqual(
          policy_decisions.map(({ policy_name, status }) => [policy_name, status]),
          [
            ["lax", "COMPLIANT"],
            ["strict", "NON-COMPLIANT"]
          ]
        ),
      { facts, numRuns: 1 }
    )
  })

  it("refuses a policy that does not parse", () =>
    assert.include(
      message(() => policyTest("artifacts: {}", () => true)),
      "`_schema` is missing"
    ))

  it("draws its words from the policy", () => {
    const words = vocabularyOf([Either.getOrThrow(PolicyDocument.parse(policy))])
    assert.includeMembers([...words.flowNames], ["pay", "ship"])
    assert.includeMembers([...words.tagKeys], ["risk"])
    assert.includeMembers([...words.tagValues], ["3"])
    assert.includeMembers([...words.controls], ["CTL-7"])
    assert.includeMembers([...words.attestationNames], ["unit"])
    assert.isTrue(words.artifactNames.some((name) => name.startsWith("datadog:")))
  })
})
