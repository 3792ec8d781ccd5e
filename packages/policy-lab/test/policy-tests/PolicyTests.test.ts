/** Files of policy tests: what is read, what is refused, what passes, and the law LINT-6. */

import { TIMELESS } from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import type { Facts } from "@attestry/core/PolicyFacts"
import { document } from "@attestry/core/testing/PolicyDocument"
import { facts } from "@attestry/core/testing/PolicyFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { status } from "../../../core/test/policy/PolicyLawKit.js"
import * as PolicyTests from "../../src/policy-tests/PolicyTests.js"

const POLICY = Either.getOrThrow(
  PolicyDocument.parse(`_schema: https://x.example/v1
artifacts:
  provenance:
    required: true
  attestations:
    - { type: junit, name: unit }
    - { type: snyk, name: snyk-scan, if: '\${{ flow.tags.risk == "high" }}' }
`)
)

const AGED = Either.getOrThrow(
  PolicyDocument.parse(`_schema: https://x.example/v2
artifacts:
  provenance: { required: true, max_age: 90d }
  attestations:
    - { type: snyk, name: scan, max_age: 7d }
`)
)

const TESTS = `_schema: https://x.example/schemas/policy-tests/v1
policy: prod-rules
tests:
  - name: a build without a scan is refused
    artifact: { name: "shop:1.0" }
    flows:
      shop: { tags: { risk: high }, attestations: [ { name: unit, type: junit } ] }
    expect: NON-COMPLIANT
    reasons: [ { type: missing_attestation, attestation_name: snyk-scan } ]
  - name: a build of low risk needs no scan
    artifact: shop:1.0
    flows:
      shop: { tags: { risk: low }, attestations: [ { name: unit, type: junit } ] }
    expect: COMPLIANT
`

const parse = (text: string) => Either.getOrThrowWith(PolicyTests.parse(text), (error) => error)

const problems = (text: string): ReadonlyArray<string> =>
  Either.match(PolicyTests.parse(text), {
    onLeft: (error) =>
      error.problems.map(({ column, line, message }) => `${line}:${column} ${message}`),
    onRight: () => []
  })

/** Texts that are no tests, and a part of the message. */
const REFUSED: ReadonlyArray<readonly [text: string, message: string]> = [
  ["tests:\n  - { name: a }\n", "`expect` is missing"],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, now: tomorrow }\n",
    "expected an instant such as `2026-11-18T12:00:00Z`, or epoch seconds, not `tomorrow`"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, now: 2026-02-30T12:00:00Z }\n",
    "expected an instant such as"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: { f: { age: 7 days } } }\n",
    "expected an age such as `90m`, `12h`, `7d` or `2w`, not `7 days`"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: { f: { age: 7d, reported_at: 1 } } }\n",
    "give either `age` or `reported_at`"
  ],
  ["tests:\n  - { expect: COMPLIANT }\n", "`name` is missing"],
  [
    "tests:\n  - { name: a, expect: yes }\n",
    "expected one of `COMPLIANT`, `NON-COMPLIANT`, not `yes`"
  ],
  ["tests:\n  - { name: a, expcet: COMPLIANT }\n", "unknown key `expcet`: write `expect`"],
  ["test: []\n", "unknown key `test`: write `tests`"],
  ["tests: {}\n", "expected a list"],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: [] }\n",
    "expected a mapping from the name of each flow"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: { f: { tags: { n: 7 } } } }\n",
    "expected text: put it in quotes, not `7`"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: { f: { attestations: [ { name: u, type: junt } ] } } }\n",
    "no attestation has the type `junt`"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, flows: { f: { attestations: [ { type: junit, control: C } ] } } }\n",
    "only a decision has a control"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, reasons: [ { type: missing } ] }\n",
    "expected one of `missing_provenance`"
  ],
  [
    "tests:\n  - { name: a, expect: COMPLIANT, artifact: { fingerprint: abc } }\n",
    "expected 64 characters"
  ],
  ["_schema: 7\ntests: []\n", "expected an address that ends with `/v1`"],
  ["tests: [\n", "line"]
]

