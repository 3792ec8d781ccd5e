/** Deployments on the wire, which are derived from snapshots. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Deployment {
  readonly id: string
  readonly name: string
  readonly snapshot_index: number
  readonly lead_time_seconds: number | null
}

onEveryStore("GET /deployments/{org}", ({ call }) => {
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests, creationTimestamp: 7 }] }
    })
  const list = (query = "") => call("GET /deployments/{org}", { query })
  const found = async (query = "") =>
    ((await list(query)).body as { deployments: Array<Deployment> }).deployments
  const names = async (query = "") =>
    (await found(query)).map(({ name, snapshot_index }) => `${name} ${snapshot_index}`)

  it("DEPLOY-3: lists artifacts that started, newest first, and not those that were running", async () => {
    await call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: "build" },
      body: { fingerprint: print("a"), filename: "a", build_url: "ci", commit_url: "git/a" }
    })
    for (const name of ["prod", "test"]) {
      await call("PUT /environments/{org}", { body: { name, type: "server" } })
    }
    await report("prod", { one: print("a") })
    await report("prod", { one: print("a"), retagged: print("a"), hidden: print("b") })
    await report("prod", { retagged: print("a") })
    await report("test", { one: print("a") })
    await report("prod", { retagged: print("a"), hidden: print("b") })
    assert.deepStrictEqual(await names(), ["hidden 4", "one 1", "hidden 2", "one 1"])
  })

  it("filters by environment, flow and fingerprint, and pages", async () => {
    assert.deepStrictEqual(await names("?environment=test"), ["one 1"])
    assert.deepStrictEqual(await names("?flow=build&environment=prod"), ["one 1"])
    assert.deepStrictEqual(await names(`?fingerprint=${print("b")}`), ["hidden 4", "hidden 2"])
    const { body } = await list("?page=2&per_page=3")
    assert.deepInclude(body as object, { page: 2, per_page: 3, total_pages: 2, total_count: 4 })
    assert.deepStrictEqual(await names("?page=2&per_page=3"), ["one 1"])
    assert.strictEqual((await list("?environment=nowhere")).status, 404)
    assert.strictEqual((await list("?flow=nowhere")).status, 404)
    assert.strictEqual((await list("?fingerprint=abc")).status, 400)
  })

  it("says the verdict of each where it is included, and refuses other words", async () => {
    const { body } = await list("?include=verdict")
    const { deployments } = body as { readonly deployments: ReadonlyArray<{ verdict?: string }> }
    assert.isNotEmpty(deployments)
    for (const { verdict } of deployments) assert.strictEqual(verdict, "Unknown")
    assert.notProperty((await found(""))[0], "verdict")
    assert.strictEqual((await list("?include=nothing")).status, 400)
  })

  it("shows one with its lead time, and null without provenance", async () => {
    const [known] = await found("?environment=test")
    const get = (deployment_id: string) =>
      call("GET /deployments/{org}/{deployment_id}", { path: { deployment_id } })
    const { status, body } = await get(known?.id ?? "")
    assert.strictEqual(status, 200)
    assert.deepInclude(body as object, {
      environment: "test",
      fingerprint: print("a"),
      flow_name: "build",
      commit_url: "git/a",
      snapshot_index: 1,
      compliant: false,
      replaced: null
    })
    assert.isAbove((body as Deployment).lead_time_seconds ?? 0, 0)
    const [hidden] = await found(`?fingerprint=${print("b")}`)
    assert.strictEqual(hidden?.lead_time_seconds, null)
    for (const id of ["nothing", "x.1.1", `${known?.id}1`]) {
      assert.strictEqual((await get(id)).status, 404, id)
    }
  })
})
