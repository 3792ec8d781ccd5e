/** Hosts, namespaces and tags of repositories on the wire: as filters, and as the values to fill filters with. */
import { assert, it } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly id: string; readonly name: string }

const REPOS: ReadonlyArray<readonly [name: string, url: string, more: object]> = [
  ["api", "https://Git.Example.org:8443/a", { provider: "gitlab", namespace_path: ["team", "x"] }],
  ["web", "ssh://git@git.example.org/b", { provider: "gitlab", namespace_path: ["team", "y"] }],
  ["old", "https://other.example.org", { provider: "subversion", namespace_path: ["teams"] }],
  ["odd", "git@git.example.org:c", { provider: "gitlab", namespace_path: [] }],
  ["raw", "https://user:pass@git.example.org?x#y", {}]
]

onEveryStore("GET /repos/{org}/filter-options", (server) => {
  const { call } = server
  const { begin } = evidenceOf(server, "repos")
  const names = async (query: string) => {
    const { status, body } = await call("GET /repos/{org}", { query })
    return status === 200
      ? (body as { repos: ReadonlyArray<Shown> }).repos.map(({ name }) => name)
      : [status]
  }
  const options = async (query = "") =>
    (await call("GET /repos/{org}/filter-options", { query })).body

  it("shows the host of each repository, and null where the URL has none", async () => {
    for (const [name, url, more] of REPOS) {
      await begin(name, { repo_info: { id: name, name, url, ...more } })
    }
    const { body } = await call("GET /repos/{org}")
    assert.deepStrictEqual(
      (body as { repos: ReadonlyArray<Shown> }).repos.map(({ name, vcs_instance }) => [
        name,
        vcs_instance
      ]),
      [
        ["api", "git.example.org:8443"],
        ["odd", null],
        ["old", "other.example.org"],
        ["raw", "git.example.org"],
        ["web", "git.example.org"]
      ]
    )
  })

  it("filters by host in any case, and by the first segments of the namespace", async () => {
    assert.deepStrictEqual(await names("?vcs_instance=GIT.example.org"), ["raw", "web"])
    assert.deepStrictEqual(await names("?vcs_instance=git.example.org:8443"), ["api"])
    assert.deepStrictEqual(await names("?vcs_instance=example.org"), [])
    assert.deepStrictEqual(await names("?namespace=team"), ["api", "web"])
    assert.deepStrictEqual(await names("?namespace=team/y"), ["web"])
    assert.deepStrictEqual(await names("?namespace=team/y/z"), [])
    assert.deepStrictEqual(await names("?namespace=tea"), [])
    assert.deepStrictEqual(await names("?namespace=team&vcs_instance=git.example.org"), ["web"])
    assert.deepStrictEqual(await names(`?namespace=${"n".repeat(300)}`), [])
  })

  it("answers each list by every filter but its own", async () => {
    assert.deepStrictEqual(await options(), {
      providers: ["gitlab", "subversion"],
      vcs_instances: ["git.example.org", "git.example.org:8443", "other.example.org"],
      namespace_values: ["team", "teams"]
    })
    assert.deepStrictEqual(await options("?provider=gitlab&namespace=team"), {
      providers: ["gitlab"],
      vcs_instances: ["git.example.org", "git.example.org:8443"],
      namespace_values: ["x", "y"]
    })
    assert.deepStrictEqual(await options("?vcs_instance=other.example.org"), {
      providers: ["subversion"],
      vcs_instances: ["git.example.org", "git.example.org:8443", "other.example.org"],
      namespace_values: ["teams"]
    })
    assert.deepStrictEqual(await options("?tag=none"), {
      providers: [],
      vcs_instances: [],
      namespace_values: []
    })
  })

  it("lists the tags of repositories once, by key and value", async () => {
    assert.deepStrictEqual((await call("GET /repos/{org}/tags")).body, [])
    const tag = async (name: string, set_tags: object) => {
      const { body } = await call(`GET /repos/{org}/${name}`)
      return call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type: "repo", resource_id: (body as Shown).id },
        body: { set_tags }
      })
    }
    await tag("api", { tier: "2", team: "a" })
    await tag("web", { tier: "1", team: "a" })
    assert.deepStrictEqual((await call("GET /repos/{org}/tags")).body, [
      { key: "team", value: "a" },
      { key: "tier", value: "1" },
      { key: "tier", value: "2" }
    ])
    assert.deepStrictEqual(await options("?tag=tier:1"), {
      providers: ["gitlab"],
      vcs_instances: ["git.example.org"],
      namespace_values: ["team"]
    })
  })

  it("reads repositories whose names begin like these operations", async () => {
    for (const name of ["tags/x", "live-artifacts", "x/deployments"]) {
      await begin("more", {
        repo_info: { id: name, name, url: "https://git.example.org", provider: "git" }
      })
      const { status, body } = await call(`GET /repos/{org}/${name}`)
      assert.deepStrictEqual([status, (body as Shown).name], [200, name])
    }
  })

  it("stores a repository whose URL and namespace have any length", async () => {
    const long = "é".repeat(3_000)
    const { status } = await begin("long", {
      repo_info: { id: "l", name: "long", url: `https://${long}/`, namespace_path: [long] }
    })
    assert.isBelow(status, 300)
    assert.deepStrictEqual(await names("?name=long"), ["long"])
  })
})
