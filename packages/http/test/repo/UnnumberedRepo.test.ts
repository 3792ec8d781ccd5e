/** Repositories that reports name without the provider's id, and by either spelling of the provider. */
import * as RepoProvider from "@attestry/core/RepoProvider"
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly id: string; readonly repo_id: string | null }

const url = "https://git.example.org/team/api"

onEveryStore("repo_info without an id", (server) => {
  const { call, journal } = server
  const { begin, artifact, generic, trail } = evidenceOf(server, "unnumbered")
  const list = async (query = "") =>
    ((await call("GET /repos/{org}", { query })).body as { repos: ReadonlyArray<Shown> }).repos
  const entries = async () =>
    (await journal()).map(({ kind }) => kind).filter((kind) => kind.startsWith("repo_"))

  it("makes one repository of a provider and a name, with a null id", async () => {
    const repo_info = { name: "team/api", url, provider: "github" }
    assert.strictEqual((await begin("t", { repo_info })).status, 201)
    assert.strictEqual((await artifact("t", "app", F, c1, { repo_info })).status, 201)
    const nulled = { ...repo_info, id: null }
    assert.strictEqual((await generic("t", "lint", true, { repo_info: nulled })).status, 201)
    assert.deepStrictEqual(await entries(), ["repo_created"])
    const [repo, ...others] = await list()
    assert.deepInclude(repo, { repo_id: null, name: "team/api", url, provider: "github" })
    assert.deepStrictEqual(others, [])
    const shown = (await trail("t")) as unknown as { repo_ids: ReadonlyArray<string> }
    assert.deepStrictEqual(shown.repo_ids, [String(repo?.id)])
  })

  it("belongs to the one that was made last, whether it has an id or not", async () => {
    const named = { name: "team/web", url }
    await begin("numbered", { repo_info: { ...named, id: "17" } })
    await begin("bare", { repo_info: { ...named, url: `${url}/moved` } })
    const [first, ...others] = await list("?name=team/web")
    assert.deepInclude(first, { repo_id: "17", url: `${url}/moved`, provider: "" })
    assert.deepStrictEqual(others, [])
    await begin("again", { repo_info: { ...named, id: "18" } })
    await begin("bare again", { repo_info: { ...named, url: `${url}/last` } })
    await begin("bare-again", { repo_info: { ...named, url: `${url}/last` } })
    const found = await list("?name=team/web")
    assert.deepStrictEqual(
      new Map(found.map((repo) => [repo.repo_id, repo.url])),
      new Map([
        ["17", `${url}/moved`],
        ["18", `${url}/last`]
      ])
    )
  })

  it("makes one repository of 16 concurrent reports, and takes tags", async () => {
    const repo_info = { name: "team/raced", url }
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, n) => begin(`raced-${n}`, { repo_info }))
    )
    assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [201])
    const [repo, ...others] = await list("?name=team/raced")
    assert.deepStrictEqual(others, [])
    await begin("numbered-raced", { repo_info: { ...repo_info, id: "20" } })
    const tagged = await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "repo", resource_id: String(repo?.id) },
      body: { set_tags: { team: "a" } }
    })
    assert.strictEqual(tagged.status, 200, JSON.stringify(tagged.body))
    const tags = (await list("?name=team/raced")).map((each) => [each.repo_id, each.tags])
    assert.deepStrictEqual(
      new Map(tags as never),
      new Map([
        [null, { team: "a" }],
        ["20", {}]
      ] as never)
    )
  })

  it("accepts members that are not known and keeps none, in commits too", async () => {
    const repo_info = { name: "team/open", url, more: 1 }
    const git_commit_info = { sha1: c1, message: "m", newer: { a: 1 } }
    assert.strictEqual((await begin("open", { repo_info, git_commit_info })).status, 201)
    const sent = JSON.stringify(await trail("open"))
    assert.notMatch(sent, /newer|"more"/)
  })
})

onEveryStore("two spellings of a provider", (server) => {
  const { call } = server
  const { begin, trail } = evidenceOf(server, "spelled")
  const list = async (query: string) =>
    ((await call("GET /repos/{org}", { query })).body as { repos: ReadonlyArray<Shown> }).repos

  for (const [alias, neutral] of RepoProvider.ALIASES) {
    it(`are one for ${neutral}, shown as the repository was created with`, async () => {
      const [first, second] = [`${neutral}/a`, `${neutral}/b`]
      const info = (id: string, name: string, provider: string) => ({
        repo_info: { id, name, url, provider }
      })
      await begin("t", info("1", first, alias))
      await begin("t", info("1", first, neutral))
      await begin("t", info("2", second, neutral))
      await begin("t", info("2", second, alias))
      for (const word of [alias, neutral]) {
        assert.deepStrictEqual(
          (await list(`?provider=${word}`)).map(({ name, provider }) => [name, provider]),
          [
            [first, alias],
            [second, neutral]
          ]
        )
        const got = await call(`GET /repos/{org}/${first}`, { query: `?provider=${word}` })
        assert.deepInclude(got.body, { name: first, provider: alias })
      }
      const shown = (await trail("t")) as unknown as { repo_ids: ReadonlyArray<string> }
      assert.strictEqual(new Set(shown.repo_ids).size, shown.repo_ids.length)
    })
  }
})
