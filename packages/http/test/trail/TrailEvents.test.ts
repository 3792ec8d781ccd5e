/** The events of a trail on the wire, with every documented field. SPEC §2.14 */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown>

const commit = {
  sha1: c1,
  message: "m",
  author: "A <a@example.org>",
  timestamp: 12.5,
  branch: "main"
}

/** The commit in a response: absent fields are null. */
const shownCommit = {
  ...commit,
  author_username: null,
  url: null,
  parents: null,
  verified: null,
  signature_state: null
}

const repo_info = {
  id: "17",
  name: "team/shop",
  url: "https://git.example.org/team/shop",
  provider: "github"
}

onEveryStore("GET /trails/{org}/{flow_name}/{trail_name}, its events", (server) => {
  const { call } = server
  const flowOf = async (flow_name: string) =>
    (await call("GET /flows/{org}/{flow_name}", { path: { flow_name } })).body as Shown
  const report = (env_name: string, names: ReadonlyArray<string>, fingerprint = F) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: names.map((name, index) => ({
          creationTimestamp: 1_790_000_000 + index,
          digests: { [name]: fingerprint }
        }))
      }
    })

  it("shows the template and the repository of a new trail", async () => {
    const { begin, trail, putFlow } = evidenceOf(server, "begun")
    await putFlow("version: 1\n")
    await begin("t", { git_commit_info: commit, repo_info, user_data: { a: 1 } })
    const shown = await trail("t")
    const repo = (
      await call("GET /repos/{org}/{repo_name}", { path: { repo_name: repo_info.name } })
    ).body as Shown
    const [event] = shown.events
    const { id: flow_id } = await flowOf("begun")
    assert.deepStrictEqual(event?.trail_data_json, {
      org_id: event?.org_id,
      flow_id,
      name: "t",
      creating_user_id: event?.setting_user_id,
      description: "",
      git_commit_info: shownCommit,
      template_id: shown.compliance_status.flow_template_id,
      origin_url: null,
      user_data: '{"a":1}',
      repo_ids: [repo.id]
    })
    assert.deepStrictEqual(event?.git_commit_info, shownCommit)
    assert.deepStrictEqual(event?.repo_info, {
      inner_id: repo.id,
      org_id: event?.org_id,
      repo_id: "17",
      name: repo_info.name,
      url: repo_info.url,
      provider: "github",
      description: null,
      vcs_instance: "git.example.org",
      namespace_path: null,
      additional_info: null,
      created_at: repo.created_at,
      last_modified_at: repo.last_modified_at,
      tags: {}
    })
    const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "begun", trail_name: "t" }
    })
    assert.deepStrictEqual((body as Shown).git_commit_info, shownCommit)
  })

  it("shows the template and the repository of an update", async () => {
    const { begin, trail } = evidenceOf(server, "updated")
    await begin("t")
    await begin("t", { repo_info, template_file: "version: 1\ntrail: {}\n" })
    const shown = await trail("t")
    const [, event] = shown.events
    const repo_ids = (shown as unknown as Shown).repo_ids
    assert.deepStrictEqual(event?.changes, ["repo_info", "template"])
    assert.deepStrictEqual(event?.trail_data_json, {
      template_id: shown.compliance_status.flow_template_id,
      repo_ids
    })
    assert.deepInclude(event?.repo_info, { inner_id: (repo_ids as ReadonlyArray<string>)[0] })
  })

  it("shows a commit of which only `sha1` is known with null for the rest", async () => {
    const { begin, trail } = evidenceOf(server, "bare-commit")
    await begin("t", { git_commit_info: { sha1: c1 } })
    const bare = { ...shownCommit, message: null, author: null, timestamp: null, branch: null }
    const shown = await trail("t")
    assert.deepStrictEqual((shown as unknown as Shown).git_commit_info, bare)
    assert.deepStrictEqual(shown.events[0]?.git_commit_info, bare)
    const listed = await call("GET /trails/{org}", { query: "?flow=bare-commit" })
    assert.deepStrictEqual(
      (listed.body as { data: ReadonlyArray<Shown> }).data.map((one) => one.git_commit_info),
      [bare]
    )
  })

  it("shows the artifact and the slot of an attestation and of its override", async () => {
    const { artifact, generic, attest, trail } = evidenceOf(server, "attested")
    const on = { artifact_fingerprint: F }
    await artifact("t", "app", F, c1)
    await artifact("t", "other", E, c2)
    await generic("t", "lint", false, on)
    await attest("t", "override", {
      ...on,
      attestation_name: "lint",
      original_attestation_type: "generic",
      new_compliance_status: true,
      reason: "known"
    })
    await generic("t", "scan", true, { target_artifacts: ["other"], git_commit_info: { sha1: c2 } })
    await generic("t", "early", true, { target_artifacts: ["web"], git_commit_info: { sha1: c2 } })
    const events = (await trail("t")).events.slice(3)
    const fieldsOf = (event: Shown) => [
      event.type,
      event.attestation_type,
      event.is_compliant,
      event.template_reference_name,
      event.artifact_fingerprint,
      event.artifact_name,
      event.target_artifact,
      event.is_reattestation
    ]
    assert.deepStrictEqual(events.map(fieldsOf), [
      ["artifact_attestation_reported", "generic", false, "lint", F, "app.tar", "app", null],
      ["artifact_attestation_reported", "generic", true, "lint", F, "app.tar", "app", null],
      ["artifact_attestation_reported", "generic", true, "scan", E, "other.tar", "other", null],
      [
        "trail_attestation_for_artifact_reported",
        "generic",
        true,
        "early",
        undefined,
        undefined,
        "web",
        null
      ]
    ])
  })

  it("shows the number of started instances, and their slot", async () => {
    const { artifact, trail } = evidenceOf(server, "running")
    const print = "a7".repeat(32)
    await artifact("t", "app", print, c1)
    await call("PUT /environments/{org}", { body: { name: "ran-in", type: "server" } })
    await report("ran-in", ["app.tar", "app.tar"], print)
    await report("ran-in", [])
    const [started, stopped] = (await trail("t")).events.slice(2)
    const shared = {
      artifact_fingerprint: print,
      environment_id: started?.environment_id,
      environment_name: "ran-in",
      template_reference_name: "app"
    }
    assert.match(String(started?.environment_id), /^[0-9a-f-]{32}$/)
    assert.deepInclude(started, {
      ...shared,
      type: "artifact_started_running",
      snapshot_index: 1,
      replica_number: 2
    })
    assert.deepInclude(stopped, {
      ...shared,
      type: "artifact_stopped_running",
      snapshot_index: 2
    })
    assert.notProperty(stopped, "replica_number")
    assert.notProperty(started, "instances")
  })

  it("shows the environment of an approval by its id", async () => {
    const { artifact, trail } = evidenceOf(server, "approving")
    const print = "a8".repeat(32)
    await artifact("t", "app", print, c1)
    await call("PUT /environments/{org}", { body: { name: "approved-for", type: "server" } })
    await report("approved-for", ["app.tar"], print)
    const approve = (more: object) =>
      call("POST /approvals/{org}/{flow_name}", {
        path: { flow_name: "approving" },
        body: { artifact_fingerprint: print, ...more }
      })
    await approve({ environment: "approved-for" })
    await approve({ environment: "unknown" })
    await approve({})
    const [started, ...approvals] = (await trail("t")).events.slice(2)
    assert.deepStrictEqual(
      approvals.map(({ type, approval_number, environment_id }) => [
        type,
        approval_number,
        environment_id
      ]),
      [
        ["artifact_approval_reported", 1, started?.environment_id],
        ["artifact_approval_reported", 2, null],
        ["artifact_approval_reported", 3, null]
      ]
    )
  })

  it("moves `last_modified_at` with every artifact and attestation", async () => {
    const { begin, artifact, generic, trail } = evidenceOf(server, "moving")
    const modified = async () => Number(((await trail("t")) as unknown as Shown).last_modified_at)
    await begin("t")
    const steps = [
      () => artifact("t", "app", F, c1),
      () => generic("t", "lint", false),
      () => generic("t", "lint", true, { artifact_fingerprint: F })
    ]
    let before = await modified()
    for (const step of steps) {
      await step()
      const { events, compliance_status } = await trail("t")
      const after = await modified()
      assert.isAbove(after, before)
      assert.strictEqual(after, events.at(-1)?.timestamp)
      assert.strictEqual(after, compliance_status.evaluated_at)
      await step()
      assert.strictEqual(await modified(), after, "a repetition changes nothing")
      before = after
    }
  })
})
