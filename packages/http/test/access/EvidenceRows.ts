/** The rows of the access table that are about evidence: flows, trails, artifacts, attestations. */
import type { CallOptions } from "../shared/TestServer.js"
import type { Fixture, Row } from "./AccessTable.js"

/** The artifact of the fixture. */
export const FINGERPRINT = "3b".repeat(32)
/** The commit of that artifact. */
export const COMMIT = "9f1c2ab0000000000000000000000000000000aa"

const SONAR = {
  serverUrl: "https://sonar.example.org",
  taskId: "1",
  status: "SUCCESS",
  analysedAt: "2026-01-01",
  revision: COMMIT,
  project: { key: "k", url: "https://sonar.example.org/k" }
}

const onTrail = (data: object): ((fixture: Fixture) => CallOptions) => {
  return ({ cell }) => {
    const raw = new FormData()
    raw.append("data_json", JSON.stringify({ attestation_name: `a-${cell}`, ...data }))
    return { path: { flow_name: "flow", trail_name: "t1" }, raw }
  }
}

const attest = (data: object): Row => ({ least: "member", status: 201, request: onTrail(data) })

const read = (path: { readonly [name: string]: string } = {}, query = ""): Row => ({
  least: "reader",
  status: 200,
  request: () => ({ path, query })
})

const flow = { flow_name: "flow" }
const trail = { ...flow, trail_name: "t1" }

/** Rows by operation. */
export const evidenceRows: { readonly [operation: string]: Row } = {
  "GET /flows/{org}": read(),
  "PUT /flows/{org}/{flow_name}/archive": {
    least: "member",
    status: 200,
    request: async ({ newFlow }) => ({ path: { flow_name: await newFlow("gone") } })
  },
  "PUT /flows/{org}/{flow_name}/rename": {
    least: "member",
    status: 200,
    request: async ({ cell, newFlow }) => ({
      path: { flow_name: await newFlow("old") },
      body: { new_name: `new-${cell}` }
    })
  },
  "GET /trails/{org}": read(),
  "GET /trails/{org}/{flow_name}/{trail_name}": read(trail),
  "GET /artifacts/{org}": read(),
  "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}": read({
    ...flow,
    fingerprint: FINGERPRINT
  }),
  "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}": read({ ...flow, sha: COMMIT }),
  "GET /artifacts/{org}/{flow_name}/{fingerprint}/latest_commit": read({
    ...flow,
    fingerprint: FINGERPRINT
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic": attest({ is_compliant: true }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/junit": attest({
    junit_results: [{ name: "a", failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }]
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/snyk": attest({
    snyk_results: { schema_version: 1, tool: { name: "snyk", version: "1" }, results: [] }
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/sonar": attest({ sonar_results: SONAR }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/jira": attest({ jira_results: [] }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/pull_request": attest({
    git_provider: "github",
    pull_requests: []
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/custom": attest({
    type_name: "type",
    attestation_data: {}
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/system": attest({
    type_name: "decision",
    control: "CTL-1",
    attestation_data: { is_compliant: true }
  }),
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/override": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({
      path: trail,
      body: {
        attestation_name: `o-${cell}`,
        reason: "checked",
        new_compliance_status: true,
        original_attestation_type: "generic"
      }
    })
  },
  "GET /attestations/{org}": read(),
  "GET /attestations/{org}/{flow_name}": read(flow),
  "GET /attestations/{org}/list_attestations_for_criteria": read({}, `?commit_list=${COMMIT}`),
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}": read({
    ...trail,
    attestation_name: "evidence"
  }),
  "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}": read({
    ...flow,
    fingerprint: FINGERPRINT,
    attestation_name: "evidence"
  }),
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence": {
    least: "reader",
    status: 200,
    request: ({ attestation }) => ({ path: { ...trail, attestation_id: attestation } })
  },
  "POST /custom-attestation-types/{org}": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `type-${cell}` } })
  },
  "GET /custom-attestation-types/{org}": read(),
  "GET /custom-attestation-types/{org}/{type_name}": read({ type_name: "type" }),
  "PUT /custom-attestation-types/{org}/{type_name}/archive": {
    least: "member",
    status: 200,
    request: async ({ newType }) => ({ path: { type_name: await newType() } })
  },
  "POST /approvals/{org}/{flow_name}": {
    least: "member",
    status: 201,
    request: () => ({ path: flow, body: { artifact_fingerprint: FINGERPRINT } })
  },
  "GET /approvals/{org}/{flow_name}": read(flow),
  "GET /approvals/{org}/{flow_name}/{number}": read({ ...flow, number: "1" }),
  "GET /search/{org}/commit/{sha}/trails": read({ sha: COMMIT }),
  "GET /search/{org}/sha/{value}": read({ value: FINGERPRINT }),
  "GET /repos/{org}": read(),
  "GET /repos/{org}/{repo_name}": read({ repo_name: "repository" }),
  "PATCH /tags/{org}/{resource_type}/{resource_id}": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({
      path: { resource_type: "flow", resource_id: "flow" },
      body: { set_tags: { [`k-${cell}`]: "v" } }
    })
  }
}
