/** Proposed commands, and the placeholders that keep them from being evidence. */

import * as AttestationReport from "@attestry/core/AttestationReport"
import * as EvidenceType from "@attestry/core/EvidenceType"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Placeholder from "@attestry/core/Placeholder"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as EvidenceCommand from "../../src/remedy/EvidenceCommand.js"

const TYPES = [
  ...EvidenceType.ALL,
  ...EvidenceType.ALL.map(EvidenceType.toWire),
  "*",
  "custom:load",
  "custom:attestry-sbom",
  "custom:attestry-coverage"
]

const at = { flow: "shop", trail: "t1", name: "review" }

describe("EvidenceCommand", () => {
  it("has a placeholder for every type", () => {
    for (const type of TYPES) {
      const words = EvidenceCommand.wordsOf({ ...at, type })
      assert.isTrue(
        words.some((word) => Placeholder.is(word.replace("--compliant=", ""))),
        type
      )
    }
  })

  it("is one line that a shell takes as it is meant", () => {
    assert.strictEqual(
      EvidenceCommand.lineOf({ ...at, type: "pull_request", fingerprint: "f".repeat(64) }),
      "attestry attest pull-request --number '<PULL_REQUEST_NUMBER>' --name review --flow shop " +
        `--trail t1 --fingerprint ${"f".repeat(64)}`
    )
    assert.strictEqual(
      EvidenceCommand.lineOf({ ...at, type: "decision", control: "SDLC-1" }),
      "attestry attest decision --control SDLC-1 '--compliant=<TRUE_OR_FALSE>' --name review " +
        "--flow shop --trail t1"
    )
  })

  it("sends the types of evidence files as files", () => {
    const lineOf = (type: string) => EvidenceCommand.lineOf({ ...at, type })
    assert.strictEqual(
      lineOf("custom:attestry-sbom"),
      "attestry attest sbom '<EVIDENCE_FILE>' --name review --flow shop --trail t1"
    )
    assert.strictEqual(
      lineOf("custom:attestry-coverage"),
      "attestry attest file '<EVIDENCE_FILE>' --name review --flow shop --trail t1"
    )
  })
})

const errorsOf = (schema: Schema.Schema.AnyNoContext, body: object): FieldErrors.FieldErrors =>
  Either.match(
    Schema.decodeUnknownEither(schema, { errors: "all" })({ attestation_name: "a", ...body }),
    { onLeft: ({ issue }) => FieldErrors.fromParseIssue(issue), onRight: () => ({}) }
  )

const sonar = {
  analysedAt: "2026-01-01T00:00:00Z",
  revision: "r",
  project: { key: "shop", url: "https://sonar.example.com" },
  qualityGate: { status: "OK" }
}

describe("evidence with placeholders", () => {
  const pull = { url: "https://git.example.com/pull/1", state: "MERGED", merge_commit: "c" }
  const issue = { issue_id: "A-1", issue_url: "https://jira.example.com/A-1", issue_exists: true }
  const suite = { name: "unit", total: 1, failures: 0, errors: 0, skipped: 0, duration: 1 }
  const cases: ReadonlyArray<readonly [string, Schema.Schema.AnyNoContext, object]> = [
    [
      "pull_requests[0].url",
      AttestationReport.PullRequestReport,
      { git_provider: "github", pull_requests: [{ ...pull, url: "<PULL_REQUEST_URL>" }] }
    ],
    [
      "pull_requests[0].url",
      AttestationReport.PullRequestReport,
      {
        git_provider: "github",
        pull_requests: [{ ...pull, url: "https://git.example.com/pull/<PULL_REQUEST_NUMBER>" }]
      }
    ],
    [
      "pull_requests[0].merge_commit",
      AttestationReport.PullRequestReport,
      { git_provider: "github", pull_requests: [{ ...pull, merge_commit: "<COMMIT>" }] }
    ],
    [
      "git_provider",
      AttestationReport.PullRequestReport,
      { git_provider: "<FORGE>", pull_requests: [] }
    ],
    [
      "jira_results[0].issue_id",
      AttestationReport.JiraReport,
      { jira_results: [{ ...issue, issue_id: "<ISSUE_KEY>" }] }
    ],
    [
      "junit_results[0].name",
      AttestationReport.JunitReport,
      { junit_results: [{ ...suite, name: "<SUITE>" }] }
    ],
    [
      "sonar_results.project.key",
      AttestationReport.SonarReport,
      { sonar_results: { ...sonar, project: { ...sonar.project, key: "<PROJECT_KEY>" } } }
    ],
    [
      "attestation_data.format",
      AttestationReport.SbomReport,
      { type_name: "sbom", attestation_data: { format: "<FORMAT>", document: {} } }
    ],
    [
      "reason",
      AttestationReport.OverrideReport,
      { reason: "<REASON>", new_compliance_status: true, original_attestation_type: "generic" }
    ]
  ]
  for (const [field, schema, body] of cases)
    it(`is refused by the name of its field: ${field} of ${JSON.stringify(body)}`, () => {
      const errors = errorsOf(schema, body)
      assert.deepStrictEqual(Object.keys(errors), [field])
      assert.include(errors[field], Placeholder.PROBLEM)
    })

  it("is accepted where `<` is legitimate", () => {
    const titled = { ...pull, title: "<WIP>", author: "<BOT>", head_ref: "<X>" }
    for (const [schema, body] of [
      [AttestationReport.PullRequestReport, { git_provider: "github", pull_requests: [titled] }],
      [AttestationReport.JunitReport, { junit_results: [{ ...suite, name: "List<T>" }] }],
      [
        AttestationReport.GenericReport,
        {
          is_compliant: true,
          description: "<NONE>",
          user_data: { a: "<A>" },
          annotations: { a: "<A>" }
        }
      ],
      [
        AttestationReport.CustomReport,
        { type_name: "load", attestation_data: { element: "<BODY>" } }
      ]
    ] as const)
      assert.deepStrictEqual(errorsOf(schema, body), {})
  })
})
