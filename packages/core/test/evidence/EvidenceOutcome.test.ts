/** Default outcomes of evidence: agreement with the model, the laws of verification and severities, and examples. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { EvidenceFacts } from "../../src/evidence/EvidenceFacts.js"
import * as EvidenceKind from "../../src/evidence/EvidenceKind.js"
import * as EvidenceOutcome from "../../src/evidence/EvidenceOutcome.js"
import { UNSIGNED, type VerificationState } from "../../src/evidence/EvidenceVerification.js"
import { FAIL_ON, NONE } from "../../src/trust-policy/TrustPolicyDocument.js"
import * as Model from "../../testing/internal/model/EvidenceOutcomeModel.js"
import * as Generated from "./GeneratedFacts.js"

const { facts, verification, thresholds } = Generated
const inState = (state: VerificationState) => ({ ...UNSIGNED, state })
const VERIFIED = inState("verified")

/** One value of facts of a kind, with the members that matter here. */
const of = (kind: EvidenceKind.EvidenceKind, content: object): EvidenceFacts => {
  const [sample] = FastCheck.sample(Generated.factsOf(kind), { numRuns: 1, seed: 1 })
  return { ...sample, ...content } as EvidenceFacts
}

const COUNTS = {
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  negligible: 0,
  unknown: 0,
  total: 0,
  suppressed: 0
}
const TESTS = { total: 0, passed: 0, failed: 0, skipped: 0, other: 0, flaky: 0 }

