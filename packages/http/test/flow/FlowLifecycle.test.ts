/** Listing, renaming, archiving and tagging flows, on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly name: string }

onEveryStore("GET /flows/{org}", (server) => {
  const { call } = server
  const put = (name: string) => call("PUT /flows/{org}", { body: { name, description: "" } })
  const list = async (query: string) => (await call("GET /flows/{org}", { query })).body
  const names = async (query: string) =>
    ((await list(query)) as ReadonlyArray<Shown>).map(({ name }) => name)

  it("lists all by name as a plain array, and in an envelope with `per_page`", async () => {
    for (const name of ["beta", "Alpha", "gamma~1"]) await put(name)
    assert.deepStrictEqual(await names(""), ["Alpha", "beta", "gamma~1"])
    assert.deepStrictEqual(await names("?sort_direction=desc"), ["gamma~1", "beta", "Alpha"])
    const page = (await list("?per_page=2&page=2")) as { data: Array<Shown>; pagination: object }
    assert.deepStrictEqual(
      [page.data.map(({ name }) => name), page.pagination],
      [["gamma~1"], { total: 3, page: 2, per_page: 2, page_count: 2 }]
    )
  })

  it("searches a part of the name, case-sensitive by default", async () => {
    assert.deepStrictEqual(await names("?search_by_name=a"), ["Alpha", "beta", "gamma~1"])
    assert.deepStrictEqual(await names("?search_by_name=A"), ["Alpha"])
    assert.deepStrictEqual(await names("?search_by_name=AL&case_sensitive=false"), ["Alpha"])
    assert.deepStrictEqual(await names("?search_by_name=~"), ["gamma~1"])
    assert.deepStrictEqual(await names("?search_by_name=%25"), [])
    const { status, body } = await call("GET /flows/{org}", { query: "?search_by_name=" })
    assert.deepStrictEqual(
      [status, body],
      [400, { message: "Empty string is not allowed for flow names." }]
    )
  })

  it("filters by tags, all of which must fit, and by spaces, which are empty", async () => {
    const tag = (name: string, set_tags: object) =>
      call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type: "flow", resource_id: name },
        body: { set_tags }
      })
    await tag("Alpha", { team: "a", tier: "1" })
    await tag("beta", { team: "b", note: "x:y" })
    const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["?tag=team", ["Alpha", "beta"]],
      ["?tag=team:a", ["Alpha"]],
      ["?tag=team&tag=tier:1", ["Alpha"]],
      ["?tag=team:a&tag=team:b", []],
      ["?tag=note:x:y", ["beta"]],
      ["?tag=team:", []],
      ["?tag=", []],
      ["?tag=team&search_by_name=bet", ["beta"]],
      ["?space_id=1", []],
      ["?space_id=1&space_id=", []]
    ]
    for (const [query, found] of expected)
      assert.deepStrictEqual<unknown>(await names(query), found, query)
    assert.deepStrictEqual(await list("?space_id=1&per_page=5"), {
      data: [],
      pagination: { total: 0, page: 1, per_page: 5, page_count: 0 }
    })
    const page = (await list("?tag=team&per_page=1")) as { readonly pagination: object }
    assert.deepStrictEqual(page.pagination, { total: 2, page: 1, per_page: 1, page_count: 2 })
  })

  it("sorts by the latest activity, and shows the state of that trail", async () => {
    const { generic } = evidenceOf(server, "beta")
    await generic("t", "lint", false)
    await evidenceOf(server, "gamma~1").begin("t")
    const found = (await list("?sort=latest_activity&sort_direction=desc")) as Array<Shown>
    assert.deepStrictEqual(
      found.map(({ name, latest_state }) => [name, latest_state]),
      [
        ["gamma~1", "COMPLIANT"],
        ["beta", "NON-COMPLIANT"],
        ["Alpha", ""]
      ]
    )
    const refused = await call("GET /flows/{org}", { query: "?sort=age" })
    assert.deepStrictEqual((refused.body as { errors: object }).errors, {
      "query.sort": "Input should be 'name' or 'latest_activity' [input: age]"
    })
  })
})

onEveryStore("PUT /flows/{org}/{flow_name}/rename", (server) => {
  const { call, journal } = server
  const rename = (flow_name: string, new_name: string) =>
    call("PUT /flows/{org}/{flow_name}/rename", { path: { flow_name }, body: { new_name } })
  const get = (flow_name: string) => call("GET /flows/{org}/{flow_name}", { path: { flow_name } })
  const nameOf = async (flow_name: string) => {
    const { status, body } = await get(flow_name)
    return status === 200 ? (body as Shown).name : status
  }
  const put = (name: string) => call("PUT /flows/{org}", { body: { name, description: "" } })

  it("finds the flow by its old name until another flow has that name", async () => {
    const { begin, trail } = evidenceOf(server, "old")
    await begin("t")
    assert.deepStrictEqual((await rename("old", "new")).body, "OK")
    assert.deepStrictEqual([await nameOf("old"), await nameOf("new")], ["new", "new"])
    assert.strictEqual((await begin("u")).status, 201)
    assert.strictEqual((await trail("u")).events.length, 1)
    assert.deepStrictEqual((await rename("old", "newer")).status, 200)
    assert.deepStrictEqual([await nameOf("old"), await nameOf("new")], ["newer", "newer"])
    assert.strictEqual((await put("old")).status, 201)
    assert.deepStrictEqual([await nameOf("old"), await nameOf("new")], ["old", "newer"])
    await rename("old", "moved")
    assert.strictEqual(await nameOf("old"), "moved")
  })

  it("is 200 for its own name, 400 for a taken or invalid one, 404 for an unknown flow", async () => {
    await put("mine")
    await put("yours")
    assert.strictEqual((await rename("mine", "mine")).status, 200)
    const taken = await rename("mine", "yours")
    assert.deepStrictEqual(
      [taken.status, taken.body],
      [400, { message: "Flow named 'yours' already exists for organization 'acme'" }]
    )
    const bad = await rename("mine", "-x")
    assert.deepStrictEqual((bad.body as { errors: object }).errors, {
      new_name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: -x]"
    })
    assert.strictEqual((await rename("nowhere", "x")).status, 404)
    const renames = (await journal()).filter(({ kind }) => kind === "flow_renamed")
    assert.isFalse(renames.some(({ content }) => content.includes('"mine"')))
  })

  it("archives a flow: hidden from lists, its name free, its records kept", async () => {
    const { artifact } = evidenceOf(server, "gone")
    await artifact("t", "app", F, c1)
    await rename("gone", "gone-2")
    const archive = (flow_name: string, raw?: string) =>
      call("PUT /flows/{org}/{flow_name}/archive", {
        path: { flow_name },
        ...(raw === undefined ? {} : { raw, headers: { "content-type": "application/json" } })
      })
    assert.deepStrictEqual((await archive("gone", "null")).body, "OK")
    assert.deepStrictEqual([await nameOf("gone"), await nameOf("gone-2")], [404, 404])
    const listed = (await call("GET /flows/{org}", {})).body as ReadonlyArray<Shown>
    assert.isFalse(listed.some(({ name }) => name.startsWith("gone")))
    const found = (await call("GET /search/{org}/sha/{value}", { path: { value: F } })).body
    assert.match(JSON.stringify(found), /"flow":"gone-2-archived-at-\d+"/)
    assert.strictEqual((await put("gone-2")).status, 201)
    assert.strictEqual((await archive("gone")).status, 404)
  })
})

onEveryStore("PATCH /tags/{org}/{resource_type}/{resource_id}", (server) => {
  const { call, journal } = server
  const tag = (resource_id: string, body: object, resource_type = "flows") =>
    call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type, resource_id },
      body
    })

  it("sets and removes tags, and records only changes", async () => {
    await call("PUT /flows/{org}", { body: { name: "tagged", description: "" } })
    const tags = async () => {
      const { body } = await call("GET /flows/{org}/{flow_name}", {
        path: { flow_name: "tagged" }
      })
      return (body as { tags: object }).tags
    }
    assert.deepStrictEqual(await tags(), {})
    const set = { set_tags: { team: "a", "x.y~z": "" } }
    assert.deepStrictEqual((await tag("tagged", set, "flow")).body, "OK")
    await tag("tagged", { ...set, remove_tags: ["unknown"] })
    assert.deepStrictEqual(await tags(), { team: "a", "x.y~z": "" })
    await tag("tagged", { set_tags: { team: "b" }, remove_tags: ["x.y~z"] })
    assert.deepStrictEqual(await tags(), { team: "b" })
    const changes = (await journal()).filter(({ kind }) => kind === "flow_tagged")
    assert.strictEqual(changes.length, 2)
  })

  it("refuses invalid keys and dictionaries, unknown kinds and unknown flows", async () => {
    assert.strictEqual((await tag("tagged", { set_tags: { "-a": "b" } })).status, 400)
    const { body } = await tag("tagged", { set_tags: "" })
    assert.deepStrictEqual((body as { errors: object }).errors, {
      set_tags: "Input should be a valid dictionary [input: ]"
    })
    assert.strictEqual((await tag("tagged", {}, "people")).status, 400)
    assert.strictEqual((await tag("nowhere", { set_tags: { a: "b" } })).status, 404)
    const denied = await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "flow", resource_id: "tagged" },
      body: {},
      as: "reader"
    })
    assert.strictEqual(denied.status, 403)
  })
})
