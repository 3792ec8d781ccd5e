// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
/** Laws of rules that ask about verification and facts of evidence: POL-29 to POL-31, and V-6. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { ResolutionType } from "../../src/policy/PolicyDecision.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { AttestationFact, Facts } from "../../src/policy/PolicyFacts.js"
import * as PolicyReason from "../../src/policy/PolicyReason.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { askingDocument, attestationRule, document } from "../../testing/PolicyDocument.js"
import * as PolicyEvaluationModel from "../../testing/PolicyEvaluationModel.js"
import { agedFacts, askedFacts, FIRST_REPORTED } from "../../testing/PolicyFacts.js"
import { decide, neverBetter, only, resolutions, status, version } from "./PolicyLawKit.js"

const isDeep = process.env.ATTESTRY_DEEP !== undefined
const every = { fastCheck: { numRuns: isDeep ? 20_000 : 400 } }
const AT = { now: Timestamp.fromSeconds(FIRST_REPORTED + 3 * 86_400), waivers: [] }

const evaluated = (given: PolicyDocument.PolicyDocument, row: Facts) =>
  PolicyEvaluation.evaluate(PolicyEvaluation.compile([version(given)]), row, AT)

const whereOf = (text: string): PolicyDocument.Condition => ({
  text,
  expression: Either.getOrThrow(PolicyExpression.parseWhere(text))
})

/** The facts with other attestations. */
const mapped = (row: Facts, change: (fact: AttestationFact) => AttestationFact): Facts => ({
  ...row,
  flows: row.flows.map((flow) => ({ ...flow, attestations: flow.attestations.map(change) }))
})

const NEVER = whereOf("false")

describe("rules that ask about verification and facts", () => {
  it.prop(
    "are evaluated as the model does",
    { asking: askingDocument, row: askedFacts },
    ({ asking, row }) =>
      assert.deepStrictEqual(
        evaluated(asking, row),
        PolicyEvaluationModel.evaluate([version(asking)], row, AT)
      ),
    every
  )

  it.prop(
    "POL-29: leave documents of version 1 as they are, whatever evidence says",
    { drawn: document, row: askedFacts },
    ({ drawn, row }) => {
      const bare = mapped(row, ({ facts: _, verification: __, ...fact }) => fact)
      assert.deepStrictEqual(evaluated(drawn, row), evaluated(drawn, bare))
      assert.notInclude(PolicyDocument.readParts(drawn), "evidence.facts")
      assert.notMatch(PolicyDocument.print(drawn), /where|must_be_verified/)
    },
    every
  )

  it.prop(
    "POL-30: a `where` that is never true is a rule that no attestation satisfies",
    { rule: attestationRule, row: askedFacts },
    ({ rule, row }) => {
      assert.notInclude(resolutions(only({ ...rule, where: NEVER }), row), "rule_satisfied")
      const none = mapped(row, (fact) => ({ ...fact, is_compliant: false }))
      const strict = only({ ...rule, mustBeCompliant: true })
      assert.strictEqual(status(only({ ...rule, where: NEVER }), row), status(strict, none))
    },
    every
  )

  it.prop(
    "POL-31: dropping `where` or `must_be_verified` never hurts",
    { rule: attestationRule, asking: askingDocument, row: askedFacts },
    ({ asking, row }) => {
      const without = (key: "where" | "mustBeVerified") => ({
        ...asking,
        attestations: asking.attestations.map((rule) =>
          Object.fromEntries(Object.entries(rule).filter(([name]) => name !== key))
        ) as unknown as PolicyDocument.PolicyDocument["attestations"]
      })
      neverBetter(asking, without("where"), row)
      neverBetter(asking, without("mustBeVerified"), row)
    },
    every
  )

  it.prop(
    "V-6: evidence in another state than `verified` never satisfies `must_be_verified`",
    {
      rule: attestationRule,
      row: askedFacts,
      states: FastCheck.array(
        FastCheck.constantFrom(
          "untrusted" as const,
          "unverifiable" as const,
          "unsigned" as const,
          "failed" as const
        ),
        { minLength: 3, maxLength: 3 }
      )
    },
    ({ row, rule, states }) => {
      let count = 0
      const unverified = mapped(row, ({ verification: _, ...fact }) => {
        const state = states[count++ % states.length]
        return count % 5 === 0 || state === undefined ? fact : { ...fact, verification: state }
      })
      const asking = { ...rule, mustBeCompliant: true, mustBeVerified: true as const }
      assert.notInclude(resolutions(only(asking), unverified), "rule_satisfied")
    },
    every
  )

  it.prop(
    "F-5: do not depend on the order of facts",
    { asking: askingDocument, row: askedFacts },
    ({ asking, row }) => {
      const reversed = {
        ...row,
        flows: row.flows.map((flow) => ({
          ...flow,
          attestations: [...flow.attestations].reverse()
        }))
      }
      assert.deepStrictEqual(evaluated(asking, reversed), evaluated(asking, row))
    },
    every
  )

  it.prop(
    "POL-23: return for any facts",
    {
      asking: askingDocument,
      row: agedFacts,
      any: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue())
    },
    ({ any, asking, row }) => {
      const wild = { ...any, licenses: any, level: any, truncated: 3 }
      assert.include(
        ["Compliant", "NonCompliant"],
        evaluated(
          asking,
          mapped(row, (fact) => ({ ...fact, facts: wild }))
        ).verdict
      )
    },
    every
  )

  it.prop(
    "POL-24: are printed and read back",
    { asking: askingDocument },
    ({ asking }) => {
      const read = Either.getOrThrow(PolicyDocument.parse(PolicyDocument.print(asking)))
      assert.deepStrictEqual(read, asking)
      assert.deepStrictEqual(PolicyDocument.dump(read), PolicyDocument.dump(asking))
    },
    every
  )
})

