/** Builds on the wire: the first record of each fingerprint. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const repo = (id: string, name: string) => ({
  repo_info: { id, name, url: `https://git.example.org/${name}`, provider: "github" }
})

interface Build {
  readonly fingerprint: string
  readonly created_at: number
  readonly repo_info: { readonly id: string } | null
}

onEveryStore("GET /builds/{org}", (server) => {
  const { call } = server
  const { artifact } = evidenceOf(server, "shop")
  const other = evidenceOf(server, "other")
  const list = (query = "") => call("GET /builds/{org}", { query })
  const found = async (query = "") => ((await list(query)).body as { builds: Array<Build> }).builds
  const letters = async (query = "") =>
    (await found(query)).map(({ fingerprint }) => fingerprint.slice(0, 1)).join("")
  const statistics = async (query = "") =>
    (await call("GET /builds/{org}/statistics", { query })).body

  it("lists the first record of each fingerprint, newest first", async () => {
    assert.deepInclude((await list()).body as object, { total_count: 0, builds: [] })
    await artifact("t", "app", print("a"), c1, repo("1", "team/shop"))
    await artifact("t", "app", print("b"), c2, repo("2", "team/web"))
    await artifact("t", "web", print("c"), c1)
    await other.artifact("u", "app", print("a"), c2, repo("2", "team/web"))
    assert.strictEqual(await letters(), "cba")
    const [, , first] = await found()
    assert.deepInclude(first, {
      fingerprint: print("a"),
      artifact_name: "app.tar",
      flow_name: "shop",
      trail_name: "t",
      template_reference_name: "app",
      git_commit: c1,
      git_commit_info: null,
      commit_url: "https://git.example.org/1",
      build_url: "https://ci.example.org/1"
    } as object)
    assert.deepInclude(first?.repo_info, { name: "team/shop", repo_id: "1" } as object)
    assert.strictEqual((await found())[0]?.repo_info, null)
  })

  it("filters by a repository, of which the innermost name wins, and pages", async () => {
    const [, second] = await found()
    const inner = second?.repo_info?.id
    assert.strictEqual(await letters("?repo_name=team/shop"), "a")
    assert.strictEqual(await letters("?repo_id=2&repo_name=team/shop"), "b")
    assert.strictEqual(await letters(`?repo_inner_id=${inner}&repo_id=1`), "b")
    for (const unknown of ["repo_name=no", "repo_id=no", "repo_inner_id=no"]) {
      const { status, body } = await list(`?${unknown}`)
      assert.strictEqual(status, 200)
      assert.deepInclude(body as object, { total_count: 0, builds: [] })
    }
    const { body } = await list("?page=2&per_page=2")
    assert.deepInclude(body as object, { page: 2, per_page: 2, total_pages: 2, total_count: 3 })
    assert.strictEqual(await letters("?page=2&per_page=2"), "a")
    assert.deepInclude((await list("?page=9&repo_name=team/shop")).body as object, {
      total_count: 1,
      builds: []
    })
    assert.strictEqual((await list("?per_page=50")).status, 200)
    assert.strictEqual((await list("?per_page=51")).status, 400)
  })

  it("has inclusive bounds, of which the first is 28 days before the last", async () => {
    const [, { created_at: at } = { created_at: 0 }] = await found()
    assert.strictEqual(await letters(`?start_ts=${at}&end_ts=${at}`), "b")
    assert.strictEqual(await letters(`?start_ts=${at}`), "cb")
    assert.strictEqual(await letters(`?end_ts=${at}`), "ba")
    assert.strictEqual(await letters(`?end_ts=${at + 29 * 86_400}`), "")
    const { status, body } = await list("?start_ts=2&end_ts=1")
    assert.strictEqual(status, 400)
    assert.property((body as { errors: object }).errors, "query.start_ts")
  })

  it("answers the instants of builds in ascending order", async () => {
    const all = (await found()).map(({ created_at }) => created_at).reverse()
    const bounds = { start_ts: all[0], end_ts: all[2] }
    const query = `?start_ts=${all[0]}&end_ts=${all[2]}`
    assert.deepStrictEqual(await statistics(query), { ...bounds, count: 3, timestamps: all })
    assert.deepStrictEqual(await statistics(`${query}&repo_id=2`), {
      ...bounds,
      count: 1,
      timestamps: [all[1]]
    })
    assert.deepInclude((await statistics("?repo_name=no")) as object, { count: 0, timestamps: [] })
    const { start_ts, end_ts } = (await statistics()) as Record<string, number>
    assert.closeTo((end_ts ?? 0) - (start_ts ?? 0), 28 * 86_400, 0.001)
  })

  it("makes one build of a fingerprint that several trails report at once", async () => {
    const trails = Array.from({ length: 8 }, (_, index) => `at-once-${index}`)
    const answers = await Promise.all(
      trails.map((trail) => artifact(trail, "app", print("d"), c1, repo("1", "team/shop")))
    )
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.strictEqual(await letters("?repo_name=team/shop"), "da")
  })
})
