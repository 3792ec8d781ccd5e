/** Searching a whole org, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Page {
  readonly page: number
  readonly per_page: number
  readonly total_pages: number
  readonly total_count: number
  readonly trails: ReadonlyArray<Record<string, unknown>>
  readonly _links: { readonly [name: string]: { readonly href: string } }
}

onEveryStore("GET /search/{org}/commit/{sha}/trails", (server) => {
  const { call } = server
  const search = (sha: string, query = "") =>
    call("GET /search/{org}/commit/{sha}/trails", { path: { sha }, query })
  const found = async (sha: string, query = "") => (await search(sha, query)).body as Page
  const names = ({ trails }: Page) => trails.map((one) => `${one.flow_name}/${one.trail_name}`)

  it("finds the trails of a commit in all flows, newest first, in every kind of report", async () => {
    const one = evidenceOf(server, "found-one")
    const two = evidenceOf(server, "found-two")
    await one.begin("a", { git_commit_info: { sha1: c1, branch: "main" } })
    await two.artifact("b", "app", F, c1)
    await one.begin("c")
    await one.generic("c", "x", true, { git_commit_info: { sha1: c1, branch: "dev" } })
    await one.begin("other", { git_commit_info: { sha1: c2 } })
    await one.begin("a", { description: "a later change makes it no newer" })
    const page = await found(c1)
    assert.deepStrictEqual(names(page), ["found-one/c", "found-two/b", "found-one/a"])
    assert.deepStrictEqual(page.trails[2], {
      flow_name: "found-one",
      trail_name: "a",
      branch: "main",
      url: "http://127.0.0.1:8080/acme/flows/found-one/trails/a",
      _links: {
        self: { href: "http://127.0.0.1:8080/api/v2/trails/acme/found-one/a" },
        html: { href: "http://127.0.0.1:8080/acme/flows/found-one/trails/a" }
      }
    })
    assert.deepStrictEqual(
      page.trails.map(({ branch }) => branch),
      ["dev", "", "main"]
    )
    assert.deepStrictEqual(names(await found("0".repeat(40))), [])
  })

  it("pages within the bounds of the specification, with links", async () => {
    const page = await found(c1, "?per_page=2&page=2")
    assert.deepStrictEqual(
      [page.page, page.per_page, page.total_pages, page.total_count, names(page)],
      [2, 2, 2, 3, ["found-one/a"]]
    )
    const base = `http://127.0.0.1:8080/api/v2/search/acme/commit/${c1}/trails`
    assert.deepStrictEqual(page._links, {
      self: { href: `${base}?per_page=2&page=2` },
      first: { href: `${base}?per_page=2&page=1` },
      last: { href: `${base}?per_page=2&page=2` },
      prev: { href: `${base}?per_page=2&page=1` }
    })
    const beyond = await found(c1, "?page=1000000&per_page=50")
    assert.deepStrictEqual([beyond.page, beyond.total_count, beyond.trails], [1_000_000, 3, []])
    for (const query of ["?page=0", "?page=1000001", "?per_page=0", "?per_page=51", "?page=1.5"]) {
      assert.strictEqual((await search(c1, query)).status, 400, query)
    }
    for (const sha of [c1.slice(1), c1.toUpperCase(), `${c1}0`])
      assert.strictEqual((await search(sha)).status, 400)
  })
})

onEveryStore("GET /search/{org}/sha/{value}", (server) => {
  const search = (value: string) =>
    server.call("GET /search/{org}/sha/{value}", { path: { value } })

  it("resolves a prefix, with the artifacts of each flow", async () => {
    const one = evidenceOf(server, "sha-one")
    const two = evidenceOf(server, "sha-two")
    await one.artifact("t", "app", F, c1)
    await one.artifact("u", "app", F, c1)
    await two.artifact("t", "app", F, c2)
    await two.artifact("t", "web", E, c2)
    const { body } = await search("fffff")
    const { resolved_to, artifacts } = body as {
      resolved_to: object
      artifacts: ReadonlyArray<Record<string, unknown>>
    }
    assert.deepStrictEqual(resolved_to, {
      type: "fingerprint",
      full_match: F,
      fingerprints: { type: "fingerprint", count: 1, matches: [F] },
      commits: { type: "commit", count: 0, matches: [] }
    })
    assert.deepStrictEqual(
      artifacts.map((found) => [found.flow, found.name, found.compliance_state]),
      [
        ["sha-two", "app.tar", "COMPLIANT"],
        ["sha-one", "app.tar", "COMPLIANT"]
      ]
    )
    const commit = (await search(c2)).body as { resolved_to: { type: string }; artifacts: object[] }
    assert.deepStrictEqual([commit.resolved_to.type, commit.artifacts.length], ["commit", 2])
  })

  it("is 404 when nothing matches a prefix, or nothing can match", async () => {
    for (const value of ["00000", "ffff", "nothex!"]) {
      const { status, body } = await search(value)
      assert.deepStrictEqual([status, body], [404, { message: `No matches for '${value}'.` }])
    }
  })
})

onEveryStore("GET /trails/{org}", (server) => {
  const list = async (query: string) => {
    const { status, body } = await server.call("GET /trails/{org}", { query })
    if (status !== 200) return status
    const { data, pagination } = body as { data: Array<{ name: string }>; pagination: object }
    return { names: data.map(({ name }) => name), pagination }
  }
  const names = async (query: string) => {
    const found = await list(query)
    return typeof found === "number" ? found : found.names
  }

  it("lists newest first, by flow, fingerprint and tag of the flow", async () => {
    const one = evidenceOf(server, "trails-one")
    const two = evidenceOf(server, "trails-two")
    await one.begin("a")
    await two.begin("b")
    await one.artifact("c", "app", F, c1)
    await server.call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "flow", resource_id: "trails-two" },
      body: { set_tags: { team: "pay=ments" }, remove_tags: null }
    })
    assert.deepStrictEqual(await list(""), {
      names: ["c", "b", "a"],
      pagination: { total: 3, page: 1, per_page: 20, page_count: 1 }
    })
    assert.deepStrictEqual(await names("?flow=trails-one"), ["c", "a"])
    assert.deepStrictEqual(await names(`?fingerprint=${F}`), ["c"])
    assert.deepStrictEqual(await names("?flow_tag=team=pay%3Dments"), ["b"])
    assert.deepStrictEqual(await names("?flow=trails-one&flow_tag=team=pay%3Dments"), [])
    assert.deepStrictEqual(await names("?fingerprint="), [])
    assert.deepStrictEqual(await names("?flow_tag="), [])
    assert.strictEqual(await names("?flow=nowhere"), 404)
    assert.strictEqual(await names("?flow="), 404)
    assert.deepStrictEqual(await list("?page=2&per_page=2"), {
      names: ["a"],
      pagination: { total: 3, page: 2, per_page: 2, page_count: 2 }
    })
  })

  it("lists by a part of the name and by compliance", async () => {
    const { putFlow, begin, generic } = evidenceOf(server, "standing")
    await putFlow("version: 1\ntrail:\n  attestations:\n  - name: review\n    type: generic\n")
    await begin("Release-1")
    await begin("release-2")
    await begin("patch_3")
    await generic("release-2", "review", true)
    await generic("patch_3", "review", false)
    const of = (query: string) => names(`?flow=standing&${query}`)
    assert.deepStrictEqual(await of("search=RELEASE"), ["release-2", "Release-1"])
    assert.deepStrictEqual(await of("search=%25"), [])
    assert.deepStrictEqual(await of("search=_"), ["patch_3"])
    assert.deepStrictEqual(await of("search="), ["patch_3", "release-2", "Release-1"])
    assert.deepStrictEqual(await of("compliance_state=COMPLIANT"), ["release-2"])
    assert.deepStrictEqual(await of("compliance_state=NON-COMPLIANT"), ["patch_3"])
    assert.deepStrictEqual(await of("compliance_state=INCOMPLETE"), ["Release-1"])
    assert.deepStrictEqual(await of("compliance_state=COMPLIANT&search=patch"), [])
    assert.strictEqual(await of("compliance_state=compliant"), 400)
  })
})
