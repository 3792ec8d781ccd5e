/** The compliance of trails, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const template = `version: 1
trail:
  attestations:
    - name: jira-ticket
      type: jira
  artifacts:
    - name: backend
      attestations:
        - name: unit-tests
          type: junit
        - name: security-scan
          type: snyk
`

const suite = { name: "s", failures: 0, errors: 0, skipped: 0, total: 3, duration: 1.5 }
const scan = (high_count: number) => ({
  schema_version: 1,
  tool: { name: "scanner", version: "1" },
  results: [{ high_count, medium_count: 0, low_count: 0 }]
})
const issue = { issue_id: "X-1", issue_url: "https://issues.example.org/X-1", issue_exists: true }

onEveryStore("GET /trails/{org}/{flow_name}/{trail_name}", (server) => {
  it("follows the worked example of the specification, step by step", async () => {
    const { putFlow, begin, attest, artifact, trail, generic } = evidenceOf(server, "worked")
    const on = { artifact_fingerprint: F }
    await putFlow(template)
    const steps: ReadonlyArray<readonly [() => Promise<{ status: number }>, string, string]> = [
      [() => begin("t"), "INCOMPLETE", "MISSING"],
      [
        () =>
          attest("t", "junit", {
            attestation_name: "unit-tests",
            target_artifacts: ["backend"],
            git_commit_info: { sha1: c1 },
            junit_results: [suite]
          }),
        "INCOMPLETE",
        "MISSING"
      ],
      [() => artifact("t", "backend", F, c1), "INCOMPLETE", "INCOMPLETE"],
      [
        () => attest("t", "jira", { attestation_name: "jira-ticket", jira_results: [issue] }),
        "INCOMPLETE",
        "INCOMPLETE"
      ],
      [() => generic("t", "security-scan", true, on), "INCOMPLETE", "INCOMPLETE"],
      [
        () =>
          attest("t", "snyk", { attestation_name: "security-scan", snyk_results: scan(1), ...on }),
        "NON-COMPLIANT",
        "NON-COMPLIANT"
      ],
      [
        () =>
          attest("t", "override", {
            attestation_name: "security-scan",
            original_attestation_type: "snyk",
            new_compliance_status: true,
            reason: "false alarm",
            ...on
          }),
        "COMPLIANT",
        "COMPLIANT"
      ],
      [() => generic("t", "lint", false, on), "NON-COMPLIANT", "NON-COMPLIANT"],
      [() => generic("t", "lint", true, on), "COMPLIANT", "COMPLIANT"],
      [() => artifact("t", "backend", E, c2), "INCOMPLETE", "INCOMPLETE"]
    ]
    for (const [index, [step, expected, slot]] of steps.entries()) {
      const { status } = await step()
      assert.include([200, 201], status, `step ${index}`)
      const shown = await trail("t")
      const { compliance_status } = shown
      assert.deepStrictEqual(
        [shown.compliance_state, compliance_status.artifacts_statuses.backend?.status],
        [expected, slot],
        `step ${index}`
      )
      assert.strictEqual(shown.is_compliant, expected === "COMPLIANT")
    }
  })

  it("says that nothing is expected where no template asks for anything", async () => {
    const plain = evidenceOf(server, "untemplated")
    await plain.putFlow("version: 1\n")
    await plain.generic("t", "lint", true)
    const unasked = await plain.trail("t")
    assert.deepStrictEqual(
      [unasked.compliance_state, unasked.nothing_expected],
      ["COMPLIANT", true]
    )
    await plain.artifact("t", "backend", F, c1)
    assert.isTrue((await plain.trail("t")).nothing_expected)
    const asked = evidenceOf(server, "templated")
    await asked.putFlow("version: 1\ntrail:\n  artifacts:\n    - {name: backend}\n")
    await asked.artifact("t", "backend", F, c1)
    const built = await asked.trail("t")
    assert.deepStrictEqual([built.compliance_state, built.nothing_expected], ["COMPLIANT", false])
  })

  it("shows the overridden attestation, and wrong types as missing and unexpected", async () => {
    const { putFlow, artifact, attest, generic, trail } = evidenceOf(server, "shown")
    await putFlow(template)
    await artifact("t", "backend", F, c1)
    const on = { attestation_name: "security-scan", artifact_fingerprint: F }
    await generic("t", "security-scan", true, { artifact_fingerprint: F })
    await attest("t", "snyk", { ...on, snyk_results: scan(2) })
    await attest("t", "override", {
      ...on,
      original_attestation_type: "snyk",
      new_compliance_status: true,
      reason: "known"
    })
    const entries =
      (await trail("t")).compliance_status.artifacts_statuses.backend?.attestations_statuses ?? []
    assert.deepStrictEqual(
      entries.map((entry) => [
        entry.attestation_name,
        entry.attestation_type,
        entry.status,
        entry.is_compliant,
        entry.unexpected,
        entry.overridden_attestation_id !== null
      ]),
      [
        ["unit-tests", "junit", "MISSING", null, false, false],
        ["security-scan", "snyk", "COMPLETE", true, false, true],
        ["security-scan", "generic", "COMPLETE", true, true, false]
      ]
    )
  })

  it("evaluates by the current template at each event: an edit alone changes nothing", async () => {
    const { putFlow, begin, generic, artifact, trail } = evidenceOf(server, "edited")
    await putFlow("version: 1\n")
    await begin("t")
    await artifact("t", "app", F, c1)
    const before = await trail("t")
    assert.strictEqual(before.compliance_state, "COMPLIANT")
    await putFlow("version: 1\ntrail:\n  attestations:\n    - name: lint\n      type: '*'\n")
    assert.deepStrictEqual(await trail("t"), before)
    await generic("t", "other", true)
    const after = await trail("t")
    assert.strictEqual(after.compliance_state, "INCOMPLETE")
    assert.notStrictEqual(
      after.compliance_status.flow_template_id,
      before.compliance_status.flow_template_id
    )
    assert.include(after.template.content, "lint")
    const { evaluated_at } = after.compliance_status
    assert.isAbove(evaluated_at, before.compliance_status.evaluated_at)
    assert.strictEqual(after.events.at(-1)?.timestamp, evaluated_at)
  })

  it("evaluates again for a repeated report after a template change, without an event", async () => {
    const { putFlow, artifact, trail } = evidenceOf(server, "repeated")
    await putFlow("version: 1\n")
    await artifact("t", "app", F, c1)
    await putFlow("version: 1\ntrail:\n  attestations:\n    - name: lint\n      type: '*'\n")
    const events = (await trail("t")).events.length
    await artifact("t", "app", F, c1)
    const after = await trail("t")
    assert.deepStrictEqual([after.compliance_state, after.events.length], ["INCOMPLETE", events])
  })

  it("evaluates a trail by its own template where it has one", async () => {
    const { putFlow, begin, generic, trail } = evidenceOf(server, "own")
    await putFlow(template)
    const template_file = "trail:\n  attestations: [{ name: lint, type: generic }]\n"
    assert.strictEqual((await begin("t", { template_file })).status, 201)
    assert.strictEqual((await begin("t", { template_file })).status, 200)
    await generic("t", "lint", true)
    const shown = await trail("t")
    assert.deepStrictEqual(
      [shown.compliance_state, shown.template.content, shown.events.length],
      ["COMPLIANT", template_file, 2]
    )
    const bad = await begin("u", { template_file: "trail: [1]\nversion: 2\n" })
    assert.strictEqual(bad.status, 400)
    assert.match((bad.body as { message: string }).message, /^2 validation errors for Template/)
  })

  it("shows events in order, with the fields of each report", async () => {
    const { begin, artifact, generic, trail } = evidenceOf(server, "told")
    const git_commit_info = { sha1: c1, branch: "main", message: "m" }
    await begin("t", { description: "one" })
    await begin("t", { description: "two", git_commit_info })
    await generic("t", "early", true, { target_artifacts: ["app"], git_commit_info })
    await artifact("t", "app", F, c1, { git_commit_info })
    await generic("t", "late", false, { artifact_fingerprint: F })
    await generic("t", "plain", true)
    const { events } = await trail("t")
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      [
        "trail_reported",
        "trail_updated",
        "trail_attestation_for_artifact_reported",
        "artifact_creation_reported",
        "artifact_attestation_reported",
        "trail_attestation_reported"
      ]
    )
    assert.deepStrictEqual(events[1]?.changes, ["description", "git_commit_info"])
    assert.deepStrictEqual(events[2]?.target_artifact, "app")
    assert.strictEqual(events[3]?.artifact_fingerprint, F)
    assert.deepInclude(events[3]?.git_commit_info, git_commit_info)
    assert.deepStrictEqual([events[4]?.artifact_fingerprint, events[4]?.is_compliant], [F, false])
  })

  it("is 404 with the documented message", async () => {
    await evidenceOf(server, "lost").begin("t")
    const of = (flow_name: string, trail_name: string) =>
      server.call("GET /trails/{org}/{flow_name}/{trail_name}", { path: { flow_name, trail_name } })
    const noTrail = await of("lost", "u")
    assert.deepStrictEqual(
      [noTrail.status, noTrail.body],
      [
        404,
        { message: "Trail with name 'u' does not exist for Organization 'acme' and Flow 'lost'" }
      ]
    )
    const noFlow = await of("nowhere", "u")
    assert.deepStrictEqual(
      [noFlow.status, noFlow.body],
      [404, { message: "Flow named 'nowhere' does not exist for organization 'acme'" }]
    )
  })
})
