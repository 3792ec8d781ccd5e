/** Changing, listing, renaming, archiving and tagging environments on the wire. */
import { assert, it } from "vitest"
import { type Caller, onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown>

onEveryStore("PATCH /environments/{org}/{env_name}", ({ call, journal }) => {
  const put = (body: object) => call("PUT /environments/{org}", { body })
  const patch = (env_name: string, body: unknown, as: Caller = "member") =>
    call("PATCH /environments/{org}/{env_name}", { path: { env_name }, body, as })
  const get = async (env_name: string) =>
    (await call("GET /environments/{org}/{env_name}", { path: { env_name } })).body as Shown

  it("changes present fields, clears with an empty text, and keeps absent fields", async () => {
    await put({ name: "prod", type: "server", description: "first", include_scaling: true })
    assert.strictEqual((await patch("prod", { description: "second" })).body, "OK")
    assert.deepInclude(await get("prod"), { description: "second", include_scaling: true })
    await patch("prod", { description: "" })
    assert.strictEqual((await get("prod")).description, "")
  })

  it("refuses unknown fields and a new name, and changes nothing", async () => {
    await put({ name: "strict", type: "server", description: "kept" })
    for (const body of [{ colour: "red" }, { name: "x" }, { type: "K8S" }]) {
      const { status, body: answer } = await patch("strict", body)
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.deepStrictEqual(Object.keys((answer as { errors: object }).errors), Object.keys(body))
    }
    assert.strictEqual((await get("strict")).description, "kept")
  })

  it("records one entry for a change and none for a repetition", async () => {
    await put({ name: "noted", type: "server" })
    await patch("noted", { description: "said once" })
    await patch("noted", { description: "said once" })
    const entries = (await journal()).filter(({ content }) => content.includes("said once"))
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      ["environment_updated"]
    )
  })

  it("is denied to snapshotters, and 404 for an unknown environment", async () => {
    assert.strictEqual((await patch("prod", {}, "snapshotter")).status, 403)
    assert.strictEqual((await patch("nowhere", {})).status, 404)
  })
})

onEveryStore("PUT /environments/{org}/{env_name}/archive", ({ call }) => {
  const put = (name: string) => call("PUT /environments/{org}", { body: { name, type: "server" } })
  const archive = (env_name: string) =>
    call("PUT /environments/{org}/{env_name}/archive", { path: { env_name }, raw: "null" })
  const report = (env_name: string, digest: string) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests: { app: digest.repeat(64) }, creationTimestamp: 1 }] }
    })

  it("hides the environment and reports that it is archived", async () => {
    await put("old")
    assert.deepStrictEqual((await archive("old")).body, "OK")
    const { status, body } = await call("GET /environments/{org}/{env_name}", {
      path: { env_name: "old" }
    })
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Environment named 'old' has been archived for organization 'acme'"
    })
    assert.strictEqual((await report("old", "a")).status, 404)
    assert.strictEqual((await archive("old")).status, 404)
    const list = (await call("GET /environments/{org}")).body as Array<Shown>
    assert.notInclude(
      list.map(({ name }) => name),
      "old"
    )
  })

  it("frees the name: the snapshots of a new environment start at 1", async () => {
    await put("again")
    await report("again", "a")
    await report("again", "b")
    await archive("again")
    assert.strictEqual((await put("again")).status, 201)
    await report("again", "c")
    const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name: "again", snapshot_expression: "-1" }
    })
    assert.strictEqual((body as { index: number }).index, 1)
    await archive("again")
    assert.strictEqual((await put("again")).status, 201)
  })
})

onEveryStore("PUT /environments/{org}/{env_name}/rename", ({ call }) => {
  const put = (name: string) => call("PUT /environments/{org}", { body: { name, type: "server" } })
  const rename = (env_name: string, new_name: string) =>
    call("PUT /environments/{org}/{env_name}/rename", { path: { env_name }, body: { new_name } })
  const nameOf = async (env_name: string) =>
    (
      (await call("GET /environments/{org}/{env_name}", { path: { env_name } })).body as {
        name: string
      }
    ).name

  it("finds the environment by its old name until another environment has that name", async () => {
    await put("one")
    assert.deepStrictEqual((await rename("one", "two")).body, "OK")
    assert.strictEqual(await nameOf("one"), "two")
    assert.strictEqual((await rename("one", "three")).status, 200)
    assert.deepStrictEqual([await nameOf("one"), await nameOf("two")], ["three", "three"])
    assert.strictEqual((await put("one")).status, 201)
    assert.deepStrictEqual([await nameOf("one"), await nameOf("two")], ["one", "three"])
  })

  it("is 200 for its own name, 400 for a taken name and for an empty one", async () => {
    await put("mine")
    await put("yours")
    assert.strictEqual((await rename("mine", "mine")).status, 200)
    const taken = await rename("mine", "yours")
    assert.deepStrictEqual(
      [taken.status, taken.body],
      [400, { message: "Environment named 'yours' already exists for organization 'acme'" }]
    )
    const { status, body } = await rename("mine", "a~b")
    assert.strictEqual(status, 400)
    assert.deepStrictEqual((body as { errors: Shown }).errors, {
      new_name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: a~b]"
    })
    assert.strictEqual((await rename("nowhere", "else")).status, 404)
  })
})

