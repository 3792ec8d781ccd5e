/** Reports of environments on the wire, one operation for each kind. */
import { assert, it } from "vitest"
import { type Caller, onBothStores } from "../shared/TestServer.js"

const digest = (letter: string) => letter.repeat(64)

/** The smallest unit of each kind, with its own context. */
const units: { readonly [kind: string]: object } = {
  K8S: { podName: "p", namespace: "n", owners: null },
  docker: {},
  server: {},
  "container-tasks": { taskArn: "task-1", cluster_name: "c" },
  functions: {},
  "object-store": {},
  "cloudx-apps": { app_kind: "web", app_name: "shop", digests_source: "logs" },
  "serverless-run": { kind: "service", serviceName: "s", revisionName: "r" }
}

/** Each operation as a literal, so that the coverage check finds it. */
const operations: { readonly [kind: string]: string } = {
  K8S: "PUT /environments/{org}/{env_name}/report/K8S",
  docker: "PUT /environments/{org}/{env_name}/report/docker",
  server: "PUT /environments/{org}/{env_name}/report/server",
  "container-tasks": "PUT /environments/{org}/{env_name}/report/container-tasks",
  functions: "PUT /environments/{org}/{env_name}/report/functions",
  "object-store": "PUT /environments/{org}/{env_name}/report/object-store",
  "cloudx-apps": "PUT /environments/{org}/{env_name}/report/cloudx-apps",
  "serverless-run": "PUT /environments/{org}/{env_name}/report/serverless-run"
}

const unit = (kind: string, digests: object, creationTimestamp = 1_790_000_100) => ({
  digests,
  creationTimestamp,
  ...units[kind]
})

