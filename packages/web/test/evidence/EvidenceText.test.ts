/** Evidence in words: verifications with their reasons, and the facts of each kind as rows. */
import * as EvidenceKind from "@attestry/core/EvidenceKind"
import {
  type EvidenceVerification,
  UNSIGNED,
  VerificationReason,
  VerificationState
} from "@attestry/core/EvidenceVerification"
import { assert, describe, it } from "vitest"
import { formatText, KINDS as LISTED, rowsOf } from "../../app/evidence/EvidenceFactText.js"
import {
  markOf,
  nextText,
  reasonText,
  STATES,
  signerText,
  stateText
} from "../../app/evidence/VerificationText.js"
import type { EvidenceDocument } from "../../app/shared/Contract.js"

type Facts = EvidenceDocument["facts"]

const COMMON = {
  format: { name: "plain", version: "1" },
  tool: null,
  created_at: null,
  digest: "0".repeat(64),
  size: 1,
  subjects: [],
  subject_count: 0,
  truncated: []
}

const COUNTS = {
  critical: 1,
  high: 0,
  medium: 3,
  low: 0,
  negligible: 0,
  unknown: 0,
  total: 4,
  suppressed: 2
}

const TESTS = {
  ...COMMON,
  tests: { total: 5, passed: 3, failed: 1, skipped: 1, other: 0, flaky: 0 },
  duration: 1.5,
  failed: ["adds"]
}

/** Facts of every kind, with the rows that show them. */
const KINDS: {
  readonly [kind in Facts["kind"]]: readonly [Facts, ReturnType<typeof rowsOf>]
} = {
  provenance: [
    {
      ...COMMON,
      kind: "provenance",
      tool: { name: "builder", version: null },
      created_at: 1_790_000_000,
      builder_id: "https://build.example",
      build_type: null,
      build_level: 3,
      source: { uri: "https://git.example/shop", commit: "c0", ref: "refs/tags/v1" },
      invocation: null,
      parameters_sha256: null,
      parameters: ["channel", "size"],
      dependencies: 0
    },
    [
      ["Tool", "builder"],
      ["Made", { at: 1_790_000_000 }],
      ["Builder", "https://build.example"],
      ["Build level", "3"],
      ["Source", "https://git.example/shop"],
      ["Ref", "refs/tags/v1"],
      ["Commit", "c0"],
      ["Parameters", "channel, size"],
      ["Dependencies", "0"]
    ]
  ],
  verification: [
    {
      ...COMMON,
      kind: "verification",
      verifier: "https://verify.example",
      result: "PASSED",
      levels: ["SLSA_BUILD_LEVEL_3"],
      policy: { uri: null, sha256: "ab" },
      verified_at: 0
    },
    [
      ["Verifier", "https://verify.example"],
      ["Result", "PASSED"],
      ["Levels", "SLSA_BUILD_LEVEL_3"],
      ["Policy", "ab"],
      ["Verified", { at: 0 }]
    ]
  ],
  sbom: [
    {
      ...COMMON,
      kind: "sbom",
      components: { total: 12, with_purl: 11, without_purl: 1 },
      root: { name: "shop", version: "1", purl: null },
      licenses: Array.from({ length: 12 }, (_, at) => ({ license: `L-${at}`, components: 1 })),
      purls: [],
      set_sha256: "0"
    },
    [
      ["Components", "12: 11 with a package URL, 1 without"],
      ["About", "shop"],
      ["Licences", `${Array.from({ length: 10 }, (_, at) => `L-${at} (1)`).join(", ")}, and 2 more`]
    ]
  ],
  scan: [
    { ...COMMON, kind: "scan", counts: COUNTS, findings: [], database_at: 5 },
    [
      ["Findings", "1 critical, 3 medium"],
      ["Suppressed", "2"],
      ["Database of", { at: 5 }]
    ]
  ],
  snyk: [
    {
      ...COMMON,
      kind: "snyk",
      counts: { ...COUNTS, critical: 0, medium: 0, total: 0, suppressed: 0 },
      findings: []
    },
    [["Findings", "none"]]
  ],
  analysis: [
    { ...COMMON, kind: "analysis", counts: { ...COUNTS, suppressed: 0 }, findings: [] },
    [["Findings", "1 critical, 3 medium"]]
  ],
  tests: [
    { ...TESTS, kind: "tests" },
    [
      ["Tests", "5: 3 passed, 1 failed, 1 skipped"],
      ["Duration", "1.5 s"],
      ["Failed", "adds"]
    ]
  ],
  junit: [
    { ...TESTS, kind: "junit", duration: null, failed: [] },
    [["Tests", "5: 3 passed, 1 failed, 1 skipped"]]
  ],
  coverage: [
    {
      ...COMMON,
      kind: "coverage",
      lines: { covered: 3, total: 4, percent: 75 },
      branches: null
    },
    [["Lines", "75 %: 3 of 4"]]
  ],
  vex: [
    {
      ...COMMON,
      kind: "vex",
      statements: [
        {
          vulnerability: "CVE-2026-1",
          product: "pkg:npm/a",
          status: "not_affected",
          justification: null,
          at: null
        }
      ],
      statement_count: 1
    },
    [
      ["Statements", "1"],
      ["Vulnerabilities", "CVE-2026-1 not affected"]
    ]
  ],
  signature: [{ ...COMMON, kind: "signature" }, []],
  statement: [
    {
      ...COMMON,
      kind: "statement",
      predicate_type: "https://example.org/p",
      predicate: null,
      predicate_sha256: "0"
    },
    [["Predicate type", "https://example.org/p"]]
  ]
}

