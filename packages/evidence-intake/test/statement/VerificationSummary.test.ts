/** Verification summaries of SLSA, and simple verification results. */
import { assert, describe, it } from "@effect/vitest"
import * as Files from "../shared/EvidenceFiles.js"

const AT = "2026-01-02T03:04:05.250Z"
const SECONDS = Date.UTC(2026, 0, 2, 3, 4, 5, 250) / 1_000

const factsOf = (predicateType: string, predicate: unknown) => {
  const { facts } = Files.documentOf(Files.statement({ predicateType, predicate }))
  if (facts.kind !== "verification") throw new Error(facts.kind)
  const { verifier, result, levels, policy, verified_at } = facts
  return { verifier, result, levels, policy, verified_at }
}

const policy = { uri: "https://example.org/policy", digest: { sha256: Files.SHA256.toUpperCase() } }

const expected = {
  verifier: "https://example.org/verifier",
  result: "PASSED",
  levels: ["SLSA_BUILD_LEVEL_3"],
  policy: { uri: "https://example.org/policy", sha256: Files.SHA256 },
  verified_at: SECONDS
}

describe("verification summaries", () => {
  it("of version 1 have a result and levels", () => {
    const predicate = {
      verifier: { id: expected.verifier },
      timeVerified: AT,
      policy,
      verificationResult: "PASSED",
      verifiedLevels: ["SLSA_BUILD_LEVEL_3", 1]
    }
    const type = "https://slsa.dev/verification_summary/v1"
    assert.deepStrictEqual(factsOf(type, predicate), expected)
    assert.strictEqual(
      factsOf(type, { ...predicate, verificationResult: "FAILED" }).result,
      "FAILED"
    )
  })

  it("of version 0.2 are read in both spellings", () => {
    const type = "https://slsa.dev/verification_summary/v0.2"
    const common = { verifier: { id: expected.verifier }, policy }
    for (const predicate of [
      { timeVerified: AT, verificationResult: "PASSED", policyLevel: "SLSA_BUILD_LEVEL_3" },
      { time_verified: AT, verification_result: "PASSED", policy_level: "SLSA_BUILD_LEVEL_3" }
    ])
      assert.deepStrictEqual(factsOf(type, { ...common, ...predicate }), expected)
  })

  it("of nothing have no result", () => {
    assert.deepStrictEqual(factsOf("https://slsa.dev/verification_summary/v1", {}), {
      verifier: null,
      result: null,
      levels: [],
      policy: { uri: null, sha256: null },
      verified_at: null
    })
  })
})

describe("simple verification results", () => {
  it("have properties as levels, and have passed if they have one", () => {
    const simple = { timeCreated: AT, properties: ["ORG_RELEASE_APPROVED"] }
    const result = { ...expected, result: "PASSED", levels: ["ORG_RELEASE_APPROVED"] }
    assert.deepStrictEqual(
      factsOf("https://in-toto.io/attestation/svr/v0.1", {
        ...simple,
        verifier: { id: expected.verifier, policy }
      }),
      result
    )
    assert.deepStrictEqual(
      factsOf("https://in-toto.io/attestation/svr/v0.2", {
        ...simple,
        verifier: { id: expected.verifier, policies: [policy] }
      }),
      result
    )
  })
})