onBothStores("PUT /environments/{org}/{env_name}/report/{kind}", ({ call, journal }) => {
  const create = (env_name: string, type: string) =>
    call("PUT /environments/{org}", { body: { name: env_name, type } })
  const report = (env_name: string, kind: string, artifacts: unknown, as: Caller = "admin") =>
    call(operations[kind] ?? "", { path: { env_name }, body: { artifacts }, as })
  const snapshot = async (env_name: string, snapshot_expression = "-1") =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name, snapshot_expression }
      })
    ).body as { index: number; artifacts: Array<Record<string, unknown>> }

  for (const kind of Object.keys(units)) {
    it(`accepts a report of an environment of type ${kind}`, async () => {
      await create(`kind-${kind}`, kind)
      const answer = await report(`kind-${kind}`, kind, [unit(kind, { image: digest("a") })])
      assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
      const { index, artifacts } = await snapshot(`kind-${kind}`)
      assert.strictEqual(index, 1)
      assert.deepInclude(artifacts[0], { name: "image", fingerprint: digest("a") })
    })
  }

  for (const kind of Object.keys(units)) {
    it(`keeps what runs with an unknown digest visible, type ${kind}`, async () => {
      const name = `hidden-${kind}`
      await create(name, kind)
      const hidden = [unit(kind, { image: "" }), unit(kind, { other: digest("b") })]
      assert.strictEqual((await report(name, kind, hidden)).status, 200)
      assert.strictEqual((await report(name, kind, hidden)).status, 200)
      const first = await snapshot(name)
      assert.strictEqual(first.index, 1)
      assert.deepInclude(
        first.artifacts.find((row) => row.name === "image"),
        { fingerprint: "", compliant: false, flow_name: null }
      )
      await report(name, kind, [unit(kind, { image: digest("a"), other: digest("b") })])
      const told = await snapshot(name)
      assert.deepStrictEqual(
        told.artifacts
          .filter((row) => row.name === "image")
          .map((row) => [row.fingerprint, (row.annotation as { type: string }).type])
          .sort(),
        [
          ["", "exited"],
          [digest("a"), "started-unknown"]
        ]
      )
    })
  }

  it("counts what has an unknown digest as a row without provenance", async () => {
    const policy = (required: boolean) =>
      `_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: ${required}\n`
    await create("hidden-asked", "docker")
    await report("hidden-asked", "docker", [unit("docker", { image: "" })])
    for (const [at, required] of [false, true].entries()) {
      const policy_name = `asks-${required}`
      await call("PUT /policies/{org}/{policy_name}", {
        path: { policy_name },
        body: { policy_yaml: policy(required), description: "" }
      })
      await call("POST /environments/{org}/{env_name}/policies", {
        path: { env_name: "hidden-asked" },
        body: { policy_names: [policy_name] }
      })
      const { index, artifacts } = await snapshot("hidden-asked")
      assert.deepStrictEqual([index, artifacts[0]?.compliant], [2 + at, !required])
    }
  })

  it("creates no snapshot for an unchanged report, whatever the order or the times", async () => {
    await create("quiet", "server")
    const [one, two] = [{ a: digest("a") }, { b: digest("b") }]
    await report("quiet", "server", [unit("server", one), unit("server", two)])
    await report("quiet", "server", [unit("server", two), unit("server", one)])
    await report("quiet", "server", [unit("server", two, 9), unit("server", one, 8)])
    assert.strictEqual((await snapshot("quiet")).index, 1)
    const entries = (await journal()).filter(({ kind }) => kind === "snapshot_created")
    assert.isNotEmpty(entries)
  })

  it("lists an exited artifact in one more snapshot, and then no longer", async () => {
    await create("leaving", "server")
    await report("leaving", "server", [unit("server", { a: digest("a") })])
    await report("leaving", "server", [])
    const second = await snapshot("leaving")
    assert.deepStrictEqual(second.artifacts[0]?.annotation, { type: "exited", was: 1, now: 0 })
    await report("leaving", "server", [unit("server", { b: digest("b") })])
    const third = await snapshot("leaving")
    assert.deepStrictEqual(
      third.artifacts.map(({ name }) => name),
      ["b"]
    )
  })

  it("is 404 for an unknown environment", async () => {
    const { status, body } = await report("nowhere", "server", [])
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Environment named 'nowhere' does not exist for organization 'acme'"
    })
  })

  it("refuses the report of another type", async () => {
    await create("mismatch", "server")
    assert.strictEqual((await report("mismatch", "docker", [])).status, 400)
  })

  it("reports the place of each problem, and changes nothing", async () => {
    await create("strict", "cloudx-apps")
    const { status, body } = await report("strict", "cloudx-apps", [
      unit("cloudx-apps", { image: "short" }),
      { ...unit("cloudx-apps", {}), colour: "red" },
      7
    ])
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(Object.keys((body as { errors: object }).errors).sort(), [
      "artifacts[0].digests.image",
      "artifacts[1].colour",
      "artifacts[2]"
    ])
    const env = await call("GET /environments/{org}/{env_name}", { path: { env_name: "strict" } })
    assert.strictEqual((env.body as { last_reported_at: unknown }).last_reported_at, null)
  })

  it("keeps an artifact called `__proto__`", async () => {
    await create("proto", "server")
    const { status } = await call(operations.server ?? "", {
      path: { env_name: "proto" },
      raw: `{"artifacts":[{"digests":{"__proto__":"${digest("c")}"},"creationTimestamp":1}]}`,
      headers: { "content-type": "application/json" }
    })
    assert.strictEqual(status, 200)
    assert.strictEqual((await snapshot("proto")).artifacts[0]?.name, "__proto__")
  })

  it("moves last_reported_at with each report, also an unchanged one", async () => {
    await create("beating", "server")
    const reported = async () => {
      await report("beating", "server", [])
      const env = await call("GET /environments/{org}/{env_name}", {
        path: { env_name: "beating" }
      })
      return (env.body as { last_reported_at: number }).last_reported_at
    }
    const first = await reported()
    assert.isAbove(await reported(), first)
  })

  it("allows a snapshotter, and denies a reader", async () => {
    await create("roles", "server")
    assert.strictEqual((await report("roles", "server", [], "snapshotter")).status, 200)
    assert.strictEqual((await report("roles", "server", [], "reader")).status, 403)
  })
})
