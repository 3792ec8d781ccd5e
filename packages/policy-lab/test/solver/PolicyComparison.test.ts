/** Comparison against the evaluator on generated facts, the laws LINT-3 and LINT-4, and named examples. */

import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as Generated from "@attestry/core/testing/PolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PolicyComparison from "../../src/solver/PolicyComparison.js"
import * as Model from "./PolicyComparisonModel.js"

/** 10,000 pairs in a deep run, in parts of a thousand. */
const PARTS = process.env.ATTESTRY_DEEP === undefined ? [23] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const PAIRS = lengthForRun({ quick: 50, full: 150, deep: 1_000 })
/** The most pairs, of a hundred, whose relation may be unknown. */
const UNKNOWN_MAX = 5

/** The same for conditions on facts, which comparison does not look into. */
const UNKNOWN_OPAQUE_MAX = 20

const { compare } = PolicyComparison

const policy = (body: string): PolicyDocument.PolicyDocument =>
  Either.getOrThrowWith(
    PolicyDocument.parse(`_schema: https://x.example/v1\nartifacts:\n${body}`),
    (error) => error
  )

const rules = (...lines: ReadonlyArray<string>): PolicyDocument.PolicyDocument =>
  policy(`  attestations:\n${lines.map((line) => `    - { ${line} }\n`).join("")}`)

const v2 = (body: string): PolicyDocument.PolicyDocument =>
  Either.getOrThrowWith(
    PolicyDocument.parse(`_schema: https://x.example/v2\nartifacts:\n${body}`),
    (error) => error
  )

const aged = (...lines: ReadonlyArray<string>): PolicyDocument.PolicyDocument =>
  v2(`  attestations:\n${lines.map((line) => `    - { ${line} }\n`).join("")}`)

const relation = (before: PolicyDocument.PolicyDocument, after: PolicyDocument.PolicyDocument) =>
  compare(before, after).relation

const MIRRORED = {
  equivalent: "equivalent",
  stronger: "weaker",
  weaker: "stronger",
  incomparable: "incomparable",
  unknown: "unknown"
}

