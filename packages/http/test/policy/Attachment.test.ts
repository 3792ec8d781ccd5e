/** Attaching and detaching policies on the wire. SPEC §4.15 */
import { assert, it } from "vitest"
import { E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml, type ShownPolicy } from "./Policies.js"
import { annotations, NEEDS_PROVENANCE, policyEnvironment } from "./PolicyEnvironment.js"

const ASKS_NOTHING = policyYaml("  provenance:\n    required: false\n")

onEveryStore("POST and DELETE /environments/{org}/{env_name}/policies", (server) => {
  const { call } = server
  const consumers = async (name: string) =>
    ((await call("GET /policies/{org}/{name}", { path: { name } })).body as ShownPolicy)
      .consuming_envs
  const events = async (name: string) =>
    ((await call("GET /policies/{org}/{name}", { path: { name } })).body as ShownPolicy).events.map(
      ({ data, type }) => [type, data]
    )

  it("shows policies on the environment and the environment on policies, with events", async () => {
    const one = policyEnvironment(server, "shown-1")
    const two = policyEnvironment(server, "shown-2")
    await one.create()
    await two.create()
    await one.policy("shown-b", NEEDS_PROVENANCE)
    await one.policy("shown-a", NEEDS_PROVENANCE)
    const attached = await one.attach("shown-b", "shown-a", "shown-b")
    assert.deepStrictEqual([attached.status, attached.body], [200, "OK"])
    await two.attach("shown-a")
    assert.deepStrictEqual((await one.state()).policies, ["shown-a", "shown-b"])
    assert.deepStrictEqual(await consumers("shown-a"), ["shown-1", "shown-2"])
    const detached = await one.detach("shown-a")
    assert.deepStrictEqual([detached.status, detached.body], [200, "OK"])
    assert.deepStrictEqual((await one.state()).policies, ["shown-b"])
    assert.deepStrictEqual(await consumers("shown-a"), ["shown-2"])
    assert.deepStrictEqual(await events("shown-a"), [
      ["policy_created", { version: 1 }],
      ["policy_attached", { environment: "shown-1" }],
      ["policy_attached", { environment: "shown-2" }],
      ["policy_detached", { environment: "shown-1" }]
    ])
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "shown-2" } })
    assert.deepStrictEqual(await consumers("shown-a"), [])
  })

  it("SNAP-24: creates no snapshot before the first report, which creates number 1", async () => {
    const env = policyEnvironment(server, "early")
    await env.create()
    await env.policy("early", NEEDS_PROVENANCE)
    await env.attach("early")
    assert.strictEqual(await env.count(), 0)
    await env.report(["x", E])
    const { artifacts, compliant, index } = await env.snapshot()
    assert.deepStrictEqual([index, compliant, artifacts[0]?.compliant], [1, false, false])
  })

  it("SNAP-25, SNAP-27: creates one snapshot for each change and none for a repetition", async () => {
    const env = policyEnvironment(server, "repeated")
    await env.create()
    await env.policy("repeated-a", NEEDS_PROVENANCE)
    await env.policy("repeated-b", ASKS_NOTHING)
    await env.report(["x", E])
    await env.attach("repeated-a", "repeated-b")
    assert.strictEqual(await env.count(), 2)
    await env.attach("repeated-b")
    await env.attach("repeated-a", "repeated-b")
    assert.strictEqual(await env.count(), 2)
    await env.detach("repeated-b")
    assert.strictEqual(await env.count(), 3)
    assert.deepStrictEqual(annotations(await env.snapshot()), ["x changed"])
    await env.detach("repeated-b")
    assert.strictEqual(await env.count(), 3)
    await env.detach("repeated-a")
    const { applied_policies, artifacts, compliant, index } = await env.snapshot()
    assert.deepStrictEqual([index, compliant, applied_policies], [4, false, []])
    assert.deepStrictEqual(artifacts[0]?.policy_decisions, [])
    assert.strictEqual((await env.state()).state, null)
  })

  it("SNAP-26: restores every verdict when the same version is detached and attached", async () => {
    const env = policyEnvironment(server, "restored")
    await env.create()
    await env.policy("restored", NEEDS_PROVENANCE)
    await evidenceOf(server, "restored").artifact("t1", "api", F, "c1".repeat(20))
    await env.report(["known", F], ["unknown", E])
    await env.attach("restored")
    const before = await env.snapshot()
    await env.detach("restored")
    await env.attach("restored")
    const after = await env.snapshot()
    assert.strictEqual(after.index, before.index + 2)
    const told = ({ applied_policies, artifacts }: typeof before) => [
      applied_policies,
      artifacts.map(({ annotation: _, ...row }) => row)
    ]
    assert.deepStrictEqual(told(after), told(before))
  })

  it("sets the exact policies with PUT and PATCH, with one snapshot", async () => {
    const env = policyEnvironment(server, "exact")
    for (const name of ["exact-a", "exact-b", "exact-c"]) await env.policy(name, ASKS_NOTHING)
    assert.strictEqual((await env.create({ policies: ["exact-a"] })).status, 201)
    assert.deepStrictEqual((await env.state()).policies, ["exact-a"])
    await env.report()
    const patch = (body: object) =>
      call("PATCH /environments/{org}/{env_name}", { path: { env_name: "exact" }, body })
    assert.strictEqual((await patch({ policies: ["exact-b", "exact-c"] })).status, 200)
    assert.deepStrictEqual((await env.state()).policies, ["exact-b", "exact-c"])
    assert.strictEqual(await env.count(), 2)
    await patch({ policies: ["exact-c", "exact-b"], description: "other words" })
    assert.strictEqual(await env.count(), 2)
    await env.create({ policies: [] })
    assert.deepStrictEqual((await env.state()).policies, [])
    assert.strictEqual(await env.count(), 3)
    await env.create({ policies: null })
    assert.strictEqual(await env.count(), 3)
    assert.deepStrictEqual((await events("exact-a")).slice(1), [
      ["policy_attached", { environment: "exact" }],
      ["policy_detached", { environment: "exact" }]
    ])
  })

  it("is 404 for an unknown policy or environment and changes nothing", async () => {
    const env = policyEnvironment(server, "half")
    await env.create()
    await env.policy("half", NEEDS_PROVENANCE)
    const answer = await env.attach("half", "nobody")
    assert.strictEqual(answer.status, 404)
    assert.deepStrictEqual(answer.body, {
      message: "Policy 'nobody' does not exist in organization 'acme'"
    })
    assert.deepStrictEqual((await env.state()).policies, [])
    assert.strictEqual((await env.detach("not a name")).status, 404)
    const nowhere = await policyEnvironment(server, "nowhere").attach("half")
    assert.deepStrictEqual(
      [nowhere.status, nowhere.body],
      [404, { message: "Environment named 'nowhere' does not exist for organization 'acme'" }]
    )
    const created = await policyEnvironment(server, "half-2").create({ policies: ["nobody"] })
    assert.strictEqual(created.status, 404)
  })

  it("refuses a body that is not a list of names, and unknown fields", async () => {
    await policyEnvironment(server, "strict").create()
    const post = (body: object) =>
      call("POST /environments/{org}/{env_name}/policies", { path: { env_name: "strict" }, body })
    for (const body of [{}, { policy_names: "one" }, { policy_names: [], colour: "red" }])
      assert.strictEqual((await post(body)).status, 400)
  })

  it("denies a snapshotter the choice of policies", async () => {
    await policyEnvironment(server, "guarded").policy("guarded", NEEDS_PROVENANCE)
    const put = (body: object) =>
      call("PUT /environments/{org}", {
        as: "snapshotter",
        body: { name: "guarded", type: "server", ...body }
      })
    assert.strictEqual((await put({ policies: ["guarded"] })).status, 403)
    assert.strictEqual((await put({ policies: [] })).status, 201)
    assert.strictEqual((await put({ policies: ["guarded"] })).status, 403)
    assert.strictEqual((await put({ policies: [] })).status, 200)
  })
})

onEveryStore("require_provenance", (server) => {
  it("is one more policy, version 0", async () => {
    const env = policyEnvironment(server, "old-flag")
    await env.create({ require_provenance: true })
    assert.strictEqual((await env.state()).require_provenance, true)
    await env.report(["x", E])
    const { applied_policies, artifacts } = await env.snapshot()
    assert.deepStrictEqual(
      applied_policies.map(({ failing_artifacts, name, version }) => [
        name,
        version,
        failing_artifacts
      ]),
      [["require_provenance", 0, [E]]]
    )
    assert.isNotNull(applied_policies[0]?.policy_dump)
    assert.deepStrictEqual(
      artifacts[0]?.reasons_for_incompliance.map(({ policy_name, policy_version, type }) => [
        type,
        policy_name,
        policy_version
      ]),
      [["missing_provenance", "require_provenance", 0]]
    )
    await env.create({ require_provenance: false })
    assert.strictEqual((await env.state()).state, null)
    assert.strictEqual(await env.count(), 2)
  })
})
