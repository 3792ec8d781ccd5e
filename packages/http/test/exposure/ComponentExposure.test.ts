/** Components of artifacts, and where they ran, on the wire: from evidence files to environments. */
import { createHash } from "node:crypto"
import { assert, it } from "vitest"
import { fileOf, type PlainLine } from "../evidence/PlainReader.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (name: string) => createHash("sha256").update(name).digest("hex")

interface Exposed {
  readonly environment: string
  readonly fingerprint: string
  readonly components?: ReadonlyArray<string>
  readonly vulnerability?: string
}

interface Answer {
  readonly exposures: ReadonlyArray<Exposed>
  readonly total_count: number
  readonly summary: { readonly without_sbom?: number }
}

interface Listed {
  readonly components: ReadonlyArray<{
    readonly purl: string
    readonly artifacts: number
    readonly running_in: ReadonlyArray<string>
  }>
}

const [OLD, NEW, BARE, LATE] = [print("old"), print("new"), print("bare"), print("late")]
const LODASH_OLD = "pkg:npm/lodash@4.17.20"
const LODASH_NEW = "pkg:npm/lodash@4.17.21"
const BASE = "pkg:oci/debian@sha256%3Aaa"

onEveryStore("components and exposure", ({ call }) => {
  const report = (flow_name: string, fingerprint: string) =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name },
      body: {
        fingerprint,
        filename: "shop.tar",
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        git_commit: "1".repeat(40),
        trail_name: `run-${fingerprint.slice(0, 8)}`,
        template_reference_name: "app"
      }
    })
  const submit = async (line: PlainLine) => {
    const { body, status } = await call("POST /evidence/{org}", {
      raw: fileOf(line),
      as: "member"
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
  }
  const run = (env_name: string, ...prints: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: prints.map((fingerprint) => ({
          digests: { [`app-${fingerprint.slice(0, 8)}`]: fingerprint },
          creationTimestamp: 1
        }))
      }
    })
  const ask = (path: "exposure" | "components", query: Record<string, string>) =>
    call(`GET /${path}/{org}`, { query: `?${new URLSearchParams(query)}` })
  const where = async (query: Record<string, string>): Promise<Answer> => {
    const { body, status } = await ask("exposure", query)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Answer
  }
  const places = ({ exposures }: Answer) =>
    exposures
      .map(({ components, environment, fingerprint }) =>
        [environment, fingerprint.slice(0, 4), ...(components ?? [])].join(" ")
      )
      .sort()
  const list = async (query: Record<string, string>) => {
    const { body, status } = await ask("components", query)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Listed).components.map(
      ({ artifacts, purl, running_in }) => `${purl} ${artifacts} ${running_in.join("+")}`
    )
  }

  it("fills the org: bills of materials before and after their artifacts, a scan, and runs", async () => {
    for (const name of ["comp-1", "comp-2"])
      await call("PUT /environments/{org}", { body: { name, type: "server" } })
    for (const fingerprint of [OLD, NEW, BARE]) await report("components", fingerprint)
    await submit({ subjects: [{ sha256: OLD }], purls: [LODASH_OLD, BASE] })
    await submit({ subjects: [{ sha256: NEW }], purls: [LODASH_NEW, "pkg:deb/debian/libc6@2.36"] })
    await submit({ subjects: [{ sha256: LATE }], purls: [LODASH_OLD, BASE] })
    await submit({
      kind: "scan",
      subjects: [{ sha256: OLD }],
      findings: [
        { id: "CVE-2026-1", purl: LODASH_OLD, severity: "high" },
        { id: "CVE-2026-1", purl: LODASH_OLD, severity: "critical" },
        { id: "CVE-2026-1", purl: null, severity: "low" },
        { id: "CVE-2026-2", purl: "pkg:npm/nothing-has-it@1.0.0", severity: "low" }
      ]
    })
    await run("comp-1", OLD, BARE)
    await run("comp-2", OLD, NEW)
    await run("comp-2", NEW)
  })

  it("finds where a package ran, in a version, in all, and in a range", async () => {
    const [o, n] = [OLD.slice(0, 4), NEW.slice(0, 4)]
    const old = [`comp-1 ${o} ${LODASH_OLD}`, `comp-2 ${o} ${LODASH_OLD}`]
    assert.deepStrictEqual(places(await where({ purl: LODASH_OLD })), old)
    const all = [...old, `comp-2 ${n} ${LODASH_NEW}`].sort()
    assert.deepStrictEqual(places(await where({ purl: "pkg:npm/Lodash" })), all)
    const ranged = { purl: "pkg:npm/lodash?arch=x", versions: "<4.17.21" }
    assert.deepStrictEqual(places(await where(ranged)), old)
    assert.deepStrictEqual(places(await where({ ...ranged, versions: ">4.17.21" })), [])
    assert.deepStrictEqual(places(await where({ ...ranged, running: "true" })), old.slice(0, 1))
    assert.deepStrictEqual(places(await where({ purl: BASE, environment: "comp-2" })), [
      `comp-2 ${o} ${BASE}`
    ])
    assert.deepStrictEqual(places(await where({ purl: "pkg:npm/lodas" })), [])
  })

  it("finds where a vulnerability ran, in artifacts that were not scanned too", async () => {
    await report("components", LATE)
    await run("comp-2", NEW, LATE)
    const found = await where({ vulnerability: "CVE-2026-1" })
    const [o, l] = [OLD.slice(0, 4), LATE.slice(0, 4)]
    assert.deepStrictEqual(
      places(found),
      [`comp-1 ${o}`, `comp-2 ${o}`, `comp-2 ${l}`].map((each) => `${each} ${LODASH_OLD}`).sort()
    )
    assert.deepStrictEqual(
      found.exposures.map(({ vulnerability }) => vulnerability),
      ["CVE-2026-1", "CVE-2026-1", "CVE-2026-1"]
    )
    assert.deepStrictEqual(places(await where({ vulnerability: "CVE-2026-2" })), [])
    assert.deepStrictEqual(places(await where({ vulnerability: "CVE-2026-3" })), [])
  })

  it("counts what ran without a bill of materials in the asked times and environments", async () => {
    const blind = async (query: Record<string, string>) => (await where(query)).summary.without_sbom
    assert.strictEqual(await blind({ purl: "pkg:npm/lodash" }), 1)
    assert.strictEqual(await blind({ vulnerability: "CVE-2026-3", running: "true" }), 1)
    assert.strictEqual(await blind({ purl: "pkg:npm/lodash", environment: "comp-2" }), 0)
    const { exposures, summary } = await where({ fingerprint: OLD })
    assert.isFalse("without_sbom" in summary)
    assert.isFalse(exposures.some((each) => "components" in each || "vulnerability" in each))
  })

  it("lists components by package, name and artifact", async () => {
    assert.deepStrictEqual(await list({ purl: "pkg:npm/lodash" }), [
      `${LODASH_OLD} 2 comp-1+comp-2`,
      `${LODASH_NEW} 1 comp-2`
    ])
    assert.deepStrictEqual(await list({ purl: LODASH_NEW }), [`${LODASH_NEW} 1 comp-2`])
    assert.deepStrictEqual(await list({ search: "debian/li" }), [
      "pkg:deb/debian/libc6@2.36 1 comp-2"
    ])
    assert.deepStrictEqual(await list({ search: "nothing" }), ["pkg:npm/nothing-has-it@1.0.0 0 "])
    assert.deepStrictEqual(await list({ fingerprint: OLD }), [
      `${BASE} 2 comp-1+comp-2`,
      `${LODASH_OLD} 2 comp-1+comp-2`
    ])
    assert.deepStrictEqual(await list({ fingerprint: BARE }), [])
    assert.deepStrictEqual(await list({ search: "lodash", per_page: "1", page: "2" }), [
      `${LODASH_NEW} 1 comp-2`
    ])
  })

  it("refuses texts that are no purl, no range, too short, or do not go together", async () => {
    const long = `pkg:npm/${"a".repeat(1_024 - 8)}`
    assert.strictEqual((await ask("components", { purl: long })).status, 200)
    for (const [path, query] of [
      ["components", { purl: `${long}a` }],
      ["components", { purl: "lodash" }],
      ["components", { purl: "pkg:npm/%zz" }],
      ["components", { purl: "pkg:npm/a%00" }],
      ["components", { search: "lo" }],
      ["components", { search: "l".repeat(257) }],
      ["exposure", { purl: "lodash" }],
      ["exposure", { purl: "pkg:npm/lodash", versions: "<" }],
      ["exposure", { purl: LODASH_OLD, versions: "<4" }],
      ["exposure", { vulnerability: "CVE-2026-1", versions: "<4" }],
      ["exposure", { vulnerability: "C".repeat(257) }],
      ["exposure", { vulnerability: "" }],
      ["exposure", { vulnerability: "CVE-2026-1", purl: LODASH_OLD }]
    ] as const)
      assert.strictEqual((await ask(path, query)).status, 400, JSON.stringify(query))
  })
})