describe("PolicyTests", () => {
  it("runs every test, and counts how often each rule applied", () => {
    const run = PolicyTests.run(POLICY, parse(TESTS))
    assert.deepStrictEqual([run.passed, run.failed], [2, 0])
    assert.deepStrictEqual(
      run.tests.map(({ line, name, passed }) => ({ line, name, passed })),
      [
        { line: 4, name: "a build without a scan is refused", passed: true },
        { line: 10, name: "a build of low risk needs no scan", passed: true }
      ]
    )
    assert.deepStrictEqual(run.coverage.rules, [
      { rule_index: 0, rule: "provenance", applied: 2, passed: 2, failed: 0 },
      { rule_index: 2, rule: "attestation junit unit", applied: 2, passed: 2, failed: 0 },
      { rule_index: 3, rule: "attestation snyk snyk-scan", applied: 1, passed: 0, failed: 1 }
    ])
  })

  it("says what was expected and what was found", () => {
    const wrong = TESTS.replace("attestation_name: snyk-scan", "attestation_name: unit")
    const [first] = PolicyTests.run(POLICY, parse(wrong)).tests
    assert.isFalse(first?.passed)
    assert.include(
      first?.explanation ?? "",
      "expected this reason, which is not given: type: missing_attestation, attestation_name: unit"
    )
    assert.include(
      first?.explanation ?? "",
      "this reason is given, and was not expected: type: missing_attestation, rule_index: 3, " +
        "attestation_name: snyk-scan"
    )
    const other = PolicyTests.run(
      POLICY,
      parse(TESTS.replace("expect: COMPLIANT", "expect: NON-COMPLIANT"))
    )
    assert.include(other.tests[1]?.explanation ?? "", "expected NON-COMPLIANT, found COMPLIANT")
  })

  it.each([
    ["at its youngest", "{}", "COMPLIANT", []],
    ["just before its end", "{ age: 6d }", "COMPLIANT", []],
    ["at its end", "{ age: 7d }", "NON-COMPLIANT", ["evidence_expired"]],
    ["by its instant", "{ reported_at: 2026-11-12T12:00:00Z }", "COMPLIANT", []],
    ["by epoch seconds", "{ reported_at: 1 }", "NON-COMPLIANT", ["evidence_expired"]],
    ["after the moment", "{ reported_at: 2030-01-01T00:00:00Z }", "COMPLIANT", []]
  ])("evaluates evidence at its age: %s", (_, aged, expect, reasons) => {
    const given = `{ name: scan, type: snyk${aged === "{}" ? " }" : `, ${aged.slice(1)}`}`
    const run = PolicyTests.run(
      AGED,
      parse(`tests:
  - name: a scan
    now: 2026-11-18T12:00:00Z
    flows:
      shop: { age: 1d, attestations: [ ${given} ] }
    expect: ${expect}
    reasons: [${reasons.map((type) => `{ type: ${type} }`).join(", ")}]
`)
    )
    assert.deepStrictEqual([run.passed, run.failed], [1, 0], run.tests[0]?.explanation)
  })

  it("takes evidence without an age as reported at the moment, and a record by its own age", () => {
    const run = PolicyTests.run(
      AGED,
      parse(`tests:
  - { name: a, flows: { shop: { attestations: [ { name: scan, type: snyk } ] } }, expect: COMPLIANT }
  - name: b
    flows: { shop: { age: 90d, attestations: [ { name: scan, type: snyk } ] } }
    expect: NON-COMPLIANT
    reasons: [ { type: provenance_expired } ]
`)
    )
    assert.deepStrictEqual([run.passed, run.failed], [2, 0])
  })

  it.each(REFUSED)("refuses %j", (text, message) => {
    assert.isTrue(
      problems(text).some((problem) => problem.includes(message)) || message === "line",
      problems(text).join("\n")
    )
    assert.isNotEmpty(problems(text))
  })

  it("takes 500 tests and refuses one more", () => {
    const many = (count: number) =>
      `tests:\n${"  - { name: a, expect: COMPLIANT }\n".repeat(count)}`
    assert.strictEqual(parse(many(PolicyTests.TESTS_MAX)).tests.length, 500)
    assert.match(problems(many(PolicyTests.TESTS_MAX + 1))[0] ?? "", /more than 500 tests/)
  })

  const testOf = (given: PolicyDocument.PolicyDocument, row: Facts, line: number) => ({
    name: `row ${line}`,
    line,
    facts: row,
    moment: TIMELESS,
    expect:
      status(given, row) === "COMPLIANT" ? ("COMPLIANT" as const) : ("NON-COMPLIANT" as const),
    reasons: null
  })

  it.prop(
    "LINT-6: what the evaluator says always passes, and the order of tests changes nothing",
    { document, one: facts, two: facts },
    ({ document: given, one, two }) => {
      const tests = [testOf(given, one, 1), testOf(given, two, 2)]
      const run = PolicyTests.run(given, { policy: null, tests })
      const turned = PolicyTests.run(given, { policy: null, tests: [...tests].reverse() })
      assert.strictEqual(run.failed, 0)
      assert.deepStrictEqual([...turned.tests].reverse(), [...run.tests])
      assert.deepStrictEqual(turned.coverage, run.coverage)
      const exact = tests.map((test, at) => ({
        ...test,
        reasons: run.tests[at]?.reasons.map(({ type }) => ({ type })) ?? null
      }))
      assert.strictEqual(PolicyTests.run(given, { policy: null, tests: exact }).failed, 0)
    }
  )
})
