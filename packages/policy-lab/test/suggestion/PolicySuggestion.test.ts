/** The law LINT-5: a suggested policy accepts what it was made from, and no rule of the space is missing. */

import * as PolicyDocument from "@attestry/core/PolicyDocument"
import type { Facts } from "@attestry/core/PolicyFacts"
import { facts } from "@attestry/core/testing/PolicyFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { only, status } from "../../../core/test/policy/PolicyLawKit.js"
import * as PolicySuggestion from "../../src/suggestion/PolicySuggestion.js"
import * as Model from "./PolicySuggestionModel.js"

const rows = FastCheck.array(facts, { minLength: 1, maxLength: 5 })
const options = { minArtifacts: 1, withTags: true }

const row = (flow_name: string, risk: string, names: ReadonlyArray<string>): Facts => ({
  artifact: { name: flow_name, fingerprint: flow_name.padEnd(64, "0").slice(0, 64) },
  flows: [
    {
      flow_name,
      tags: { risk },
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations: names.map((name, index) => ({
        sequence: index + 1,
        name,
        type: "junit",
        is_compliant: true,
        level: "artifact" as const,
        control: null
      }))
    }
  ]
})

describe("PolicySuggestion", () => {
  it.prop(
    "LINT-5: accepts every row that it was made from, and its text is the policy",
    { rows },
    (given) => {
      const { document, policy_yaml } = PolicySuggestion.suggest(given.rows, options)
      const parsed = Either.getOrThrow(PolicyDocument.parse(policy_yaml))
      assert.deepStrictEqual(parsed, document)
      for (const one of given.rows) assert.strictEqual(status(document, one), "COMPLIANT")
    }
  )

  it.prop("LINT-5: no rule about all artifacts that holds is left out", { rows }, (given) => {
    const { document } = PolicySuggestion.suggest(given.rows, options)
    for (const { flows } of given.rows)
      for (const { attestations } of flows)
        for (const { name, type } of attestations)
          for (const mustBeCompliant of [true, false]) {
            const rule = { name, type, mustBeCompliant, condition: null, forControl: null }
            const holds = given.rows.every((one) => status(only(rule), one) === "COMPLIANT")
            const isAsked = document.attestations.some(
              (taken) =>
                taken.name === name &&
                taken.type === type &&
                taken.condition === null &&
                (taken.mustBeCompliant || !mustBeCompliant)
            )
            assert.strictEqual(holds, isAsked, `${type} ${name} ${mustBeCompliant}`)
          }
  })

  it.prop(
    "LINT-5: has exactly the rules of the model, which tries every rule on every row",
    { rows, minArtifacts: FastCheck.integer({ min: 1, max: 3 }) },
    (given) => {
      const { minArtifacts } = given
      const { document } = PolicySuggestion.suggest(given.rows, { minArtifacts, withTags: true })
      assert.deepStrictEqual(
        document.attestations.map(Model.line).sort(),
        Model.rules(given.rows, minArtifacts)
      )
    }
  )

  it("asks for all what all have, and of one tag what its flows have", () => {
    const given = [
      row("a", "high", ["unit", "scan"]),
      row("b", "high", ["unit", "scan"]),
      row("c", "low", ["unit"])
    ]
    const { leftOut, policy_yaml, rules } = PolicySuggestion.suggest(given, {
      ...options,
      minArtifacts: 2
    })
    assert.deepStrictEqual(
      rules.map(({ artifacts, flows, rule }) => `${rule}: ${artifacts} ${flows}`),
      [
        "provenance: 3 3",
        "trail-compliance: 3 3",
        "attestation junit unit: 3 3",
        'attestation junit scan if flow.tags.risk == "high": 2 2'
      ]
    )
    assert.deepStrictEqual(
      leftOut.map(({ failing, rule }) => [rule, failing.length]),
      [["attestation junit scan", 1]]
    )
    assert.include(
      policy_yaml,
      '    # holds for 3 artifacts of 3 flows\n    - type: "junit"\n      name: "unit"'
    )
  })

  it("takes no rule that too few artifacts support", () => {
    const { document } = PolicySuggestion.suggest([row("a", "x", ["unit"])], {
      minArtifacts: 2,
      withTags: true
    })
    assert.deepStrictEqual(document.attestations, [])
  })
})
