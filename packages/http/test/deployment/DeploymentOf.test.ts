/** Deployments of an environment and of a repository on the wire, with what they replaced. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const repo = (id: string, name: string) => ({
  repo_info: { id, name, url: `https://git.example.org/${name}`, provider: "github" }
})

interface Deployment {
  readonly id: string
  readonly fingerprint: string
  readonly env_name: string
  readonly deployed_at: number
  readonly lead_time_seconds: number | null
  readonly replaced_artifact: Record<string, unknown> | null
  readonly _links: Record<string, { readonly href: string }>
}

onEveryStore("GET /deployments/{org}/{env_name}/{fingerprint}", (server) => {
  const { call } = server
  const { artifact } = evidenceOf(server, "shop")
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: Object.entries(digests).map(([name, digest], at) => ({
          digests: { [name]: digest },
          creationTimestamp: 100 - at
        }))
      }
    })
  const shownBy = ({ body }: { body: unknown }) =>
    (body as { deployments: Array<Deployment> }).deployments
  const marks = (deployments: ReadonlyArray<Deployment>) =>
    deployments.map(({ env_name, fingerprint }) => `${env_name} ${fingerprint.slice(0, 1)}`)
  const list = async (query: string) =>
    marks(shownBy(await call("GET /deployments/{org}", { query })))
  const newest = (env_name: string, letter: string) =>
    call("GET /deployments/{org}/{env_name}/{fingerprint}", {
      path: { env_name, fingerprint: print(letter) }
    })
  const ofEnvironment = (env_name: string, query = "") =>
    call("GET /environments/{org}/{env_name}/deployments", { path: { env_name }, query })
  const idOf = async (name: string) =>
    ((await call(`GET /repos/{org}/${name}`)).body as { id: string }).id
  const ofRepo = async (name: string, query = "") =>
    call("GET /repos/{org}/{repo}/deployments", { path: { repo: await idOf(name) }, query })
  const live = (repo_name: string, query = "") =>
    call("GET /repos/{org}/live-artifacts/{repo_name}", { path: { repo_name }, query })

  it("tells when an artifact began to run last, and what it replaced", async () => {
    const commit = { git_commit_info: { sha1: c1, message: "one" } }
    await artifact("t1", "app", print("a"), c1, { ...repo("1", "team/shop"), ...commit })
    await artifact("t2", "app", print("b"), c2, repo("1", "team/shop"))
    await artifact("t2", "web", print("c"), c2, repo("2", "team/web"))
    for (const name of ["prod", "test"]) {
      await call("PUT /environments/{org}", { body: { name, type: "server" } })
    }
    await report("prod", { shop: print("a") })
    await report("prod", { shop: print("b"), web: print("c"), hidden: print("d") })
    await report("test", { shop: print("b") })
    const { status, body } = await newest("prod", "b")
    assert.strictEqual(status, 200)
    const { id, deployed_at, lead_time_seconds, _links, ...shown } = body as Deployment
    assert.deepStrictEqual(shown, {
      environment: "prod",
      env_name: "prod",
      fingerprint: print("b"),
      name: "shop",
      artifact_name: "shop",
      flow_name: "shop",
      trail_name: "t2",
      git_commit: c2,
      commit_url: "https://git.example.org/1",
      snapshot_index: 2,
      compliant: false,
      replaced: { name: "shop", fingerprint: print("a") },
      artifact: {
        flow_name: "shop",
        trail_name: "t2",
        template_reference_name: "app",
        git_commit: c2,
        git_commit_info: null,
        repo_info: { name: "team/shop", repo_id: "1" }
      },
      replaced_artifact: {
        fingerprint: print("a"),
        artifact_name: "shop",
        snapshot_index: 1,
        artifact: {
          flow_name: "shop",
          trail_name: "t1",
          template_reference_name: "app",
          git_commit: c1,
          git_commit_info: { sha1: c1, message: "one" },
          repo_info: { name: "team/shop", repo_id: "1" }
        }
      },
      diff_url: `https://git.example.org/team/shop/compare/${c1}...${c2}`
    } as object)
    assert.isAbove(deployed_at, 0)
    assert.isAbove(lead_time_seconds ?? 0, 0)
    assert.include(_links.self?.href, `/api/v2/deployments/acme/${id}`)
    assert.include(_links.snapshot?.href, "/api/v2/snapshots/acme/prod/2")
    assert.include(_links.artifact?.href, `/artifacts/acme/shop/fingerprint/${print("b")}`)
  })

  it("has no artifact without provenance, and is 404 for what was never deployed", async () => {
    const { body } = await newest("prod", "d")
    assert.deepInclude(body as object, { artifact: null, replaced_artifact: null, diff_url: null })
    assert.notProperty((body as Deployment)._links, "artifact")
    assert.strictEqual((await newest("test", "a")).status, 404)
    assert.strictEqual((await newest("nowhere", "a")).status, 404)
    const short = { env_name: "prod", fingerprint: "aaaaa" }
    const { status } = await call("GET /deployments/{org}/{env_name}/{fingerprint}", {
      path: short
    })
    assert.strictEqual(status, 400)
  })

  it("filters the list by environment under both names, repository and time", async () => {
    assert.deepStrictEqual(await list("?env_name=test"), ["test b"])
    assert.deepStrictEqual(await list("?environment=test&env_name=prod&repo_name=team/shop"), [
      "test b",
      "prod b",
      "prod a"
    ])
    assert.deepStrictEqual(await list(`?repo_name=team/shop&fingerprint=${print("b")}`), [
      "test b",
      "prod b"
    ])
    assert.deepStrictEqual(await list("?repo_name=team/web&flow=shop"), ["prod c"])
    assert.deepStrictEqual(await list(`?fingerprint=${print("b")}&env_name=prod`), ["prod b"])
    assert.deepStrictEqual(await list("?flow=shop&env_name=prod&per_page=1"), [
      (await list("?flow=shop&env_name=prod"))[0]
    ])
    const [latest] = shownBy(await ofEnvironment("test"))
    const at = latest?.deployed_at ?? 0
    assert.deepStrictEqual(await list(`?start_ts=${at}`), ["test b"])
    assert.deepStrictEqual(await list(`?end_ts=${at}&env_name=test`), ["test b"])
    assert.deepStrictEqual(await list(`?end_ts=${at - 1e-6}&env_name=test`), [])
    assert.deepStrictEqual(await list(`?end_ts=${at + 29 * 86_400}`), [])
    const call400 = await call("GET /deployments/{org}", { query: "?start_ts=2&end_ts=1" })
    assert.strictEqual(call400.status, 400)
    assert.property((call400.body as { errors: object }).errors, "query.start_ts")
    const unknown = await call("GET /deployments/{org}", { query: "?repo_name=nowhere" })
    assert.strictEqual(unknown.status, 404)
  })

  it("counts what the filter means, also on a page past the end", async () => {
    const total = async (query: string) =>
      ((await call("GET /deployments/{org}", { query })).body as { total_count: number })
        .total_count
    const [latest] = shownBy(await ofEnvironment("test"))
    const at = latest?.deployed_at ?? 0
    assert.strictEqual(await total(""), 5)
    assert.strictEqual(await total("?page=9"), 5)
    assert.strictEqual(await total("?env_name=prod"), 4)
    assert.strictEqual(await total("?env_name=prod&env_name=test"), 5)
    assert.strictEqual(await total("?repo_name=team/shop"), 3)
    assert.strictEqual(await total("?repo_name=team/shop&page=9"), 3)
    assert.strictEqual(await total("?repo_name=team/shop&env_name=prod"), 2)
    assert.strictEqual(await total(`?start_ts=${at}`), 1)
    assert.strictEqual(await total(`?repo_name=team/shop&end_ts=${at - 1e-6}`), 2)
    assert.strictEqual(await total(`?start_ts=${at + 1}`), 0)
    assert.strictEqual(await total("?flow=shop&env_name=prod"), 3)
  })

  it("lists those of one environment, with ISO 8601 bounds", async () => {
    const { status, body } = await ofEnvironment("prod", "?page_size=2&page=2")
    assert.strictEqual(status, 200)
    const { _links: _, deployments, ...counters } = body as Record<string, unknown>
    assert.deepStrictEqual(counters, { page: 2, page_size: 2, total_pages: 2, total_count: 4 })
    assert.strictEqual((deployments as ReadonlyArray<object>).length, 2)
    const today = new Date().toISOString().slice(0, 10)
    const count = async (query: string) => shownBy(await ofEnvironment("prod", query)).length
    assert.strictEqual(await count(`?from=${today}`), 4)
    assert.strictEqual(await count(`?to=${today}`), 0)
    assert.strictEqual(await count("?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00%2B02:00"), 0)
    assert.strictEqual(await count("?from=2020-02-29"), 4)
    for (const bad of ["from=yesterday", "to=2026-02-30", "from=2026-01-01T25:00", "from=7"]) {
      const refused = await ofEnvironment("prod", `?${bad}`)
      assert.strictEqual(refused.status, 400, bad)
      assert.property((refused.body as { errors: object }).errors, `query.${bad.split("=")[0]}`)
    }
    assert.strictEqual((await ofEnvironment("prod", "?from=2026-01-02&to=2026-01-01")).status, 400)
    assert.strictEqual((await ofEnvironment("prod", "?page_size=100")).status, 200)
    assert.strictEqual((await ofEnvironment("prod", "?page_size=101")).status, 400)
    assert.strictEqual((await ofEnvironment("nowhere")).status, 404)
  })

  it("lists those of a repository, and their series", async () => {
    assert.deepStrictEqual(marks(shownBy(await ofRepo("team/shop"))), [
      "test b",
      "prod b",
      "prod a"
    ])
    assert.deepStrictEqual(
      marks(shownBy(await ofRepo("team/shop", "?env=prod&env=test&page=2&per_page=2"))),
      ["prod a"]
    )
    assert.deepStrictEqual(marks(shownBy(await ofRepo("team/web", "?env=test"))), [])
    assert.strictEqual((await ofRepo("team/shop", "?env=nowhere")).status, 404)
    assert.strictEqual((await ofRepo("team/shop", "?per_page=50")).status, 200)
    assert.strictEqual((await ofRepo("team/shop", "?per_page=51")).status, 400)
    const unknown = { repo: "00000000-0000-0000-0000-00000000" }
    const missing = await call("GET /repos/{org}/{repo}/deployments", { path: unknown })
    assert.strictEqual(missing.status, 404)
    const statistics = async (name: string, query = "") =>
      (
        await call("GET /repos/{org}/{repo}/deployment-statistics", {
          path: { repo: await idOf(name) },
          query
        })
      ).body as {
        environments: ReadonlyArray<Record<string, unknown>>
        start_ts: number
        end_ts: number
      }
    const shown = shownBy(await ofRepo("team/shop", "?env=prod")).reverse()
    const { environments, start_ts, end_ts } = await statistics("team/shop")
    assert.closeTo(end_ts - start_ts, 28 * 86_400, 0.001)
    assert.deepStrictEqual(
      environments.map(({ env_name }) => env_name),
      ["prod", "test"]
    )
    assert.deepStrictEqual(environments[0], {
      env_name: "prod",
      deployed_at: shown.map(({ deployed_at }) => deployed_at),
      lead_time_seconds: shown.map(({ lead_time_seconds }) => lead_time_seconds)
    })
    assert.deepStrictEqual(await statistics("team/shop", "?start_ts=1&end_ts=2"), {
      start_ts: 1,
      end_ts: 2,
      environments: ["prod", "test"].map((env_name) => ({
        env_name,
        deployed_at: [],
        lead_time_seconds: []
      }))
    })
    const asked = await statistics("team/web", "?env=test")
    assert.deepStrictEqual(asked.environments, [
      { env_name: "test", deployed_at: [], lead_time_seconds: [] }
    ])
  })

  it("lists what of a repository runs now, by environment", async () => {
    const { status, body } = await live("team/shop")
    assert.strictEqual(status, 200)
    const { live_artifacts, _embedded } = body as {
      live_artifacts: ReadonlyArray<Record<string, unknown>>
      _embedded: Record<string, ReadonlyArray<Record<string, unknown>>>
    }
    assert.deepStrictEqual(live_artifacts, [
      {
        fingerprint: print("b"),
        artifact_name: "shop",
        environment_name: "prod",
        snapshot_index: 2,
        flow_name: "shop",
        trail_name: "t2",
        git_commit: c2,
        compliant: false,
        started_at: 100
      },
      { ...live_artifacts[0], environment_name: "test", snapshot_index: 1 }
    ])
    assert.deepStrictEqual(
      _embedded.environments?.map(({ html_url: _, ...environment }) => environment),
      [
        { name: "prod", type: "server", state: null, snapshot_index: 2 },
        { name: "test", type: "server", state: null, snapshot_index: 1 }
      ]
    )
    assert.deepStrictEqual(
      _embedded.artifacts?.map(({ html_url: _, ...record }) => record),
      [
        {
          fingerprint: print("b"),
          name: "app.tar",
          flow_name: "shop",
          git_commit: c2,
          git_commit_info: null,
          commit_url: "https://git.example.org/1"
        }
      ]
    )
    assert.strictEqual((await live("team/none")).status, 404)
    assert.strictEqual((await live("team/shop", "?provider=gitlab")).status, 404)
    assert.deepStrictEqual((await call("GET /repos/{org}/live-artifacts/team/shop")).body, body)
    const byId = await live("any/thing", `?id=${await idOf("team/web")}`)
    assert.strictEqual(
      (byId.body as { live_artifacts: ReadonlyArray<object> }).live_artifacts.length,
      1
    )
    const verdictsOf = async (query?: string) => {
      const shown = (await live("team/shop", query)).body as {
        live_artifacts: ReadonlyArray<{ readonly verdict?: string }>
      }
      return [...new Set(shown.live_artifacts.map(({ verdict }) => verdict))]
    }
    assert.deepStrictEqual(await verdictsOf(), [undefined])
    assert.deepStrictEqual(await verdictsOf("?include=verdict"), ["Unknown"])
    assert.strictEqual((await live("team/shop", "?include=nothing")).status, 400)
    await report("prod", { other: print("d") })
    await report("test", { other: print("d") })
    assert.deepStrictEqual((await live("team/shop")).body, {
      live_artifacts: [],
      _embedded: { environments: [], artifacts: [] }
    })
  })

  it("has neither deployments nor live artifacts of archived environments", async () => {
    await report("test", { shop: print("b") })
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "test" } })
    assert.deepStrictEqual(marks(shownBy(await ofRepo("team/shop"))), ["prod b", "prod a"])
    assert.deepInclude((await live("team/shop")).body as object, { live_artifacts: [] })
    assert.strictEqual((await newest("test", "b")).status, 404)
  })
})
