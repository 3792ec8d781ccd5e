/** Repositories on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly id: string; readonly name: string }

const repo = (id: string, name: string, more = {}) => ({
  repo_info: { id, name, url: `https://git.example.org/${name}`, provider: "github", ...more }
})

onEveryStore("GET /repos/{org}", (server) => {
  const { call, journal } = server
  const { begin, artifact, generic, trail } = evidenceOf(server, "repos")
  const list = async (query: string) => {
    const { status, body } = await call("GET /repos/{org}", { query })
    return status === 200
      ? (body as { repos: ReadonlyArray<Shown> }).repos.map(({ name }) => name)
      : [status]
  }
  const get = (name: string, query = "") => call(`GET /repos/{org}/${name}`, { query })

  it("lists the repositories of trails, artifacts and attestations, once each", async () => {
    await begin("t", repo("1", "team/api"))
    await artifact("t", "app", F, c1, repo("2", "team/sub/web"))
    await generic("t", "lint", true, repo("3", "Zoo"))
    await generic("t", "more", true, repo("1", "team/api"))
    assert.deepStrictEqual(await list(""), ["Zoo", "team/api", "team/sub/web"])
    assert.strictEqual((await journal()).filter(({ kind }) => kind.startsWith("repo_")).length, 3)
    const { body } = await call("GET /repos/{org}", { query: "?per_page=2" })
    const { repos: _, _links, ...counters } = body as { repos: object; _links: object }
    assert.deepStrictEqual(counters, { page: 1, per_page: 2, total_pages: 2, total_count: 3 })
    const shown = (await trail("t")) as unknown as { repo_ids: ReadonlyArray<string> }
    assert.strictEqual(shown.repo_ids.length, 3)
  })

  it("shows the time of the last report of a repository", async () => {
    const { body } = await get("Zoo")
    const { latest_activity_at, created_at } = body as Record<string, number>
    assert.isNumber(latest_activity_at)
    assert.strictEqual(latest_activity_at, created_at)
  })

  it("gets one by its name, slashes included, and by its id", async () => {
    const { status, body } = await get("team/sub/web")
    const shown = body as Shown
    assert.strictEqual(status, 200)
    assert.deepInclude(shown, {
      repo_id: "2",
      name: "team/sub/web",
      url: "https://git.example.org/team/sub/web",
      provider: "github",
      vcs_instance: "git.example.org",
      tags: {}
    })
    assert.strictEqual((await get("team%2Fsub%2Fweb")).status, 200)
    assert.deepStrictEqual((await get("anything", `?id=${shown.id}`)).body, shown)
    const none = await get("team/none")
    assert.deepStrictEqual(
      [none.status, none.body],
      [404, { message: "Repo 'team/none' not found in organization 'acme'" }]
    )
  })

  it("filters by name, part, provider, provider's id and tags", async () => {
    const { body } = await get("Zoo")
    await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "repo", resource_id: (body as Shown).id },
      body: { set_tags: { team: "z", tier: "1" } }
    })
    assert.deepStrictEqual(await list("?name=team/api"), ["team/api"])
    assert.deepStrictEqual(await list("?search=TEAM"), ["team/api", "team/sub/web"])
    assert.deepStrictEqual(await list("?provider=gitlab"), [])
    assert.deepStrictEqual(await list("?repo_id=2"), ["team/sub/web"])
    assert.deepStrictEqual(await list("?tag=team"), ["Zoo"])
    assert.deepStrictEqual(await list("?tag=team:z&tag=tier:1"), ["Zoo"])
    assert.deepStrictEqual(await list("?tag=team:z&tag=tier:2"), [])
    assert.deepStrictEqual(await list("?sort_direction=desc"), ["team/sub/web", "team/api", "Zoo"])
    assert.deepStrictEqual(await list("?provider=another-word"), [])
    assert.deepStrictEqual(await list(`?provider=${"p".repeat(64)}`), [])
    assert.deepStrictEqual(await list(`?provider=${"p".repeat(65)}`), [400])
    assert.deepStrictEqual(await list("?provider="), [400])
    assert.deepStrictEqual(await list("?per_page=51"), [400])
    assert.deepStrictEqual(await list("?name=a&search=b"), [400])
  })

  it("requires a provider when several have the name, and follows a rename at the provider", async () => {
    await begin("u", repo("1", "team/api", { provider: "gitlab" }))
    const ambiguous = await get("team/api")
    const message =
      "Multiple repos named 'team/api' exist (github, gitlab). Specify the 'provider' query parameter."
    assert.deepStrictEqual([ambiguous.status, ambiguous.body], [400, { message }])
    await begin("u", repo("2", "team/api", { provider: "gitlab" }))
    await begin("u", repo("3", "team/api"))
    assert.deepStrictEqual((await get("team/api")).body, { message })
    await begin("u", repo("2", "team/other", { provider: "gitlab" }))
    await begin("u", repo("3", "team/another"))
    assert.strictEqual((await get("team/api", "?provider=gitlab")).status, 200)
    await begin("u", repo("1", "team/api-2", { provider: "gitlab" }))
    assert.strictEqual((await get("team/api")).status, 200)
    assert.strictEqual((await get("team/api-2")).status, 200)
  })

  it("gets one whose name has characters that paths escape", async () => {
    const name = "team/ä b%2F?#+"
    await generic("t", "odd", true, repo("9", name))
    const encoded = name.split("/").map(encodeURIComponent).join("/")
    for (const path of [encoded, encodeURIComponent(name)]) {
      assert.strictEqual(((await get(path)).body as Shown).name, name)
    }
    assert.strictEqual((await get("team/%ff")).status, 400)
  })
})
