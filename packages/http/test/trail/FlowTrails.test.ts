/** The trails of one flow on the wire. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

interface Listed {
  readonly data: ReadonlyArray<{ readonly name: string; readonly flow: { readonly name: string } }>
  readonly pagination: object
}

onEveryStore("GET /trails/{org}/{flow_name}", ({ call }) => {
  const begin = (flow: string, name: string) =>
    call("PUT /trails/{org}/{flow_name}", { path: { flow_name: flow }, body: { name } })
  const list = (flow: string, query = "") =>
    call("GET /trails/{org}/{flow_name}", { path: { flow_name: flow }, query })
  const listed = async (flow: string, query = "") => (await list(flow, query)).body as Listed
  const namesOf = ({ data }: Listed) => data.map(({ name }) => name)

  it("answers a page where `per_page` is sent, and the same items as the list of the org", async () => {
    for (const name of ["t-1", "t-2", "t-3"]) await begin("small", name)
    await begin("other", "t-4")
    const second = await listed("small", "?page=2&per_page=2")
    assert.deepStrictEqual(namesOf(second), ["t-1"])
    assert.deepStrictEqual(second.pagination, { total: 3, page: 2, per_page: 2, page_count: 2 })
    const ofOrg = await call("GET /trails/{org}", { query: "?flow=small&per_page=2&page=2" })
    assert.deepStrictEqual(second, ofOrg.body as Listed)
    assert.deepStrictEqual(namesOf(await listed("small", "?page=9&per_page=2")), [])
  })

  it("answers every trail without `per_page`, whatever `page` says", async () => {
    const count = 401
    for (let from = 0; from < count; from += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, index) =>
          begin("large", `t-${from + index}`)
        )
      )
    }
    await begin("large", "the-newest")
    const { status, headers, body } = await list("large", "?page=3")
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "application/json"])
    const names = namesOf(body as Listed)
    assert.strictEqual(names[0], "the-newest")
    assert.strictEqual(new Set(names).size, count + 1)
    assert.deepStrictEqual((body as Listed).pagination, {
      total: count + 1,
      page: 1,
      per_page: count + 1,
      page_count: 1
    })
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => listed("large", `?per_page=100&page=${page}`))
    )
    assert.deepStrictEqual(
      (body as Listed).data,
      pages.flatMap(({ data }) => data)
    )
  })

  it("answers an empty list for a flow without trails", async () => {
    await call("PUT /flows/{org}", { body: { name: "empty", description: "" } })
    assert.deepStrictEqual(await listed("empty"), {
      data: [],
      pagination: { total: 0, page: 1, per_page: 0, page_count: 0 }
    })
  })

  it("is 404 for an unknown flow, and 400 for a size outside of its bounds", async () => {
    for (const query of ["", "?per_page=1"])
      assert.strictEqual((await list("none", query)).status, 404)
    for (const size of ["0", "101", "x"]) {
      const { status, body } = await list("small", `?per_page=${size}`)
      assert.strictEqual(status, 400)
      assert.property((body as { errors: object }).errors, "query.per_page")
    }
    assert.strictEqual((await list("small", "?per_page=100")).status, 200)
  })

  it("is open to readers and closed to other orgs", async () => {
    const as = async (caller: "reader" | "foreigner") =>
      (await call("GET /trails/{org}/{flow_name}", { path: { flow_name: "small" }, as: caller }))
        .status
    assert.deepStrictEqual([await as("reader"), await as("foreigner")], [200, 403])
  })
})
