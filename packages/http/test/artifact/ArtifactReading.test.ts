/** Finding artifacts, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown>

const FAF = `faf${"0".repeat(61)}`
const FAE = `fae${"0".repeat(61)}`

onEveryStore("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", (server) => {
  const { call } = server
  const get = (flow_name: string, fingerprint: string, query = "") =>
    call("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", {
      path: { flow_name, fingerprint },
      query
    })

  it("returns every field of the report, with state, slot and history", async () => {
    const { artifact, generic } = evidenceOf(server, "read")
    const commit = {
      sha1: c1,
      message: "m",
      author: "A <a@example.org>",
      author_username: "a",
      branch: "main",
      timestamp: 1_790_000_000.25,
      url: "https://git.example.org/c/1",
      parents: [c2],
      verified: true,
      signature_state: "VALID",
      signer_username: "a",
      signed_by_platform: false
    }
    const more = {
      git_commit_info: commit,
      commits_list: [commit],
      repo_info: {
        id: "17",
        name: "team/shop",
        url: "https://git.example.org/team/shop",
        description: "d",
        namespace_path: ["team"],
        additional_info: { project_key: "X" }
      },
      repo_url: "https://git.example.org/team/shop",
      description: "d",
      external_urls: { site: { href: "https://example.org", fingerprint: F } },
      annotations: { k: "v" },
      user_data: { a: [1, null] },
      is_compliant: false,
      template: "old words"
    }
    await artifact("t", "app", F, c1, more)
    await generic("t", "lint", false, { artifact_fingerprint: F })
    const { status, body } = await get("read", F)
    const shown = body as Shown
    assert.strictEqual(status, 200)
    assert.deepInclude(shown, {
      ...more,
      fingerprint: F,
      filename: "app.tar",
      git_commit: c1,
      build_url: "https://ci.example.org/1",
      commit_url: "https://git.example.org/1",
      trail_name: "t",
      template_reference_name: "app",
      flow_name: "read",
      state: "NON-COMPLIANT",
      running: [],
      exited: []
    })
    assert.deepStrictEqual(
      (shown.history as ReadonlyArray<{ event: string }>).map(({ event }) => event),
      [`Commit ${c1.slice(0, 7)}`, "app reported", "lint reported"]
    )
  })

  it("shows a commit that was not sent as an empty text, in the list and in a search too", async () => {
    const { artifact } = evidenceOf(server, "no-commit")
    const bare = "0b".repeat(32)
    await artifact("t", "app", bare, c1, { git_commit: undefined })
    assert.strictEqual(((await get("no-commit", bare)).body as Shown).git_commit, "")
    const listed = await call("GET /artifacts/{org}", { query: "?flow_name=no-commit" })
    assert.deepStrictEqual(
      (listed.body as ReadonlyArray<Shown>).map(({ git_commit }) => git_commit),
      [""]
    )
    await artifact("t", "app", bare, c1, { git_commit: undefined, git_commit_info: { sha1: c2 } })
    assert.strictEqual(((await get("no-commit", bare)).body as Shown).git_commit, c2)
    const found = await call("GET /search/{org}/sha/{value}", { path: { value: bare } })
    assert.deepStrictEqual(
      (found.body as { artifacts: ReadonlyArray<Shown> }).artifacts.map((one) => one.git_commit),
      [c2]
    )
  })

  it("resolves a unique prefix, and counts the matches of an ambiguous one", async () => {
    const { artifact } = evidenceOf(server, "prefix")
    await artifact("t", "app", FAF, c1)
    await artifact("t", "app", FAE, c1)
    assert.strictEqual(((await get("prefix", "faf00")).body as Shown).fingerprint, FAF)
    assert.strictEqual((await get("prefix", FAE)).status, 200)
    const { artifact: another } = evidenceOf(server, "prefix")
    await another("t", "app", `faf00${"1".repeat(59)}`, c1)
    const ambiguous = await get("prefix", "faf00")
    assert.strictEqual(ambiguous.status, 400)
    assert.include(JSON.stringify(ambiguous.body), "2 artifacts")
    for (const bad of ["faf0", `${F}0`, "FAF00"])
      assert.strictEqual((await get("prefix", bad)).status, 400)
    const none = await get("prefix", "00000")
    assert.deepStrictEqual(
      [none.status, none.body],
      [
        404,
        {
          message:
            "Artifact with fingerprint '00000' does not exist in flow 'prefix' belonging to organization 'acme'"
        }
      ]
    )
  })

  it("shows the newest record of a fingerprint, in the flow or in one trail", async () => {
    const { artifact } = evidenceOf(server, "newest")
    await artifact("one", "app", F, c1)
    await artifact("two", "app", F, c2)
    assert.strictEqual(((await get("newest", F)).body as Shown).trail_name, "two")
    assert.strictEqual(((await get("newest", F, "?trail=one")).body as Shown).trail_name, "one")
    assert.strictEqual(((await get("newest", F, "?trail=")).body as Shown).trail_name, "two")
    assert.strictEqual((await get("newest", F, "?trail=three")).status, 404)
  })

  it("shows the record of an id, and is 404 for one of another artifact", async () => {
    const { artifact } = evidenceOf(server, "by-id")
    await artifact("one", "app", F, c1)
    await artifact("two", "app", F, c2)
    await artifact("two", "web", E, c2)
    const idOf = async (query: string, fingerprint = F) =>
      ((await get("by-id", fingerprint, query)).body as Shown & { readonly id: string }).id
    const [older, newer, other] = [await idOf("?trail=one"), await idOf(""), await idOf("", E)]
    const trail = async (query: string) => ((await get("by-id", F, query)).body as Shown).trail_name
    assert.strictEqual(await trail(`?attestation_id=${older}`), "one")
    assert.strictEqual(await trail(`?attestation_id=${newer}`), "two")
    assert.strictEqual(await trail(`?artifact_id=${older}`), "one")
    assert.strictEqual(await trail(`?artifact_id=${newer}&attestation_id=${older}`), "two")
    const status = async (query: string) => (await get("by-id", F, query)).status
    assert.strictEqual(await status(`?attestation_id=${other}`), 404)
    assert.strictEqual(await status(`?attestation_id=${older}&trail=two`), 404)
    assert.strictEqual(await status("?attestation_id=0b0c4d5a-cc1f-4725-8f97-af256289"), 404)
    assert.strictEqual(await status("?attestation_id=x"), 400)
    assert.strictEqual(await status("?artifact_id=x"), 400)
    assert.strictEqual(await status("?attestation_id="), 400)
  })
})

onEveryStore("GET /artifacts/{org}", (server) => {
  const { call } = server
  const one = evidenceOf(server, "list-one")
  const two = evidenceOf(server, "list-two")
  const list = async (query: string) => {
    const { status, body } = await call("GET /artifacts/{org}", { query })
    return status === 200
      ? (body as ReadonlyArray<Shown>).map(({ filename }) => filename)
      : [status, (body as { message: string }).message]
  }

  it("lists newest first, by flow, by repository, and in pages", async () => {
    const repo_info = { id: "9", name: "team/api", url: "https://git.example.org/team/api" }
    await one.artifact("t", "a", F, c1)
    await one.artifact("t", "b", E, c1, { repo_info })
    await two.artifact("t", "c", F, c2)
    assert.deepStrictEqual(await list(""), ["c.tar", "b.tar", "a.tar"])
    assert.deepStrictEqual(await list("?flow_name=list-one"), ["b.tar", "a.tar"])
    assert.deepStrictEqual(await list("?repo_name=team/api"), ["b.tar"])
    assert.deepStrictEqual(await list("?repo_name="), ["c.tar", "b.tar", "a.tar"])
    assert.deepStrictEqual(await list("?page=2&per_page=2"), ["a.tar"])
    assert.deepStrictEqual(await list("?search=B.T"), ["b.tar"])
    assert.deepStrictEqual(await list("?search=.tar&flow_name=list-one"), ["b.tar", "a.tar"])
    assert.deepStrictEqual(await list("?search=nothing"), [])
    assert.deepStrictEqual(await list("?search=%25"), [])
    assert.deepStrictEqual(await list("?repo_name=no/such"), [
      404,
      "Repo 'no/such' not found in organization 'acme'"
    ])
    assert.strictEqual((await list("?flow_name=nowhere"))[0], 404)
    assert.strictEqual((await list("?flow_name="))[0], 400)
  })

  it("finds by commit, whole or a prefix", async () => {
    const by = async (sha: string, query = "") => {
      const { status, body } = await call("GET /artifacts/{org}/{flow_name}/commit_sha/{sha}", {
        path: { flow_name: "list-one", sha },
        query
      })
      return status === 200
        ? (body as ReadonlyArray<Shown>).map(({ filename }) => filename)
        : status
    }
    assert.deepStrictEqual(await by(c1), ["b.tar", "a.tar"])
    assert.deepStrictEqual(await by(c1.slice(0, 7), "?trail=t"), ["b.tar", "a.tar"])
    assert.deepStrictEqual(await by(c2), [])
    assert.strictEqual(await by("c1c1"), 400)
  })

  it("returns the commit of the previous artifact, optionally on a branch", async () => {
    const { artifact } = evidenceOf(server, "before")
    const on = (sha1: string, branch: string) => ({ git_commit_info: { sha1, branch } })
    await artifact("t", "a", F, c1, on(c1, "main"))
    await artifact("t", "a", E, c2, on(c2, "dev"))
    const latest = async (fingerprint: string, query = "") => {
      const { body } = await call("GET /artifacts/{org}/{flow_name}/{fingerprint}/latest_commit", {
        path: { flow_name: "before", fingerprint },
        query
      })
      return (body as { latest_commit: string | null }).latest_commit
    }
    assert.strictEqual(await latest(E), c1)
    assert.strictEqual(await latest(F), null)
    assert.strictEqual(await latest("0".repeat(64)), c2)
    assert.strictEqual(await latest("0".repeat(64), "?branch=main"), c1)
  })

  it("returns the commit of the previous artifact for a prefix of a fingerprint", async () => {
    const { artifact } = evidenceOf(server, "before-prefix")
    const [one, two] = [`${"ab".repeat(31)}01`, `${"ab".repeat(31)}02`]
    await artifact("t", "a", F, c1)
    await artifact("t", "a", E, c2)
    await artifact("t", "a", one, c1)
    await artifact("t", "a", two, c2)
    const latest = (fingerprint: string) =>
      call("GET /artifacts/{org}/{flow_name}/{fingerprint}/latest_commit", {
        path: { flow_name: "before-prefix", fingerprint }
      })
    const before = await latest(E.slice(0, 5))
    assert.deepStrictEqual([before.status, before.body], [200, { latest_commit: c1 }])
    const ambiguous = await latest("ab".repeat(31))
    assert.strictEqual(ambiguous.status, 400)
    const unknown = await latest("00000")
    assert.strictEqual(unknown.status, 404)
    assert.strictEqual((await latest("0000")).status, 400)
  })
})
