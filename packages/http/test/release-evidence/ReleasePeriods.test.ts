/** Releases of archived environments, waived results, the limit of a selection, and numbers again by a capsule. */
import { RELEASES_MAX } from "@attestry/core/ReleaseEvidence"
import { assert, beforeAll, it } from "vitest"
import { fileOf, host, reportOf } from "../capsule/CapsuleWorld.js"
import { evidenceOf } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const COMMIT = "c1".repeat(20)

const POLICY = `_schema: https://example.org/policy/v1
artifacts:
  attestations: [{type: generic, name: scan}]
`

interface Shown {
  readonly total_count: number
  readonly totals: { readonly releases: number; readonly complete: number }
  readonly requirements: ReadonlyArray<{ readonly key: string; readonly waived: number }>
  readonly releases: ReadonlyArray<{
    readonly artifact_name: string
    readonly environment: string
    readonly snapshot_index: number
    readonly fingerprint: string
    readonly verdict: string
    readonly deployed_at: number
    readonly results: ReadonlyArray<{
      readonly state: string
      readonly waivers: ReadonlyArray<number>
    }>
  }>
}

onBothStores(
  "periods of release evidence",
  (server) => {
    const { call } = server
    const evidence = evidenceOf(server, "shop")
    const put = async (operation: string, path: object, body: unknown) => {
      const answer = await call(operation, { path: { ...path }, body })
      assert.isBelow(answer.status, 300, `${operation}: ${JSON.stringify(answer.body)}`)
      return answer
    }
    const list = (query = "") => call("GET /release-evidence/{org}", { query })
    const shown = async (query = ""): Promise<Shown> => {
      const { body, status } = await list(query)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as Shown
    }
    const report = (env_name: string, artifacts: ReadonlyArray<readonly [string, string]>) =>
      put(
        "PUT /environments/{org}/{env_name}/report/server",
        { env_name },
        {
          artifacts: artifacts.map(([name, fingerprint]) => ({
            digests: { [name]: fingerprint },
            creationTimestamp: 7
          }))
        }
      )

    beforeAll(async () => {
      await evidence.putFlow(`version: 1
trail:
  artifacts:
    - name: app
      attestations: [{name: scan, type: generic}]
`)
      await put("PUT /policies/{org}/{name}", { name: "gate" }, { policy_yaml: POLICY })
      for (const name of ["prod", "old"])
        await put("PUT /environments/{org}", {}, { name, type: "server", policies: ["gate"] })
      for (const [trail, letter] of [
        ["good", "a"],
        ["bad", "b"]
      ] as const)
        await evidence.artifact(trail, "app", print(letter), COMMIT)
      await evidence.generic("good", "scan", true, { artifact_fingerprint: print("a") })
      const asked = await call("POST /waivers/{org}", {
        body: {
          policy_name: "gate",
          artifact_fingerprint: print("b"),
          reason: "known",
          owner: "max",
          expires_at: Math.floor(Date.now() / 1_000) + 86_400
        },
        as: "member"
      })
      assert.strictEqual(asked.status, 201, JSON.stringify(asked.body))
      const { number } = asked.body as { readonly number: number }
      await put("POST /waivers/{org}/{number}/approve", { number: String(number) }, undefined)
      await report("old", [["good", print("a")]])
      await report("prod", [["good", print("a")]])
      await report("prod", [
        ["good", print("a")],
        ["bad", print("b")]
      ])
    }, 60_000)

    it("RE-5: shows a waived result with its waiver, which counts as complete", async () => {
      const found = await shown("?policy=gate&environment=prod")
      const bad = found.releases.find(({ artifact_name }) => artifact_name === "bad")
      assert.deepStrictEqual(
        bad?.results.map(({ state, waivers }) => [state, waivers.length]),
        [["waived", 1]]
      )
      assert.deepInclude(found.totals, { releases: 2, complete: 2 })
      assert.deepInclude(found.requirements[0], { key: "rule:1", waived: 1 })
      // The template of the flow knows no waiver.
      const plain = await shown("?environment=prod")
      assert.deepInclude(plain.totals, { releases: 2, complete: 1 })
    })

    it("RE-6: has the numbers that a capsule of the same snapshots proves", async () => {
      const { releases } = await shown("?policy=gate")
      const file = await fileOf(server, {
        environments: [
          { name: "prod", from: "1", to: "-1" },
          { name: "old", from: "1", to: "-1" }
        ]
      })
      const { notProved, proved } = await reportOf(file)
      assert.deepStrictEqual(notProved, [])
      const verdicts = new Map(
        proved.flatMap((claim) =>
          claim.type === "snapshot" ? [[`${claim.environment}#${claim.index}`, claim] as const] : []
        )
      )
      for (const { deployed_at, environment, results, snapshot_index } of releases) {
        const claim = verdicts.get(`${environment}#${snapshot_index}`)
        const isGood = results.every(({ state }) => state !== "failed" && state !== "missing")
        assert.strictEqual(claim?.verdict, isGood ? "Compliant" : "NonCompliant")
        assert.strictEqual(claim?.at, Math.round(deployed_at * 1_000_000))
      }
      // Each release began in its snapshot, so the rows that are running are those of all releases so far.
      const running = (name: string) =>
        Math.max(...[...verdicts].flatMap(([at, { rows }]) => (at.startsWith(name) ? [rows] : [])))
      assert.strictEqual(running("prod") + running("old"), releases.length)
    })

    it("RE-7: counts an environment that lived in the period, and was archived since", async () => {
      const before = await shown()
      assert.strictEqual(before.total_count, 3)
      await put("PUT /environments/{org}/{env_name}/archive", { env_name: "old" }, {})
      const after = await shown()
      assert.deepStrictEqual(after.totals, before.totals)
      assert.deepStrictEqual(
        after.releases.map(({ fingerprint, snapshot_index }) => [fingerprint, snapshot_index]),
        before.releases.map(({ fingerprint, snapshot_index }) => [fingerprint, snapshot_index])
      )
      const { body } = await call("GET /release-evidence/{org}/csv")
      assert.strictEqual(
        String(body).split("\r\n").length,
        2 + before.releases.reduce((sum, { results }) => sum + Math.max(1, results.length), 0)
      )
      // A period that begins after its end has nothing of it.
      const later = new Date(Date.now() + 2_000).toISOString()
      await new Promise((wait) => setTimeout(wait, 2_100))
      assert.strictEqual((await shown(`?from=${later}`)).total_count, 0)
    })
  },
  { services: host }
)

onBothStores("the limit of release evidence", ({ call }) => {
  const report = async (count: number) => {
    const { body, status } = await call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "large" },
      body: {
        artifacts: Array.from({ length: count }, (_, at) => ({
          digests: { [`app-${at}`]: at.toString(16).padStart(64, "0") },
          creationTimestamp: 7
        }))
      }
    })
    assert.isBelow(status, 300, JSON.stringify(body))
  }
  const ask = (operation: string) => call(operation, { query: "?per_page=1" })

  it("RE-4: has as many releases as the limit, and beyond it the file alone", async () => {
    await call("PUT /environments/{org}", { body: { name: "large", type: "server" } })
    await report(RELEASES_MAX)
    const full = await ask("GET /release-evidence/{org}")
    assert.strictEqual(full.status, 200, JSON.stringify(full.body))
    assert.deepInclude(full.body, { total_count: RELEASES_MAX })
    await report(RELEASES_MAX + 1)
    const refused = await ask("GET /release-evidence/{org}")
    assert.strictEqual(refused.status, 400)
    const file = await call("GET /release-evidence/{org}/csv")
    assert.strictEqual(file.status, 200)
    assert.lengthOf(String(file.body).split("\r\n"), RELEASES_MAX + 3)
  }, 120_000)
})