describe("the default outcome of evidence", () => {
  it.prop(
    "is the one of the table",
    { facts, verification, thresholds },
    ({ facts: given, verification: found, thresholds: trust }) => {
      assert.strictEqual(
        EvidenceOutcome.isCompliant(given, found, trust),
        Model.isCompliant(given, found.state, trust)
      )
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "has one line of reason exactly where it is not compliant",
    { facts, verification, thresholds },
    ({ facts: given, verification: found, thresholds: trust }) => {
      const reason = EvidenceOutcome.explain(given, found, trust)
      assert.strictEqual(reason === null, EvidenceOutcome.isCompliant(given, found, trust))
      if (reason !== null) assert.match(reason, /^\S[^\n]+[^.\s]$/)
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  // V-6
  it.prop(
    "is never compliant unverified, where a kind or the trust policy demands verification",
    { facts, verification, thresholds },
    ({ facts: given, verification: found, thresholds: trust }) => {
      if (found.state === "verified") return
      const demanding = { ...trust, mustBeVerified: [given.kind] }
      assert.isFalse(EvidenceOutcome.isCompliant(given, found, demanding))
      if (EvidenceKind.needsVerification(given.kind) || found.state === "failed")
        assert.isFalse(EvidenceOutcome.isCompliant(given, found, trust))
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  // V-14
  it.prop(
    "stays compliant with a higher threshold of findings",
    { facts, verification, thresholds },
    ({ facts: given, verification: found, thresholds: trust }) => {
      const outcomes = FAIL_ON.map((failOn) =>
        EvidenceOutcome.isCompliant(given, found, { ...trust, failOn })
      )
      assert.deepStrictEqual(
        outcomes,
        [...outcomes].sort((left, right) => Number(left) - Number(right))
      )
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "of a verified file is at least as good as that of the same file unsigned",
    { facts, thresholds },
    ({ facts: given, thresholds: trust }) => {
      if (EvidenceOutcome.isCompliant(given, UNSIGNED, trust))
        assert.isTrue(EvidenceOutcome.isCompliant(given, VERIFIED, trust))
    }
  )
})

describe("findings", () => {
  for (const [severity, compliant] of [
    ["critical", []],
    ["high", ["critical"]],
    ["medium", ["high", "critical"]],
    ["low", ["medium", "high", "critical"]],
    ["negligible", ["low", "medium", "high", "critical"]],
    ["unknown", []]
  ] as const) {
    it(`of severity ${severity} reach their threshold and every lower one`, () => {
      const scan = of("scan", { counts: { ...COUNTS, [severity]: 1, total: 1, suppressed: 9 } })
      assert.deepStrictEqual(
        FAIL_ON.filter((failOn) =>
          EvidenceOutcome.isCompliant(scan, UNSIGNED, { ...NONE, failOn })
        ),
        [...compliant]
      )
    })
  }

  it("that are suppressed reach no threshold", () => {
    for (const kind of ["scan", "analysis", "snyk"] as const) {
      const clean = of(kind, { counts: { ...COUNTS, suppressed: 5 } })
      assert.isTrue(EvidenceOutcome.isCompliant(clean, UNSIGNED, NONE))
    }
  })

  it("are listed in the reason by severity", () => {
    const scan = of("scan", { counts: { ...COUNTS, high: 2, low: 4, unknown: 1, total: 7 } })
    assert.strictEqual(
      EvidenceOutcome.explain(scan, UNSIGNED, { ...NONE, failOn: "high" }),
      "it has findings that reach the threshold `high`: 2 high, 1 unknown"
    )
  })
})

describe("tests", () => {
  it("are compliant with one test and no failed one", () => {
    const outcome = (tests: object) =>
      EvidenceOutcome.explain(of("tests", { tests: { ...TESTS, ...tests } }), UNSIGNED, NONE)
    assert.isNull(outcome({ total: 1, passed: 1 }))
    assert.isNull(outcome({ total: 2, passed: 1, skipped: 1 }))
    assert.strictEqual(outcome({}), "it has no tests")
    assert.strictEqual(outcome({ total: 2, passed: 1, failed: 1 }), "1 test failed")
    assert.strictEqual(outcome({ total: 2, failed: 2 }), "2 tests failed")
  })

  it("in the form of JUnit have the rule of the type `junit`", () => {
    const outcome = (tests: object) =>
      EvidenceOutcome.explain(of("junit", { tests: { ...TESTS, ...tests } }), UNSIGNED, NONE)
    assert.isNull(outcome({}))
    assert.isNull(outcome({ total: 1, skipped: 1 }))
    assert.strictEqual(outcome({ total: 1, failed: 1 }), "1 test failed")
  })
})

describe("coverage", () => {
  const outcome = (lines: object | null, branches: object | null, minLines: number | null) =>
    EvidenceOutcome.explain(of("coverage", { lines, branches }), UNSIGNED, { ...NONE, minLines })
  const part = (covered: number, total: number) => ({
    covered,
    total,
    percent: total === 0 ? 0 : (covered / total) * 100
  })

  it("reaches the least line coverage, and not less", () => {
    assert.isNull(outcome(part(80, 100), null, 80))
    assert.strictEqual(
      outcome(part(79, 100), part(1, 1), 80),
      "its line coverage is 79%, below 80%"
    )
    assert.strictEqual(outcome(null, part(1, 1), 0), "it measures no lines")
    assert.isNotNull(outcome({ ...part(1, 1), percent: Number.NaN }, null, 0))
  })

  it("without a least line coverage has measured something", () => {
    assert.isNull(outcome(null, part(0, 2), null))
    assert.isNull(outcome(part(0, 2), null, null))
    assert.strictEqual(outcome(part(0, 0), null, null), "it measures no lines and no branches")
    assert.strictEqual(outcome(null, null, null), "it measures no lines and no branches")
  })
})

describe("verification", () => {
  it("is named in the reason with its state", () => {
    assert.strictEqual(
      EvidenceOutcome.explain(of("provenance", {}), UNSIGNED, NONE),
      "`provenance` must be verified, and this is unsigned"
    )
    assert.strictEqual(
      EvidenceOutcome.explain(
        of("sbom", { components: { total: 1 } }),
        { ...inState("untrusted"), reason: "no_rule" },
        { ...NONE, mustBeVerified: ["sbom"] }
      ),
      "the trust policy demands that `sbom` is verified, and this is untrusted (no_rule)"
    )
    assert.strictEqual(
      EvidenceOutcome.explain(of("vex", {}), inState("failed"), NONE),
      "its verification is failed"
    )
  })

  it("does not make a failed summary compliant", () => {
    const outcome = (result: string | null) =>
      EvidenceOutcome.isCompliant(of("verification", { result }), VERIFIED, NONE)
    assert.deepStrictEqual(["PASSED", "FAILED", "passed", null].map(outcome), [
      true,
      false,
      false,
      false
    ])
  })
})
