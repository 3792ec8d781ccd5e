/** What `include` adds to environments on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Shown {
  readonly name: string
  readonly latest_snapshot?: {
    readonly index: number
    readonly timestamp: number
    readonly verdict: string
    readonly counts: object
    readonly verdict_since: number
  } | null
  readonly day?: ReadonlyArray<{ readonly from: number; readonly verdict: string }>
  readonly is_stale?: boolean
}

const POLICY = "_schema: https://example.org/policy/v1\nartifacts: {provenance: {required: true}}\n"
const BOTH = "?include=latest_snapshot,day"

onEveryStore("GET /environments/{org}?include", (server) => {
  const { call } = server
  const put = (body: object) => call("PUT /environments/{org}", { body })
  const report = (env_name: string, fingerprints: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: fingerprints.map((fingerprint) => ({
          digests: { app: fingerprint },
          creationTimestamp: 7
        }))
      }
    })
  const get = async (env_name: string, query = BOTH) =>
    (await call("GET /environments/{org}/{env_name}", { path: { env_name }, query })).body as Shown
  const list = async (query: string) =>
    (await call("GET /environments/{org}", { query })).body as ReadonlyArray<Shown>

  it("shows no more than before unless asked", async () => {
    await put({ name: "prod", type: "server" })
    for (const shown of [await get("prod", ""), ...(await list(""))])
      for (const key of ["latest_snapshot", "day", "is_stale"]) assert.notProperty(shown, key)
  })

  it("has null and no runs before the first snapshot", async () => {
    const { latest_snapshot, day, is_stale } = await get("prod")
    assert.deepStrictEqual([latest_snapshot, day, is_stale], [null, [], false])
  })

  it("has the newest snapshot, since when it has its verdict, and the runs of the day", async () => {
    await report("prod", [F])
    const first = await get("prod")
    assert.strictEqual(first.latest_snapshot?.verdict, "Unknown")
    await call("PUT /policies/{org}/{name}", {
      path: { name: "known" },
      body: { policy_yaml: POLICY }
    })
    const attach = { path: { env_name: "prod" }, body: { policy_names: ["known"] } }
    assert.strictEqual(
      (await call("POST /environments/{org}/{env_name}/policies", attach)).status,
      200
    )
    await report("prod", [F, "e".repeat(64)])
    const { latest_snapshot: latest, day = [] } = await get("prod")
    assert.deepStrictEqual(
      [latest?.index, latest?.verdict, latest?.counts],
      [3, "NonCompliant", { true: 0, false: 2, null: 0 }]
    )
    assert.deepStrictEqual(
      day.map(({ verdict }) => verdict),
      ["Unknown", "NonCompliant"]
    )
    assert.strictEqual(latest?.verdict_since, day[1]?.from)
    assert.isBelow(latest?.verdict_since ?? 0, latest?.timestamp ?? 0)
  })

  it("gives each part alone, on pages too", async () => {
    const only = await get("prod", "?include=day")
    assert.notProperty(only, "latest_snapshot")
    assert.notProperty(only, "is_stale")
    assert.lengthOf(only.day ?? [], 2)
    await put({ name: "quiet", type: "docker" })
    const page = (
      await call("GET /environments/{org}", {
        query: "?page=1&per_page=1&include=latest_snapshot&sort=name"
      })
    ).body as { readonly environments: ReadonlyArray<Shown>; readonly total_count: number }
    assert.strictEqual(page.total_count, 2)
    assert.deepStrictEqual(
      page.environments.map(({ name, latest_snapshot, day }) => [
        name,
        latest_snapshot?.index,
        day
      ]),
      [["prod", 3, undefined]]
    )
  })

  it("is stale from new evidence to the next report, and so are its logical environments", async () => {
    await put({ name: "all", type: "logical", included_environments: ["prod"] })
    assert.isFalse((await get("prod")).is_stale)
    const { artifact, begin } = evidenceOf(server, "shop")
    await begin("t1")
    await artifact("t1", "app", F, c1)
    assert.isTrue((await get("prod")).is_stale)
    assert.isTrue((await get("all")).is_stale)
    await report("prod", [F, "e".repeat(64)])
    assert.isFalse((await get("prod")).is_stale)
    assert.isFalse((await get("all")).is_stale)
  })

  it("is stale when a flow is tagged that a policy reads", async () => {
    const yaml =
      "_schema: https://example.org/policy/v1\nartifacts:\n  attestations:\n" +
      "    - {type: generic, name: signed, if: {text: 'flow.tags.risk == \"high\"'}}\n"
    await call("PUT /policies/{org}/{name}", {
      path: { name: "tags" },
      body: { policy_yaml: yaml }
    })
    await call("POST /environments/{org}/{env_name}/policies", {
      path: { env_name: "prod" },
      body: { policy_names: ["tags"] }
    })
    await report("prod", [F, "e".repeat(64)])
    assert.isFalse((await get("prod")).is_stale)
    const tagged = await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "flow", resource_id: "shop" },
      body: { set_tags: { risk: "high" } }
    })
    assert.strictEqual(tagged.status, 200)
    assert.isTrue((await get("prod")).is_stale)
    await report("prod", [F, "e".repeat(64)])
    assert.isFalse((await get("prod")).is_stale)
  })

  it("refuses words that it does not know, and names the parameter", async () => {
    for (const query of ["?include=rows", "?include=", "?include=day,", "?include=Day"]) {
      const { status, body } = await call("GET /environments/{org}", { query })
      assert.strictEqual(status, 400, query)
      assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), ["query.include"])
      const one = await call("GET /environments/{org}/{env_name}", {
        path: { env_name: "prod" },
        query
      })
      assert.strictEqual(one.status, 400, query)
    }
  })
})