const attestation = (more: Partial<AttestationFact>): AttestationFact => ({
  sequence: 1,
  name: "scan",
  type: "custom:attestry-scan",
  is_compliant: true,
  level: "artifact",
  control: null,
  ...more
})

const row = (...attestations: ReadonlyArray<AttestationFact>): Facts => ({
  artifact: { name: "shop", fingerprint: "a".repeat(64) },
  flows: [
    {
      flow_name: "shop",
      tags: {},
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations
    }
  ]
})

const parsed = (body: string, schema = "v2") =>
  PolicyDocument.parse(
    `_schema: https://a.example/${schema}\nartifacts:\n  attestations:\n    - {type: custom:attestry-scan, ${body}}\n`
  )

const decides = (body: string, ...attestations: ReadonlyArray<AttestationFact>) =>
  resolutions(Either.getOrThrow(parsed(body)), row(...attestations))

const problems = (body: string, schema = "v2") =>
  Either.match(parsed(body, schema), {
    onLeft: ({ problems: found }) => found.map(({ message, path }) => `${path}: ${message}`),
    onRight: () => []
  })

describe("must_be_verified and where", () => {
  const asks = "must_be_verified: true, where: '${{ facts.counts.critical == 0 }}', max_age: 1d"
  const facts = (critical: number) => ({ facts: { counts: { critical } } })
  const verified = { verification: "verified", reported_at: 1 } as const

  it("fail first as non-compliant, then unverified, then by facts, then by age", () => {
    const check = (more: Partial<AttestationFact>, expected: ResolutionType) =>
      assert.deepStrictEqual(decides(asks, attestation(more)), [expected])
    check({ is_compliant: false }, "non_compliant_attestation")
    check({ ...facts(0), verification: "untrusted" }, "unverified_attestation")
    check(facts(0), "unverified_attestation")
    check({ ...facts(1), ...verified }, "unmet_facts")
    check({ ...verified }, "unmet_facts")
    check({ ...facts(0), ...verified }, "evidence_expired")
    assert.deepStrictEqual(decides(asks), ["missing_attestation"])
  })

  it("look at the attestation that the rule looks at without them", () => {
    const where = "name: scan, where: '${{ facts.counts.critical == 0 }}'"
    const [old, latest] = [facts(0), facts(2)]
    assert.deepStrictEqual(
      decides(where, attestation(old), attestation({ ...latest, sequence: 2 })),
      ["unmet_facts"]
    )
    assert.deepStrictEqual(
      decides(
        "where: '${{ facts.counts.critical == 0 }}'",
        attestation(old),
        attestation({ ...latest, name: "other", sequence: 2 })
      ),
      ["rule_satisfied"]
    )
  })

  it("ask at least two people who did not write it", () => {
    const where = "where: '${{ facts.independent_reviewers >= 2 and not facts.is_agent }}'"
    const people = (independent_reviewers: number, is_agent = false) =>
      attestation({ facts: { independent_reviewers, is_agent } })
    assert.deepStrictEqual(decides(where, people(2)), ["rule_satisfied"])
    assert.deepStrictEqual(decides(where, people(1)), ["unmet_facts"])
    assert.deepStrictEqual(decides(where, people(2, true)), ["unmet_facts"])
  })

  it("do not take what was cut from a list for absent", () => {
    const where = "where: '${{ not \"GPL-3.0\" in facts.licenses }}'"
    const licenses = (...truncated: ReadonlyArray<string>) =>
      attestation({ facts: { licenses: ["MIT"], truncated } })
    assert.deepStrictEqual(decides(where, licenses()), ["rule_satisfied"])
    assert.deepStrictEqual(decides(where, licenses("findings")), ["rule_satisfied"])
    assert.deepStrictEqual(decides(where, licenses("licenses")), ["unmet_facts"])
  })

  it("find components by package, version and range", () => {
    const where = (condition: string) => `where: '\${{ ${condition} }}'`
    const listed = (...truncated: ReadonlyArray<string>) =>
      attestation({ facts: { purls: ["pkg:npm/%40a/b@1.0.0", "pkg:npm/c@2.3.0"], truncated } })
    for (const held of [
      '"pkg:npm/c" in facts.purls',
      '"pkg:npm/c@2.3.0" in facts.purls',
      '"pkg:npm/@a/b@<2" in facts.purls',
      'not "pkg:npm/c@<2.3" in facts.purls',
      'not "pkg:npm/b" in facts.purls and not "pkg:pypi/c" in facts.purls'
    ])
      assert.deepStrictEqual(decides(where(held), listed()), ["rule_satisfied"], held)
    const banned = where('not "pkg:npm/c@<3" in facts.purls')
    assert.deepStrictEqual(decides(banned, listed()), ["unmet_facts"])
    const absent = where('not "pkg:npm/d" in facts.purls')
    assert.deepStrictEqual(decides(absent, listed("purls")), ["unmet_facts"])
    const present = where('"pkg:npm/c" in facts.purls')
    assert.deepStrictEqual(decides(present, listed("purls")), ["rule_satisfied"])
  })

  it("look for components by purls alone", () => {
    const problem = (operand: string) =>
      problems(`where: '\${{ ${operand} in facts.purls }}'`).join()
    assert.include(problem('"lodash"'), "the text is no purl such as `pkg:npm/left-pad@1.3.0`")
    assert.include(problem('"pkg:npm/a@<"'), "the range is not bounds such as `>=1.2.0 <1.4.3`")
    assert.include(
      problem("facts.a"),
      '`facts.a` is no text: write a purl such as "pkg:npm/lodash"'
    )
  })

  it("match no pattern against a text of more than 1,024 characters", () => {
    const where = "where: '${{ matches(facts.san, \"^a\") }}'"
    const long = (length: number) => attestation({ facts: { san: "a".repeat(length) } })
    assert.deepStrictEqual(decides(where, long(1_024)), ["rule_satisfied"])
    assert.deepStrictEqual(decides(where, long(1_025)), ["unmet_facts"])
  })

  it("are unknown in version 1, with the version that has them", () => {
    const advice = "version 2 of policies has it: end the address in `_schema` with `/v2`"
    assert.deepStrictEqual(problems("must_be_verified: true", "v1"), [
      `artifacts.attestations.0.must_be_verified: unknown key \`must_be_verified\`: ${advice}`
    ])
    assert.deepStrictEqual(problems("where: '${{ facts.a == 1 }}'", "v1"), [
      `artifacts.attestations.0.where: unknown key \`where\`: ${advice}`
    ])
  })

  it("keep flows and facts apart", () => {
    assert.match(
      problems("where: '${{ flow.name == \"a\" }}'").join(),
      /where: .*unknown name `flow.name`: `where` asks about facts alone/
    )
    assert.match(
      problems("if: '${{ facts.a == 1 }}'").join(),
      /if: .*unknown name `facts.a`: ask about facts of evidence in `where`/
    )
    assert.match(
      problems("where: '${{ facts.a = 1 }}'").join(),
      /write `\$\{\{ facts\.a == 1 \}\}`/
    )
    assert.match(problems("where: '${{ level == 1 }}'").join(), /names begin with `facts\.`$/)
    assert.match(
      problems("where: facts.a == 1").join(),
      /wrap the expression: write `\$\{\{ facts\.a == 1 \}\}`/
    )
    assert.match(problems("must_be_verified: 1").join(), /expected `true` or `false`/)
  })

  it("say what is missing and what to report", () => {
    const [unverified, unmet] = [
      { facts: { counts: { critical: 0 } } },
      { facts: { counts: { critical: 1 } }, verification: "verified" }
    ] as const
    const describes = (more: Partial<AttestationFact>) =>
      PolicyReason.fromDecision(
        decide(Either.getOrThrow(parsed(asks)), row(attestation(more)))
      ).map(({ description, type }) => `${type}: ${description}`)
    const latest =
      "the latest attestation of type `custom:attestry-scan` in trail `t` of flow `shop`"
    assert.deepStrictEqual(describes(unverified), [
      `unverified_attestation: ${latest} is not verified evidence: ` +
        "report evidence with a signature that a rule of the trust policy trusts"
    ])
    assert.deepStrictEqual(describes(unmet), [
      `unmet_facts: ${latest} does not have the facts that the policy asks for, ` +
        "`facts.counts.critical == 0`: report evidence for which this is true"
    ])
  })

  it("count in the limit of patterns", () => {
    const tests = Array.from({ length: 21 }, (_, at) => `matches(facts.a, "^${at}")`)
    const where = (count: number) => `where: '\${{ ${tests.slice(0, count).join(" or ")} }}'`
    assert.deepStrictEqual(problems(where(20)), [])
    assert.match(problems(where(21)).join(), /pattern/)
  })
})
