/** The schema of an attestation in a response keeps every field of every report, in the order of the report. */
import * as AttestationReport from "@attestry/core/AttestationReport"
import { AttestationId, FlowName, TrailName } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AttestationResponse } from "../../src/attestation/AttestationResponse.js"

const REPORTS = [
  AttestationReport.GenericReport,
  AttestationReport.JunitReport,
  AttestationReport.SnykReport,
  AttestationReport.SonarReport,
  AttestationReport.JiraReport,
  AttestationReport.PullRequestReport,
  AttestationReport.DecisionReport,
  AttestationReport.SbomReport,
  AttestationReport.CustomReport,
  AttestationReport.OverrideReport
]

describe("an attestation in a response", () => {
  it("has every field that a report of any type may have", () => {
    const reported = REPORTS.flatMap(({ fields }) => Object.keys(fields))
    const decided = ["control_version", "type_version"]
    assert.includeMembers(Object.keys(AttestationResponse.fields), [...reported, ...decided])
  })

  it("keeps the order of its fields and the members of its results", () => {
    const href = "https://attestry.example.com/"
    const suite = {
      name: "unit",
      total: 1,
      failures: 0,
      errors: 0,
      skipped: 0,
      duration: 0.5,
      own: { __proto__: null, member: 1 }
    }
    const attestation = {
      trail_name: TrailName.make("t1"),
      junit_results: [suite],
      user_data: { by: "a person" },
      schema_version: 2,
      description: "nightly",
      origin_url: null,
      git_commit_info: null,
      attestation_id: AttestationId.make("0b0c4d5a-cc1f-4725-8f97-af2562896b1c"),
      attestation_type: "junit",
      attestation_name: "unit-tests",
      is_compliant: true,
      is_override: false,
      target_artifacts: [],
      created_at: Timestamp.fromMillis(1_500),
      reported_by: "ci",
      flow_name: FlowName.make("shop"),
      html_url: href,
      has_audit_package: false,
      evidence_archive_path: "",
      evidence_archive_fingerprint: "",
      attachments: [],
      _links: { self: { href } }
    } satisfies typeof AttestationResponse.Type
    const encoded = Schema.encodeSync(AttestationResponse)(attestation)
    assert.strictEqual(JSON.stringify(encoded), JSON.stringify({ ...attestation, created_at: 1.5 }))
  })
})
