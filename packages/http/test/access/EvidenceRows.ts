/** The rows of the access table that are about evidence: flows, trails, artifacts, attestations. */
import type { CallOptions } from "../shared/TestServer.js"
import type { Fixture, Row, Rows } from "./AccessTable.js"

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

/** An evidence file for a trail of its own. */
const evidenceForm = (name: string): FormData => {
  const form = new FormData()
  form.set("file", new Blob([JSON.stringify({ kind: "sbom" })]), "bom.json")
  form.set("flow_name", "evidence")
  form.set("trail_name", name)
  return form
}

/** Rows by operation. */
export const evidenceRows = {
  "flow.list": read(),
  "flow.archive": {
    least: "member",
    status: 200,
    request: async ({ newFlow }) => ({ path: { flow_name: await newFlow("gone") } })
  },
  "flow.rename": {
    least: "member",
    status: 200,
    request: async ({ cell, newFlow }) => ({
      path: { flow_name: await newFlow("old") },
      body: { new_name: `new-${cell}` }
    })
  },
  "trail.list": read(),
  "trail.get": read(trail),
  "artifact.list": read(),
  "artifact.get": read({
    ...flow,
    fingerprint: FINGERPRINT
  }),
  "artifact.listByCommit": read({ ...flow, sha: COMMIT }),
  "artifact.latestCommit": read({
    ...flow,
    fingerprint: FINGERPRINT
  }),
  "attestation.generic": attest({ is_compliant: true }),
  "attestation.junit": attest({
    junit_results: [{ name: "a", failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }]
  }),
  "attestation.snyk": attest({
    snyk_results: { schema_version: 1, tool: { name: "snyk", version: "1" }, results: [] }
  }),
  "attestation.sonar": attest({ sonar_results: SONAR }),
  "attestation.jira": attest({ jira_results: [] }),
  "attestation.pull_request": attest({
    git_provider: "github",
    pull_requests: []
  }),
  "attestation.custom": attest({
    type_name: "type",
    attestation_data: {}
  }),
  "attestation.system": attest({
    type_name: "decision",
    control: "CTL-1",
    attestation_data: { is_compliant: true }
  }),
  "attestation.override": {
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
  "attestation.list": read(),
  "attestation.listOfFlow": read(flow),
  "attestation.listForCriteria": read({}, `?commit_list=${COMMIT}`),
  "attestation.listOnTrail": read({
    ...trail,
    attestation_name: "evidence"
  }),
  "attestation.listOnArtifact": read({
    ...flow,
    fingerprint: FINGERPRINT,
    attestation_name: "evidence"
  }),
  "attestation.evidence": {
    least: "reader",
    status: 200,
    request: ({ attestation }) => ({ path: { ...trail, attestation_id: attestation } })
  },
  "evidence.submit": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ raw: evidenceForm(cell) })
  },
  "component.list": read(),
  "evidence.list": read(),
  "evidence.get": {
    least: "reader",
    status: 404,
    request: () => ({ path: { digest: FINGERPRINT } })
  },
  "evidence.raw": {
    least: "reader",
    status: 404,
    request: () => ({ path: { digest: FINGERPRINT } })
  },
  "evidence.judge": {
    least: "member",
    status: 404,
    request: () => ({ path: { digest: FINGERPRINT } })
  },
  "attestationType.put": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `type-${cell}` } })
  },
  "attestationType.list": { ...read(), least: "none" },
  "attestationType.get": { ...read({ type_name: "type" }), least: "none" },
  "attestationType.archive": {
    least: "member",
    status: 200,
    request: async ({ newType }) => ({ path: { type_name: await newType() } })
  },
  "approval.create": {
    least: "member",
    status: 201,
    request: () => ({ path: flow, body: { artifact_fingerprint: FINGERPRINT } })
  },
  "approval.list": read(flow),
  "approval.get": read({ ...flow, number: "1" }),
  "search.trailsOfCommit": read({ sha: COMMIT }),
  "search.sha": read({ value: FINGERPRINT }),
  "repo.list": read(),
  "repo.get": read({ repo_name: "repository" }),
  "tag.change": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({
      path: { resource_type: "flow", resource_id: "flow" },
      body: { set_tags: { [`k-${cell}`]: "v" } }
    })
  }
} satisfies Rows