describe("PolicyComparison: laws", () => {
  it.each(PARTS)(
    "LINT-3: no claim about generated pairs is wrong, and few are unknown (seed %i)",
    { timeout: 600_000 },
    (seed) => {
      let unknown = 0
      const startedAt = performance.now()
      for (const pair of Model.pairs(PAIRS, seed)) {
        const compared = compare(pair.before, pair.after)
        if (compared.relation === "unknown") unknown++
        const problem = Model.refutation(pair, compared)
        const texts = [pair.before, pair.after].map(PolicyDocument.print).join("\n")
        assert.isUndefined(problem, `${problem}\n${texts}`)
      }
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
      process.stdout.write(
        `comparison, seed ${seed}: ${PAIRS} pairs, none wrong, ${unknown} unknown, ${seconds} s with the model\n`
      )
      assert.isAtMost((unknown / PAIRS) * 100, UNKNOWN_MAX)
    }
  )

  it.each(PARTS)(
    "LINT-3: no claim about generated pairs with ages is wrong, and few are unknown (seed %i)",
    { timeout: 600_000 },
    (seed) => {
      let unknown = 0
      for (const pair of Model.agedPairs(PAIRS, seed)) {
        const compared = compare(pair.before, pair.after)
        if (compared.relation === "unknown") unknown++
        const problem = Model.refutation(pair, compared)
        const texts = JSON.stringify([pair.before, pair.after])
        assert.isUndefined(problem, `${problem}\n${texts}`)
      }
      process.stdout.write(
        `comparison with ages, seed ${seed}: ${PAIRS} pairs, ${unknown} unknown\n`
      )
      assert.isAtMost((unknown / PAIRS) * 100, UNKNOWN_MAX)
    }
  )

  it.each(PARTS)(
    "LINT-3: no claim about generated pairs that ask about facts is wrong (seed %i)",
    { timeout: 600_000 },
    (seed) => {
      let unknown = 0
      for (const pair of Model.askedPairs(PAIRS, seed)) {
        const compared = compare(pair.before, pair.after)
        if (compared.relation === "unknown") unknown++
        const problem = Model.refutation(pair, compared)
        const texts = JSON.stringify([pair.before, pair.after])
        assert.isUndefined(problem, `${problem}\n${texts}`)
      }
      process.stdout.write(
        `comparison of facts, seed ${seed}: ${PAIRS} pairs, ${unknown} unknown\n`
      )
      assert.isAtMost((unknown / PAIRS) * 100, UNKNOWN_OPAQUE_MAX)
    }
  )

  const few = { fastCheck: { numRuns: 25 } }
  const { agedDocument, attestationRule, condition, document } = Generated

  it.prop(
    "F-3: a longer age is weaker or equivalent, and none is weakest",
    { given: agedDocument },
    ({ given }) => {
      const longer = (rule: { readonly maxAge?: number }) =>
        rule.maxAge === undefined ? {} : { maxAge: rule.maxAge + 86_400 }
      const { maxAge: _, ...provenance } = given.provenance
      const chain = [
        given,
        {
          ...given,
          provenance: { ...given.provenance, ...longer(given.provenance) },
          attestations: given.attestations.map((rule) => ({ ...rule, ...longer(rule) }))
        },
        {
          ...given,
          provenance,
          attestations: given.attestations.map(({ maxAge: __, ...rule }) => rule)
        }
      ]
      for (const [place, after] of chain.entries())
        for (const before of chain.slice(0, place + 1))
          assert.include(["weaker", "equivalent", "unknown"], relation(before, after))
    },
    few
  )

  it.prop(
    "LINT-3: a policy is equivalent to itself",
    { document },
    ({ document: given }) => {
      assert.include(["equivalent", "unknown"], relation(given, given))
    },
    few
  )

  it.prop(
    "LINT-3: stronger and weaker are each other's mirror",
    { before: document, after: document },
    ({ after, before }) => {
      assert.strictEqual(relation(after, before), MIRRORED[relation(before, after)])
    },
    few
  )

  it.prop(
    "LINT-4: dropping a rule, and asking for less, is weaker or equivalent",
    { document, rule: attestationRule },
    ({ document: given, rule }) => {
      const added = { ...given, attestations: [...given.attestations, rule] }
      const mild = { ...rule, mustBeCompliant: false }
      const lenient = { ...given, attestations: [...given.attestations, mild] }
      for (const after of [given, lenient])
        assert.include(["weaker", "equivalent", "unknown"], relation(added, after))
    },
    few
  )

  it.prop(
    "LINT-4: dropping `where` or `must_be_verified` is weaker or equivalent",
    { given: Generated.askingDocument },
    ({ given }) => {
      for (const after of [Model.withoutWhere(given), Model.withoutVerified(given), given])
        assert.include(["weaker", "equivalent", "unknown"], relation(given, after))
    },
    few
  )

  it.prop(
    "LINT-4: adding an exception is weaker or equivalent",
    { document, exception: condition },
    ({ document: given, exception }) => {
      const { trailCompliance } = given
      const exceptions = [...trailCompliance.exceptions, exception]
      const after = { ...given, trailCompliance: { ...trailCompliance, exceptions } }
      assert.include(["weaker", "equivalent", "unknown"], relation(given, after))
    },
    few
  )

  it.prop(
    "LINT-3: what is weaker than something weaker is weaker",
    { document, first: attestationRule, second: attestationRule },
    ({ document: given, first, second }) => {
      const most = { ...given, attestations: [...given.attestations, first, second] }
      const more = { ...given, attestations: [...given.attestations, first] }
      const chain = [relation(most, more), relation(more, given), relation(most, given)]
      if (chain.slice(0, 2).every((one) => one === "weaker"))
        assert.include(["weaker", "unknown"], chain[2])
    },
    few
  )
})

const unit = "type: junit, name: unit"

/** What changes, the two policies, and how the second relates to the first. */
const RELATIONS: ReadonlyArray<
  readonly [string, PolicyDocument.PolicyDocument, PolicyDocument.PolicyDocument, string]
