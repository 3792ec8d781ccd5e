/** Facts of every kind, verifications and thresholds for properties: small counts, so that zero is frequent. */
import { FastCheck } from "effect"
import type { EvidenceFacts } from "../../src/evidence/EvidenceFacts.js"
import * as EvidenceKind from "../../src/evidence/EvidenceKind.js"
import type { OutcomeThresholds } from "../../src/evidence/EvidenceOutcome.js"
import { type EvidenceVerification, UNSIGNED } from "../../src/evidence/EvidenceVerification.js"
import { FAIL_ON } from "../../src/trust-policy/TrustPolicyDocument.js"

const COMMON = {
  format: { name: "a format", version: null },
  tool: null,
  created_at: null,
  digest: "0".repeat(64),
  size: 1,
  subjects: [],
  subject_count: 0,
  truncated: []
}

const count = FastCheck.oneof(
  { arbitrary: FastCheck.constant(0), weight: 5 },
  { arbitrary: FastCheck.integer({ min: 1, max: 3 }), weight: 1 }
)

const counts = FastCheck.record({
  critical: count,
  high: count,
  medium: count,
  low: count,
  negligible: count,
  unknown: count,
  suppressed: count
}).map((each) => {
  const { suppressed, ...counted } = each
  return { ...each, total: Object.values(counted).reduce((sum, one) => sum + one, 0) }
})

const tests = FastCheck.record({ passed: count, failed: count, skipped: count, other: count }).map(
  (each) => ({
    tests: { ...each, total: Object.values(each).reduce((sum, one) => sum + one, 0), flaky: 0 },
    duration: null,
    failed: []
  })
)

const covered = FastCheck.option(
  FastCheck.record({
    covered: FastCheck.integer({ min: 0, max: 8 }),
    total: FastCheck.integer({ min: 0, max: 8 })
  }).map(({ covered: given, total }) => {
    const least = Math.min(given, total)
    return { covered: least, total, percent: total === 0 ? 0 : (least / total) * 100 }
  })
)

/** The content of each kind. */
const contents: { readonly [kind in EvidenceKind.EvidenceKind]: FastCheck.Arbitrary<unknown> } = {
  provenance: FastCheck.record({ builder_id: FastCheck.string() }),
  verification: FastCheck.record({
    result: FastCheck.constantFrom("PASSED", "FAILED", "passed", null)
  }),
  sbom: FastCheck.record({ components: FastCheck.record({ total: count }) }),
  scan: FastCheck.record({ counts }),
  analysis: FastCheck.record({ counts }),
  snyk: FastCheck.record({ counts }),
  tests,
  junit: tests,
  coverage: FastCheck.record({ lines: covered, branches: covered }),
  vex: FastCheck.record({ statement_count: count }),
  signature: FastCheck.constant({}),
  statement: FastCheck.record({ predicate_type: FastCheck.string() })
}

/** Facts of one kind, with the members that outcomes read. */
export const factsOf = (kind: EvidenceKind.EvidenceKind): FastCheck.Arbitrary<EvidenceFacts> =>
  contents[kind].map((content) => Object.assign({ kind }, COMMON, content) as EvidenceFacts)

/** Facts of any kind. */
export const facts: FastCheck.Arbitrary<EvidenceFacts> = FastCheck.constantFrom(
  ...EvidenceKind.ALL
).chain(factsOf)

/** Every state, the ones that count for nothing with a reason or without. */
export const verification: FastCheck.Arbitrary<EvidenceVerification> = FastCheck.record({
  state: FastCheck.constantFrom(
    "verified" as const,
    "untrusted" as const,
    "unverifiable" as const,
    "unsigned" as const,
    "failed" as const
  ),
  reason: FastCheck.constantFrom(null, "no_rule" as const, "bad_signature" as const)
}).map((given) => ({ ...UNSIGNED, ...given }))

/** Thresholds of a trust policy. */
export const thresholds: FastCheck.Arbitrary<OutcomeThresholds> = FastCheck.record({
  failOn: FastCheck.constantFrom(...FAIL_ON),
  minLines: FastCheck.constantFrom(null, 0, 50, 80, 100),
  mustBeVerified: FastCheck.subarray([...EvidenceKind.ALL], { maxLength: 3 })
})
