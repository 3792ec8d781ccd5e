/** Snapshots in short, and single rows, on the wire: the same as the whole snapshot says. */
import type { SnapshotResponse, SnapshotRowsResponse } from "@attestry/api/SnapshotApi"
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

type Whole = typeof SnapshotResponse.Encoded
type Short = typeof SnapshotRowsResponse.Encoded

const print = (letter: string) => letter.repeat(64)

const POLICY = (rules: string) =>
  `_schema: https://attestry.example.com/schemas/policy/v1\nartifacts:\n${rules}`

const KNOWN = POLICY("  provenance:\n    required: true\n")
const SCANNED = POLICY(
  "  attestations:\n    - name: scan\n      type: generic\n    - name: '*'\n      type: junit\n"
)

onBothStores("GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows", ({ call }) => {
  const at = (env_name: string, snapshot_expression: string) => ({ env_name, snapshot_expression })
  const rows = (query = "", path = at("prod", "-1")) =>
    call("GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows", { path, query })
  const short = async (query = "", path = at("prod", "-1")) =>
    (await rows(query, path)).body as Short
  const row = (query: Record<string, string>, path = at("prod", "-1")) =>
    call("GET /snapshots/{org}/{env_name}/{snapshot_expression}/row", {
      path,
      query: `?${new URLSearchParams(query)}`
    })
  const whole = async (path = at("prod", "-1")) =>
    (await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", { path })).body as Whole
  const names = async (query: string) => (await short(query)).rows.map(({ name }) => name).sort()
  const report = (env_name: string, digests: Record<string, string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: Object.entries(digests).map(([name, fingerprint]) => ({
          digests: { [name]: fingerprint },
          creationTimestamp: 1_777_550_805
        }))
      }
    })
  const build = (letter: string) =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: "shop" },
      body: {
        fingerprint: print(letter),
        filename: `shop:${letter}`,
        build_url: "https://ci.test/1",
        commit_url: `https://git.test/shop/commit/${letter}`,
        git_commit: letter.repeat(40),
        repo_info: { id: "1", name: "shop", url: "https://git.test/shop" },
        trail_name: `run-${letter}`,
        template_reference_name: "app"
      }
    })

  const prepare = async () => {
    for (const [name, policy_yaml] of [
      ["known", KNOWN],
      ["scanned", SCANNED]
    ])
      await call("PUT /policies/{org}", { body: { name, policy_yaml } })
    const body = { name: "prod", type: "server", policies: ["known", "scanned"] }
    await call("PUT /environments/{org}", { body })
    await call("PUT /environments/{org}", { body: { name: "free", type: "server" } })
    for (const letter of ["a", "b"]) await build(letter)
    await call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name: "prod" },
      body: { artifact_fingerprint: print("d"), artifact_name: "probe", description: "known" }
    })
    await report("prod", { "shop:a": print("a"), "redis:7": print("c"), probe: print("d") })
    await report("prod", { "shop:b": print("b"), "redis:7": print("c"), probe: print("d") })
    await report("free", { "shop:b": print("b"), "redis:7": print("c") })
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", included_environments: ["prod", "free"] }
    })
  }

  /** Rows, counts and failed rules of the whole snapshot, in the words of the short one. */
  const agrees = async (path: ReturnType<typeof at>) => {
    const [long, brief] = [await whole(path), await short("?per_page=5000", path)]
    assert.deepStrictEqual(
      brief.rows.map(({ name, fingerprint, annotation, verdict, environment }) => ({
        name,
        fingerprint,
        annotation,
        compliant: verdict === "Compliant",
        environment
      })),
      long.artifacts.map(({ name, fingerprint, annotation, compliant, environment }) => ({
        name,
        fingerprint,
        annotation,
        compliant,
        environment
      }))
    )
    for (const [position, artifact] of long.artifacts.entries()) {
      const found = brief.rows[position]
      const failed = (found?.failing ?? []).map((number) => {
        const rule = brief.rules[number]
        return `${rule?.policy_name} ${rule?.policy_version} ${rule?.rule_index}`
      })
      const reasons = artifact.reasons_for_incompliance.map(
        ({ policy_name, policy_version, rule_index }) =>
          `${policy_name} ${policy_version} ${rule_index}`
      )
      assert.deepStrictEqual(failed, [...new Set(reasons)], artifact.name)
      assert.deepInclude(found as object, {
        instances: artifact.creationTimestamp.length,
        started_at: artifact.creationTimestamp[0] ?? null,
        flow_name: artifact.flow_name,
        git_commit: artifact.git_commit?.slice(0, 7) ?? null,
        trail_name: artifact.flows[0]?.trail_name ?? null,
        template_reference_name: artifact.flows[0]?.template_reference_name ?? null
      })
    }
    for (const [number, rule] of brief.rules.entries())
      assert.strictEqual(
        rule.rows_failing,
        brief.rows.filter(
          ({ failing, annotation }) => annotation.type !== "exited" && failing.includes(number)
        ).length
      )
    assert.deepStrictEqual(brief.artifact_compliance_count, long.artifact_compliance_count)
    assert.strictEqual(brief.html_url, long.html_url)
    return brief
  }

  it("says in short what the whole snapshot says", async () => {
    await prepare()
    const { length } = (
      await call("GET /snapshots/{org}/{env_name}", { path: { env_name: "prod" } })
    ).body as Array<unknown>
    for (let index = 1; index <= length; index += 1) await agrees(at("prod", String(index)))
    await agrees(at("free", "-1"))
    const latest = await short("?per_page=5000")
    assert.deepStrictEqual(
      latest.rules.map(({ policy_name, rule_index, type, rows_failing, reasons }) => [
        policy_name,
        rule_index,
        type,
        rows_failing,
        reasons
      ]),
      [
        ["known", 0, "provenance", 1, [{ type: "missing_provenance", rows: 1 }]],
        ["scanned", 2, "attestation", 2, [{ type: "missing_attestation", rows: 2 }]],
        ["scanned", 3, "attestation", 2, [{ type: "missing_attestation", rows: 2 }]]
      ]
    )
    assert.deepStrictEqual(latest.policies, [
      { name: "known", version: 1, rows_failing: 1 },
      { name: "scanned", version: 1, rows_failing: 2 }
    ])
    assert.deepInclude(latest as object, {
      verdict: "NonCompliant",
      exited_count: 1,
      members: null
    })
    const probe = latest.rows.find(({ name }) => name === "probe")
    assert.deepInclude(probe as object, { verdict: "Compliant", is_allowed: true, failing: [] })
  })

  it("keeps rows that no policy evaluated apart from those that are not compliant", async () => {
    const free = await short("", at("free", "-1"))
    assert.strictEqual(free.verdict, "Unknown")
    assert.deepStrictEqual(
      free.rows.map(({ verdict, is_allowed }) => [verdict, is_allowed]),
      [
        ["Unknown", false],
        ["Unknown", false]
      ]
    )
    assert.deepStrictEqual([free.policies, free.rules], [[], []])
  })

  it("lists the rows and the verdicts of the members of a logical environment", async () => {
    const all = await agrees(at("all", "-1"))
    assert.deepStrictEqual(
      all.members?.map(({ environment, verdict }) => [environment, verdict]).sort(),
      [
        ["free", "Unknown"],
        ["prod", "NonCompliant"]
      ]
    )
    assert.deepStrictEqual([...new Set(all.rows.map(({ environment }) => environment))].sort(), [
      "free",
      "prod"
    ])
  })

  it("filters by text, verdict, rule and flow, and counts what is left", async () => {
    assert.deepStrictEqual(await names("?search=SHOP:"), ["shop:a", "shop:b"])
    assert.deepStrictEqual(await names(`?search=${"c".repeat(8)}`), ["redis:7"])
    assert.deepStrictEqual(await names("?search=run-b"), ["shop:b"])
    assert.deepStrictEqual(await names(`?search=${"b".repeat(40)}`), ["shop:b"])
    assert.deepStrictEqual(await names("?verdict=Compliant"), ["probe"])
    assert.deepStrictEqual(await names("?verdict=Unknown"), [])
    assert.deepStrictEqual(await names("?rule=known.0"), ["redis:7"])
    assert.deepStrictEqual(await names("?rule=known.error"), [])
    assert.deepStrictEqual(await names("?rule=nothing.0"), [])
    assert.deepStrictEqual(await names("?flow_name=shop"), ["shop:a", "shop:b"])
    assert.deepStrictEqual(await names("?flow_name=no+provenance&search=redis"), ["redis:7"])
    const page = await short("?per_page=1&page=2&search=shop:")
    assert.deepInclude(page as object, { page: 2, per_page: 1, total_pages: 2, total_count: 2 })
    assert.lengthOf(page.rows, 1)
    const head = await short("?per_page=0")
    assert.deepInclude(head as object, { rows: [], per_page: 0, total_pages: 0, total_count: 4 })
    assert.lengthOf(head.rules, 3)
  })

  it("answers pages that are parts of the whole, each with everything beside the rows", async () => {
    for (const path of [at("prod", "-1"), at("prod", "2"), at("all", "-1")]) {
      const partsOf = ({ rows: found, page: _, per_page, total_pages, ...told }: Short) => ({
        found,
        told
      })
      const all = partsOf(await short("?per_page=5000", path))
      const pages: Array<ReturnType<typeof partsOf>> = []
      for (let page = 1; page <= all.found.length; page += 1)
        pages.push(partsOf(await short(`?per_page=1&page=${page}`, path)))
      assert.deepStrictEqual<unknown>(
        pages.flatMap(({ found }) => found),
        all.found
      )
      for (const { told } of pages) assert.deepStrictEqual<unknown>(told, all.told)
    }
  })

  it("refuses malformed questions, and snapshots that do not exist", async () => {
    for (const query of [
      "?per_page=5001",
      "?per_page=-1",
      "?page=0",
      "?verdict=red",
      "?rule=known"
    ])
      assert.strictEqual((await rows(query)).status, 400, query)
    assert.strictEqual((await rows("?per_page=5000")).status, 200)
    const missing = await rows("", at("prod", "#42"))
    assert.strictEqual(missing.status, 404)
    assert.include((missing.body as { message: string }).message, "Snapshot 'prod#42' resolves to")
    assert.strictEqual((await rows("", at("prod", "latest"))).status, 400)
    assert.strictEqual((await rows("", at("nowhere", "-1"))).status, 404)
  })

  it("answers one row as the whole snapshot has it", async () => {
    for (const path of [at("prod", "-1"), at("all", "-1"), at("prod", "2")])
      for (const artifact of (await whole(path)).artifacts) {
        const { name, fingerprint, environment } = artifact
        const query = { name, fingerprint, ...(environment === undefined ? {} : { environment }) }
        const { status, body } = await row(query, path)
        const { verdict, is_allowed, ...rest } = body as Short["rows"][number]
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(rest as object, artifact)
        assert.strictEqual(verdict === "Compliant", artifact.compliant)
        assert.strictEqual(is_allowed, name === "probe" && environment !== "free")
      }
  })

  it("says which row is missing", async () => {
    const { status, body } = await row({ name: "nothing", fingerprint: print("a") })
    assert.strictEqual(status, 404)
    assert.include((body as { message: string }).message, "has no row")
    assert.strictEqual((await row({ name: "shop:a" })).status, 400)
    assert.strictEqual((await row({ name: "shop:a", fingerprint: "a" })).status, 400)
  })
})