describe("facts as rows", () => {
  for (const kind of EvidenceKind.ALL)
    it(`of ${kind}`, () => {
      const [facts, rows] = KINDS[kind]
      assert.deepStrictEqual(rowsOf(facts), rows)
    })

  it("are listed for every kind", () => {
    assert.deepStrictEqual(LISTED, [...EvidenceKind.ALL])
  })

  it("name a format with its version", () => {
    assert.strictEqual(formatText({ name: "spdx", version: "2.3" }), "spdx 2.3")
    assert.strictEqual(formatText({ name: "sarif", version: null }), "sarif")
  })
})

const withReason = (reason: VerificationReason): EvidenceVerification => ({
  ...UNSIGNED,
  state: "untrusted",
  reason
})

describe("a verification in words", () => {
  it("has words for every state", () => {
    assert.deepStrictEqual(
      STATES.map(([state]) => state),
      [...VerificationState.literals]
    )
    assert.strictEqual(stateText("unverifiable"), "cannot be checked")
    assert.deepStrictEqual(
      STATES.map(([state]) => markOf(state)),
      ["compliant", "non-compliant", "unknown", "unknown", "non-compliant"]
    )
  })

  it("says for every reason why, and what to do", () => {
    for (const reason of VerificationReason.literals) {
      assert.match(reasonText(withReason(reason)) ?? "", /^[a-z].*[^.]$/, reason)
      assert.match(nextText(withReason(reason)) ?? "", /^[A-Z].*\.$/, reason)
    }
    assert.strictEqual(reasonText(UNSIGNED), "it has no signature")
    assert.isString(nextText(UNSIGNED))
    const verified = { ...UNSIGNED, state: "verified" as const }
    assert.deepStrictEqual([reasonText(verified), nextText(verified)], [null, null])
  })

  it("names the signer", () => {
    assert.strictEqual(signerText(UNSIGNED), null)
    const key = { ...UNSIGNED, signer: { kind: "key" as const, key_id: "release" } }
    assert.strictEqual(signerText(key), "key release")
    const signer = {
      kind: "sigstore" as const,
      issuer: "https://issuer.example",
      san: "a@example.org",
      source_repository: null,
      source_repository_id: null,
      source_ref: null,
      build_signer: null,
      trigger: null,
      runner: null
    }
    assert.strictEqual(
      signerText({ ...UNSIGNED, signer }),
      "a@example.org, by https://issuer.example"
    )
    assert.strictEqual(
      signerText({ ...UNSIGNED, signer: { ...signer, issuer: null, san: null } }),
      "an identity without a name"
    )
  })
})
