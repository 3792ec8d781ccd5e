/** Attestations on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const suite = { name: "s", failures: 0, errors: 0, skipped: 1, total: 3, duration: 0.5, extra: [1] }
const pull = {
  url: "https://git.example.org/pr/1",
  state: "MERGED",
  author: "",
  commits: [{ sha1: c1, author: "A <a@example.org>", timestamp: 1_790_000_000.5, verified: false }],
  approvers: ["bob", { username: "eve", state: "APPROVED", timestamp: 1 }],
  reviews: [{ commit_sha: c1, state: "CHANGES_REQUESTED", timestamp: 2, username: "eve" }],
  merged_at: 3.25
}
const gate = (status: string) => ({
  serverUrl: "s",
  taskId: "t",
  status: "SUCCESS",
  analysedAt: "2026-01-01",
  revision: c1,
  project: { key: "k", url: "u" },
  qualityGate: { status, conditions: [] }
})

const kinds: ReadonlyArray<readonly [string, object, string, boolean]> = [
  ["generic", { is_compliant: false }, "generic", false],
  ["junit", { junit_results: [suite] }, "junit", true],
  ["junit", { junit_results: [suite, { ...suite, errors: 1 }] }, "junit", false],
  ["snyk", { snyk_results: { results: [] } }, "snyk", true],
  ["sonar", { sonar_results: gate("OK") }, "sonar", true],
  ["sonar", { sonar_results: gate("WARN") }, "sonar", false],
  ["jira", { jira_results: [] }, "jira", false],
  ["pull_request", { git_provider: "github", pull_requests: [pull] }, "pull_request", true],
  [
    "system",
    { type_name: "decision", control: "SC-7", attestation_data: { is_compliant: true } },
    "system:decision",
    true
  ]
]

onEveryStore("POST /attestations/{org}/{flow_name}/trail/{trail_name}/{type}", (server) => {
  const { attest, named, generic, trail, artifact } = evidenceOf(server, "attested")

  it("accepts every type, evaluates it once, and returns the sent fields", async () => {
    for (const [index, [kind, payload, type, isCompliant]] of kinds.entries()) {
      const body = {
        attestation_name: `kind-${index}`,
        description: "",
        annotations: { a_b: "c" },
        external_urls: { site: { href: "https://example.org" } },
        origin_url: "https://ci.example.org/run/7",
        user_data: { __proto: [1, null, { deep: "é" }] },
        git_commit_info: { sha1: c1, branch: "main", timestamp: 12.5, url: null },
        ...payload
      }
      const answer = await attest("kinds", kind, body)
      assert.deepStrictEqual([answer.status, answer.body], [201, "OK"])
      const [shown] = await named("kinds", `kind-${index}`)
      assert.deepInclude(shown, {
        ...body,
        attestation_type: type,
        is_compliant: isCompliant,
        reported_by: "ada",
        flow_name: "attested",
        trail_name: "kinds"
      })
    }
  })

  it("is 200 for an override, also without a report", async () => {
    const answer = await attest("overridden", "override", {
      attestation_name: "ghost",
      original_attestation_type: "junit",
      new_compliance_status: true,
      reason: "because"
    })
    assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
    const { compliance_status } = await trail("overridden")
    assert.deepInclude(compliance_status.attestations_statuses[0], {
      attestation_type: "junit",
      status: "COMPLETE",
      is_compliant: true,
      overridden_attestation_id: null
    })
  })

  it("stores a repeated report once, and again after another report", async () => {
    for (const isCompliant of [true, true, false, true]) await generic("twice", "a", isCompliant)
    const outcomes = (await named("twice", "a")).map(({ is_compliant }) => is_compliant)
    assert.deepStrictEqual(outcomes, [true, false, true])
    assert.strictEqual((await trail("twice")).events.length, 4)
  })

  it("stores 32 identical concurrent reports once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => generic("raced", "a", true, { user_data: { n: 1 } }))
    )
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.strictEqual((await named("raced", "a")).length, 1)
  })

  it("refuses an artifact that the trail does not have, and creates no trail", async () => {
    const answer = await generic("absent", "a", true, { artifact_fingerprint: F })
    assert.deepStrictEqual(
      [answer.status, answer.body],
      [
        404,
        {
          message:
            `Artifact with fingerprint ${F} does not exist in trail "absent" ` +
            'of flow "attested" belonging to organization "acme"'
        }
      ]
    )
    const { status } = await server.call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "attested", trail_name: "absent" }
    })
    assert.strictEqual(status, 404)
  })

  it("refuses a slot without a commit, and a fingerprint outside the given slots", async () => {
    const needs = await generic("scoped", "a", true, { target_artifacts: ["app"] })
    assert.strictEqual(needs.status, 400)
    assert.include(
      (needs.body as { message: string }).message,
      "requires at least one of: artifact_fingerprint or git_commit_info."
    )
    await artifact("scoped", "app", F, c1)
    const elsewhere = await generic("scoped", "a", true, {
      artifact_fingerprint: F,
      target_artifacts: ["web"]
    })
    assert.strictEqual(elsewhere.status, 404)
  })

  it("reports each invalid field", async () => {
    const refused: ReadonlyArray<readonly [string, object, string]> = [
      ["generic", { attestation_name: "a.b", is_compliant: true }, "attestation_name"],
      ["generic", { attestation_name: "a" }, "is_compliant"],
      ["generic", { attestation_name: "a", is_compliant: true, more: 1 }, "more"],
      ["generic", { attestation_name: "a", is_compliant: true, origin_url: "" }, "origin_url"],
      ["junit", { attestation_name: "a", junit_results: [] }, "junit_results"],
      [
        "pull_request",
        { attestation_name: "a", git_provider: "g", pull_requests: [{ state: "OPEN" }] },
        "pull_requests[0].url"
      ],
      [
        "override",
        {
          attestation_name: "a",
          original_attestation_type: "generic",
          new_compliance_status: true,
          reason: " "
        },
        "reason"
      ],
      [
        "pull_request",
        {
          attestation_name: "a",
          git_provider: "github",
          pull_requests: [{ url: "https://git.example.org/pull/<NUMBER>", state: "MERGED" }]
        },
        "pull_requests[0].url"
      ],
      ["generic", { attestation_name: "a", is_compliant: "<TRUE_OR_FALSE>" }, "is_compliant"]
    ]
    for (const [kind, body, field] of refused) {
      const answer = await attest("refused", kind, body)
      assert.strictEqual(answer.status, 400, `${kind} ${field}`)
      assert.deepStrictEqual(Object.keys((answer.body as { errors: object }).errors), [field])
    }
  })

  it("is denied to readers, and to other orgs", async () => {
    for (const as of ["reader", "snapshotter", "foreigner"] as const) {
      const body = { attestation_name: "a", is_compliant: true }
      assert.strictEqual((await attest("denied", "generic", body, { as })).status, 403)
    }
  })
})
