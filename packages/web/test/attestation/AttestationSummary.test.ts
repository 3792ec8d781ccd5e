/** Summaries of attestations, in one sentence. */
import { assert, describe, it } from "vitest"
import { reasonOf, resultsOf, summaryOf } from "../../app/attestation/AttestationSummary.js"
import type { Attestation } from "../../app/shared/Contract.js"

const attestation = (attestation_type: string, more: object = {}): Attestation => ({
  schema_version: 2,
  git_commit_info: null,
  user_data: {},
  attestation_id: "1",
  attestation_type,
  attestation_name: "a",
  is_compliant: true,
  is_override: false,
  target_artifacts: [],
  created_at: 1,
  reported_by: "ci",
  flow_name: "shop",
  trail_name: "t",
  origin_url: null,
  html_url: "https://attestry.example.com/",
  has_audit_package: false,
  evidence_archive_path: "",
  evidence_archive_fingerprint: "",
  attachments: [],
  _links: { self: { href: "https://attestry.example.com/" } },
  ...more
})

const suite = { name: "unit", total: 120, failures: 2, errors: 1, skipped: 1, duration: 12.3 }

describe("the sentence", () => {
  const cases: ReadonlyArray<readonly [type: string, payload: object, sentence: string]> = [
    ["junit", { junit_results: [suite] }, "120 tests, 3 failed, 1 skipped"],
    ["junit", { junit_results: [{ total: 1 }] }, "1 test, 0 failed"],
    ["junit", { junit_results: "nonsense" }, "0 tests, 0 failed"],
    [
      "snyk",
      { processed_snyk_results: { results: [{ high_count: 1, low_count: 2 }] } },
      "vulnerabilities: 1 high, 2 low"
    ],
    ["snyk", { processed_snyk_results: { results: [] } }, "no vulnerabilities"],
    ["sonar", { sonar_results: { qualityGate: { status: "OK" } } }, "quality gate OK"],
    ["sonar", { sonar_results: {} }, "no quality gate"],
    [
      "jira",
      { jira_results: [{ issue_exists: true }, { issue_exists: false }] },
      "2 issues, 1 not found"
    ],
    [
      "pull_request",
      { pull_requests: [{ state: "MERGED", approvers: [{ username: "kim" }, "jo"] }] },
      "1 pull request, merged, 2 approvers"
    ],
    ["pull_request", { pull_requests: [] }, "no pull request"],
    ["system:decision", { control: "SDLC-7", control_version: 2 }, "SDLC-7 version 2 holds"],
    [
      "system:sbom",
      { attestation_data: { format: "cyclonedx", document: { package_count: 214 } } },
      "cyclonedx, 214 packages"
    ],
    [
      "system:agent_session",
      {
        attestation_data: {
          tool: { name: "agent", version: "2.1" },
          model: "model-1",
          files_changed: [{ path: "a" }],
          files_changed_count: 12
        }
      },
      "agent 2.1, model-1, 12 files"
    ],
    ["system:agent_session", {}, "an agent, 0 files"],
    ["custom:load", { attestation_data: { p95: 120, nested: {}, ok: true } }, "p95 120, ok true"],
    ["generic", { description: "looked at" }, "looked at"],
    ["generic", {}, ""],
    ["constructor", {}, ""]
  ]
  for (const [type, payload, sentence] of cases)
    it(`of ${type} is "${sentence}"`, () =>
      assert.strictEqual(summaryOf(attestation(type, payload)), sentence))

  it("of an override is its reason", () =>
    assert.strictEqual(
      summaryOf(attestation("junit", { is_override: true, reason: "flaky" })),
      "overridden: flaky"
    ))
})

describe("the reason", () => {
  it("says which rule of the type decided", () => {
    assert.strictEqual(
      reasonOf(attestation("junit", { is_compliant: false })),
      "Counts as not compliant, because a suite has failures or errors."
    )
    assert.strictEqual(
      reasonOf(attestation("junit", { is_override: true })),
      "Counts as compliant, because a person decided so."
    )
    assert.include(reasonOf(attestation("custom:load")), "the rules of the type")
    assert.include(reasonOf(attestation("toString")), "the reporter said so")
  })
})

describe("results", () => {
  it("are a row for each suite", () => {
    assert.deepStrictEqual(resultsOf(attestation("junit", { junit_results: [suite] }))?.rows, [
      ["unit", "120", "2", "1", "1", "12.3"]
    ])
  })

  it("are none for an override, an empty list and types without a list", () => {
    assert.isUndefined(
      resultsOf(attestation("junit", { junit_results: [suite], is_override: true }))
    )
    assert.isUndefined(resultsOf(attestation("jira", { jira_results: [] })))
    assert.isUndefined(resultsOf(attestation("generic")))
  })
})
