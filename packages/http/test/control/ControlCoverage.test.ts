/** Coverage of controls, references to them, and verdicts that depend on decisions. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown>

const asking = (...controls: ReadonlyArray<string>) =>
  [
    "_schema: https://attestry.example/schemas/policy/v1",
    "artifacts:",
    "  attestations:",
    ...controls.map((control) => `    - { type: decision, for_control: ${control} }`),
    ...(controls.length === 0 ? ["    - { type: junit }"] : [])
  ].join("\n")

onEveryStore("GET /controls/{org}/{identifier}/coverage", (server) => {
  const { call } = server
  const create = (identifier: string) =>
    call("POST /controls/{org}", { body: { identifier, name: identifier } })
  const archive = (identifier: string) =>
    call("POST /controls/{org}/{identifier}/archive", { path: { identifier } })
  const putPolicy = (name: string, ...controls: ReadonlyArray<string>) =>
    call("PUT /policies/{org}/{name}", {
      path: { name },
      body: { policy_yaml: asking(...controls) }
    })
  const environment = (name: string, type = "docker") =>
    call("PUT /environments/{org}", { body: { name, type } })
  const change = (verb: "POST" | "DELETE", env_name: string, ...names: ReadonlyArray<string>) =>
    call(`${verb} /environments/{org}/{env_name}/policies`, {
      path: { env_name },
      body: { policy_names: names }
    })
  const get = async (identifier: string) =>
    (await call("GET /controls/{org}/{identifier}", { path: { identifier } })).body as Shown
  const coverage = async (identifier: string, query = "") => {
    const { status, body } = await call("GET /controls/{org}/{identifier}/coverage", {
      path: { identifier },
      query
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Shown & { readonly environments: ReadonlyArray<Shown> }
  }
  const totals = async (identifier: string, query = "") => {
    const { total, covered, coverage_percent } = await coverage(identifier, query)
    return [total, covered, coverage_percent]
  }

  it("is empty without environments", async () => {
    await create("CTL-7")
    assert.deepInclude(await coverage("CTL-7"), {
      total: 0,
      covered: 0,
      coverage_percent: 0,
      environments: [],
      total_count: 0
    })
  })

  it("refuses a policy with an unknown or archived control", async () => {
    assert.strictEqual((await putPolicy("unknown", "CTL-0")).status, 400)
    await create("CTL-1")
    await archive("CTL-1")
    const archived = await putPolicy("unknown", "CTL-1")
    assert.strictEqual(archived.status, 400)
    assert.include(JSON.stringify(archived.body), "is archived")
  })

  it("counts environments with an attached policy whose latest version requires the control", async () => {
    assert.strictEqual((await putPolicy("base", "CTL-7")).status, 201)
    assert.strictEqual((await putPolicy("audit", "CTL-7")).status, 201)
    assert.strictEqual((await putPolicy("other")).status, 201)
    for (const name of ["prod", "beta", "test"]) await environment(name)
    await change("POST", "prod", "base", "other", "audit")
    await change("POST", "beta", "other")
    const report = await coverage("CTL-7")
    assert.deepInclude(report, { total: 3, covered: 1, coverage_percent: 33.3, total_count: 3 })
    assert.deepStrictEqual(report.environments, [
      { name: "beta", covered: false, policies: [] },
      { name: "prod", covered: true, policies: ["audit", "base"] },
      { name: "test", covered: false, policies: [] }
    ])
    assert.deepStrictEqual((await get("CTL-7")).policies_referencing, ["audit", "base"])
  })

  it("filters the list and not the totals", async () => {
    const names = async (query: string) => {
      assert.deepStrictEqual(await totals("CTL-7", query), [3, 1, 33.3])
      return (await coverage("CTL-7", query)).environments.map(({ name }) => name)
    }
    assert.deepStrictEqual(await names("?covered=true"), ["prod"])
    assert.deepStrictEqual(await names("?covered=false"), ["beta", "test"])
    assert.deepStrictEqual(await names("?search=ET"), ["beta"])
    assert.deepStrictEqual(await names("?covered=true&search=beta"), [])
    assert.deepStrictEqual(await names("?per_page=2&page=2"), ["test"])
    for (const query of ["?covered=maybe", "?per_page=0", "?page=x"]) {
      const path = { identifier: "CTL-7" }
      const answer = await call("GET /controls/{org}/{identifier}/coverage", { path, query })
      assert.strictEqual(answer.status, 400, query)
    }
  })

  it("does not change when the control is archived", async () => {
    await archive("CTL-7")
    assert.deepStrictEqual(await totals("CTL-7"), [3, 1, 33.3])
    await call("POST /controls/{org}/{identifier}/unarchive", { path: { identifier: "CTL-7" } })
  })

  it("leaves out detached policies, versions without the control, and archived environments", async () => {
    await change("DELETE", "prod", "audit")
    assert.deepStrictEqual(await totals("CTL-7"), [3, 1, 33.3])
    await putPolicy("base")
    assert.deepStrictEqual(await totals("CTL-7"), [3, 0, 0])
    assert.deepStrictEqual((await get("CTL-7")).policies_referencing, ["audit"])
    await putPolicy("base", "CTL-7")
    assert.deepStrictEqual(await totals("CTL-7"), [3, 1, 33.3])
    const path = { env_name: "test" }
    await call("PUT /environments/{org}/{env_name}/archive", { path })
    assert.deepStrictEqual(await totals("CTL-7"), [2, 1, 50])
  })

  it("does not count logical environments", async () => {
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", included_environments: ["prod", "beta"] }
    })
    assert.deepStrictEqual(await totals("CTL-7"), [2, 1, 50])
  })

  it("evaluates running artifacts by the newest decision about the control, archived or not: POL-26", async () => {
    await create("CTL-9")
    await putPolicy("gated", "CTL-9")
    await environment("gate")
    await change("POST", "gate", "gated")
    const { artifact, attest } = evidenceOf(server, "built")
    await artifact("t", "app", F, c1)
    const decide = (is_compliant: boolean) =>
      attest("t", "system", {
        attestation_name: "approval",
        artifact_fingerprint: F,
        type_name: "decision",
        control: "CTL-9",
        attestation_data: { is_compliant }
      })
    const report = async () => {
      await call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "gate" },
        body: { artifacts: [{ digests: { app: F }, creationTimestamp: 1 }] }
      })
      const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "gate", snapshot_expression: "-1" }
      })
      return (body as { readonly compliant: boolean }).compliant
    }
    assert.isFalse(await report())
    await decide(true)
    assert.isTrue(await report())
    await decide(false)
    assert.isFalse(await report())
    await decide(true)
    await archive("CTL-9")
    assert.isTrue(await report())
  })
})