> = [
  ["the same rule", rules(unit), rules(unit), "equivalent"],
  ["a rule more", rules(unit), rules(unit, "type: snyk"), "stronger"],
  ["another rule", rules(unit), rules("type: snyk"), "incomparable"],
  [
    "any result instead of a compliant one",
    rules(unit),
    rules(`${unit}, must_be_compliant: false`),
    "weaker"
  ],
  ["any type instead of one", rules(unit), rules("type: '*', name: unit"), "incomparable"],
  ["any name instead of one", rules(unit), rules("type: junit"), "weaker"],
  [
    "a number written in two ways",
    rules(`${unit}, if: "\${{ flow.tags.n == 7 }}"`),
    rules(`${unit}, if: "\${{ not flow.tags.n != 7.0 }}"`),
    "equivalent"
  ],
  [
    "a longer prefix",
    rules(`${unit}, if: '\${{ matches(artifact.name, "^prod") }}'`),
    rules(`${unit}, if: '\${{ matches(artifact.name, "^prod:") }}'`),
    "weaker"
  ],
  ["a longer age", aged(`${unit}, max_age: 7d`), aged(`${unit}, max_age: 30d`), "weaker"],
  [
    "an age in another unit",
    aged(`${unit}, max_age: 7d`),
    aged(`${unit}, max_age: 1w`),
    "equivalent"
  ],
  ["no age", aged(`${unit}, max_age: 7d`), rules(unit), "weaker"],
  [
    "an age, compliant or not",
    rules(unit),
    aged(`${unit}, max_age: 7d, must_be_compliant: false`),
    "incomparable"
  ],
  ["any name of an age", aged(`${unit}, max_age: 7d`), aged("type: junit, max_age: 7d"), "weaker"],
  [
    "any name of a shorter age",
    aged(`${unit}, max_age: 7d`),
    aged("type: junit, max_age: 1d"),
    "incomparable"
  ],
  [
    "an age of decisions",
    rules("type: decision, for_control: C-1"),
    aged("type: decision, for_control: C-1, max_age: 7d"),
    "stronger"
  ],
  [
    "an age of records",
    policy("  provenance: { required: true }\n"),
    v2("  provenance: { required: true, max_age: 90d }\n"),
    "stronger"
  ],
  ["no verification", aged(`${unit}, must_be_verified: true`), rules(unit), "weaker"],
  ["no facts", aged(`${unit}, where: "\${{ facts.a >= 2 }}"`), rules(unit), "weaker"],
  [
    "the same facts",
    aged(`${unit}, where: "\${{ facts.a >= 2 }}"`),
    aged(`${unit}, where: "\${{ (facts.a >= 2) }}"`),
    "equivalent"
  ],
  [
    "one fact more",
    aged(`${unit}, where: "\${{ facts.a >= 2 }}"`),
    aged(`${unit}, where: '\${{ facts.a >= 2 and facts.b == "x" }}'`),
    "stronger"
  ],
  [
    "other facts",
    aged(`${unit}, where: "\${{ facts.a >= 2 }}"`),
    aged(`${unit}, where: '\${{ facts.b == "x" }}'`),
    "incomparable"
  ],
  [
    "facts that comparison does not look into",
    aged(`${unit}, where: "\${{ facts.a >= 2 }}"`),
    aged(`${unit}, where: "\${{ not facts.a < 2 }}"`),
    "unknown"
  ],
  [
    "a list instead of an or",
    rules(`${unit}, if: '\${{ flow.name in ["a", "b"] }}'`),
    rules(`${unit}, if: '\${{ flow.name == "b" or flow.name == "a" }}'`),
    "equivalent"
  ]
]

describe("PolicyComparison.compare", () => {
  it.each(RELATIONS)("says of %s: %s", (_, before, after, expected) => {
    assert.strictEqual(relation(before, after), expected)
  })

  it("looks for the decision about a control in other flows too", () => {
    const always = rules("type: decision, for_control: C-1")
    const sometimes = rules(`type: decision, for_control: C-1, if: '\${{ flow.name == "x" }}'`)
    const { acceptedByOldOnly, relation: found } = compare(always, sometimes)
    assert.strictEqual(found, "incomparable")
    assert.isTrue(
      acceptedByOldOnly !== null &&
        acceptedByOldOnly !== "unknown" &&
        acceptedByOldOnly.facts.flows.length === 2
    )
  })

  it("is unknown, not a guess, for more patterns on one name than it combines", () => {
    const many = Array.from(
      { length: 12 },
      (_, index) => `matches(artifact.name, "a[${index}]b+c?")`
    )
    const before = rules(`${unit}, if: '\${{ ${many.join(" or ")} }}'`)
    const after = rules(`${unit}, if: '\${{ ${[...many].reverse().join(" or ")} }}'`)
    assert.strictEqual(relation(before, after), "unknown")
  })

  it("knows a large policy to be equivalent to itself, and stronger with one rule more", () => {
    const large = Array.from(
      { length: 15 },
      (_, index) =>
        `${unit}${index}, if: '\${{ flow.tags.a > ${index} and matches(flow.tags.b${index % 7}, "a[${index}]b+") }}'`
    )
    assert.strictEqual(relation(rules(...large), rules(...large)), "equivalent")
    assert.strictEqual(relation(rules(...large), rules(...large, "type: snyk")), "stronger")
  })

  it("names the rules that were added, removed, changed and kept", () => {
    const { rules: changes } = compare(
      rules(unit, "type: snyk", "type: jira"),
      rules(`${unit}, must_be_compliant: false`, "type: snyk", "type: sonar")
    )
    assert.deepStrictEqual(changes, {
      added: ["attestation sonar *"],
      removed: ["attestation jira *"],
      changed: ["attestation junit unit, compliant or not"],
      same: ["attestation snyk *"]
    })
  })

  it("draws pairs that are near enough for every relation to occur", () => {
    const found = new Set(
      [...Model.pairs(60, 5)].map(({ after, before }) => relation(before, after))
    )
    for (const expected of ["equivalent", "stronger", "weaker", "incomparable"] as const)
      assert.isTrue(found.has(expected), expected)
  })
})