onEveryStore("GET /environments/{org}", ({ call }) => {
  const list = async (query = "") => (await call("GET /environments/{org}", { query })).body
  const names = async (query: string) =>
    ((await list(query)) as Array<Shown>).map(({ name }) => name)
  const tag = (resource_id: string, body: unknown, resource_type = "env") =>
    call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type, resource_id },
      body
    })

  it("lists every environment by name, as an array or as a page", async () => {
    assert.deepStrictEqual(await list(), [])
    for (const [name, type] of [
      ["beta", "server"],
      ["Alpha", "K8S"],
      ["gamma", "server"]
    ]) {
      await call("PUT /environments/{org}", { body: { name, type } })
    }
    assert.deepStrictEqual(await names(""), ["Alpha", "beta", "gamma"])
    const page = (await list("?page=2&per_page=2")) as Shown
    assert.deepInclude(page, { page: 2, per_page: 2, total_pages: 2, total_count: 3 })
    assert.deepStrictEqual(
      (page.environments as Array<Shown>).map(({ name }) => name),
      ["gamma"]
    )
    assert.strictEqual(
      (page._links as { self: { href: string } }).self.href,
      "http://127.0.0.1:8080/api/v2/environments/acme?page=2&per_page=2"
    )
    assert.deepStrictEqual(((await list("?page=9")) as Shown).environments, [])
  })

  it("filters by part of the name, by types and by tags, and sorts both ways", async () => {
    assert.deepStrictEqual(await names("?name=ALP"), ["Alpha"])
    assert.deepStrictEqual(await names("?type=K8S&type=docker"), ["Alpha"])
    assert.deepStrictEqual(await names("?sort=name&sort_direction=desc"), [
      "gamma",
      "beta",
      "Alpha"
    ])
    assert.strictEqual((await tag("beta", { set_tags: { tier: "1", team: "x" } })).body, "OK")
    await tag("gamma", { set_tags: { tier: "2" }, remove_tags: null }, "environments")
    assert.deepStrictEqual(await names("?tag=tier"), ["beta", "gamma"])
    assert.deepStrictEqual(await names("?tag=tier:2&tag=team"), ["beta", "gamma"])
    assert.deepStrictEqual(await names("?tag="), [])
    assert.deepStrictEqual(await names("?space_id=1&space_id=2"), [])
    assert.deepInclude(await list("?space_id=1&page=1"), { total_count: 0, environments: [] })
    await tag("beta", { remove_tags: ["tier", "unknown"] })
    assert.deepStrictEqual(await names("?tag=tier"), ["gamma"])
    assert.deepStrictEqual(await names("?sort=last_modified_at&sort_direction=desc"), [
      "beta",
      "gamma",
      "Alpha"
    ])
  })

  it("filters by state, where an environment without a snapshot is not evaluated", async () => {
    const policy =
      "_schema: https://example.org/v1\nartifacts:\n  provenance:\n    required: true\n"
    await call("PUT /policies/{org}", { body: { name: "known", policy_file: policy } })
    const artifacts = [{ digests: { app: "a".repeat(64) }, creationTimestamp: 1 }]
    for (const [name, running] of [
      ["judged-red", artifacts],
      ["judged-green", []]
    ] as const) {
      await call("PUT /environments/{org}", { body: { name, type: "docker", policies: ["known"] } })
      await call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: name },
        body: { artifacts: running }
      })
    }
    assert.deepStrictEqual(await names("?state=false"), ["judged-red"])
    assert.deepStrictEqual(await names("?state=true"), ["judged-green"])
    assert.deepStrictEqual(await names("?state=null"), ["Alpha", "beta", "gamma"])
    assert.deepStrictEqual(await names("?state=true&name=red"), [])
  })

  it("reports each invalid parameter of a query", async () => {
    for (const [query, field] of [
      ["?state=red", "query.state"],
      ["?type=k8s", "query.type[0]"],
      ["?page=zero", "query.page"],
      ["?per_page=0", "query.per_page"],
      ["?sort=age", "query.sort"],
      ["?sort_direction=up", "query.sort_direction"]
    ]) {
      const { status, body } = await call("GET /environments/{org}", { query: query ?? "" })
      assert.strictEqual(status, 400, query)
      assert.deepStrictEqual(Object.keys((body as { errors: Shown }).errors), [field])
    }
    const { status, body } = await tag("beta", { set_tags: "" })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual((body as { errors: Shown }).errors, {
      set_tags: "Input should be a valid dictionary [input: ]"
    })
    assert.strictEqual((await tag("nowhere", {})).status, 404)
  })
})
