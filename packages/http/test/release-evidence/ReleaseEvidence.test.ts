/** The evidence of releases on the wire: what was required of each, as it was known then. RE-1 to RE-3 */
import * as ReleaseEvidenceCsv from "@attestry/core/ReleaseEvidenceCsv"
import { assert, beforeAll, it } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const COMMIT = "c1".repeat(20)

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: generic}]
  artifacts:
    - name: app
      attestations: [{name: tests, type: junit}, {name: scan, type: generic}]
`

const POLICY = `_schema: https://example.org/policy/v1
artifacts:
  provenance: {required: true}
  attestations: [{type: generic, name: scan}]
`

interface Shown {
  readonly total_count: number
  readonly policy: { readonly name: string; readonly version: number } | null
  readonly totals: object
  readonly requirements: ReadonlyArray<{
    readonly key: string
    readonly met: number
    readonly overridden: number
    readonly failed: number
    readonly missing: number
  }>
  readonly releases: ReadonlyArray<{
    readonly artifact_name: string
    readonly deployed_at: number
    readonly trail_name: string | null
    readonly verdict: string
    readonly results: ReadonlyArray<{
      readonly requirement: string
      readonly state: string
      readonly attestations: ReadonlyArray<{
        readonly attestation_id: string
        readonly created_by: string
        readonly log_entry: string | null
      }>
    }>
  }>
}

onEveryStore("GET /release-evidence/{org}", (server) => {
  const { call } = server
  const evidence = evidenceOf(server, "shop")

  const list = (query = "") => call("GET /release-evidence/{org}", { query })
  const shown = async (query = ""): Promise<Shown> => {
    const { body, status } = await list(query)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Shown
  }
  const csv = async (query = ""): Promise<ReadonlyArray<string>> => {
    const { body, status } = await call("GET /release-evidence/{org}/csv", { query })
    assert.strictEqual(status, 200)
    return String(body)
      .split("\r\n")
      .filter((line) => line !== "")
  }
  const report = (artifacts: ReadonlyArray<readonly [name: string, fingerprint: string]>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: {
        artifacts: artifacts.map(([name, fingerprint]) => ({
          digests: { [name]: fingerprint },
          creationTimestamp: 7
        }))
      }
    })
  const statesOf = ({ releases }: Shown) =>
    releases.map(({ artifact_name, results }) => [
      artifact_name,
      Object.fromEntries(results.map(({ requirement, state }) => [requirement, state]))
    ])
  const about = (letter: string) => ({ artifact_fingerprint: print(letter) })

  beforeAll(async () => {
    await evidence.putFlow(TEMPLATE)
    await call("PUT /policies/{org}/{name}", {
      path: { name: "gate" },
      body: { policy_yaml: POLICY }
    })
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (const [trail, letter] of [
      ["whole", "a"],
      ["partial", "b"]
    ] as const)
      await evidence.artifact(trail, "app", print(letter), COMMIT)
    await evidence.generic("whole", "review", true)
    await evidence.attest("whole", "junit", {
      attestation_name: "tests",
      ...about("a"),
      junit_results: [{ name: "unit", failures: 0, errors: 0, skipped: 0, total: 1, duration: 0.5 }]
    })
    await evidence.generic("whole", "scan", false, about("a"))
    await evidence.attest("whole", "override", {
      attestation_name: "scan",
      ...about("a"),
      reason: "seen by hand",
      new_compliance_status: true,
      original_attestation_type: "generic"
    })
    await evidence.generic("partial", "scan", false, about("b"))
    await report([["whole", print("a")]])
    await report([
      ["whole", print("a")],
      ["partial", print("b")],
      ["stranger", print("d")]
    ])
    // WHY after the report: what is late must not count.
    await evidence.generic("partial", "review", true)
    await evidence.generic("partial", "scan", true, about("b"))
  })

  it("RE-1: shows what the template required of each release, as it was known then", async () => {
    const found = await shown()
    assert.deepStrictEqual(Object.fromEntries(statesOf(found)), {
      whole: {
        "trail:review:generic": "met",
        "artifact:tests:junit": "met",
        "artifact:scan:generic": "overridden"
      },
      partial: {
        "trail:review:generic": "missing",
        "artifact:tests:junit": "missing",
        "artifact:scan:generic": "failed"
      },
      stranger: {}
    })
    assert.deepStrictEqual(found.totals, { releases: 3, complete: 1, without_requirements: 1 })
    assert.deepStrictEqual(
      found.requirements.map(({ failed, key, met, missing, overridden }) => [
        key,
        [met, overridden, failed, missing]
      ]),
      [
        ["trail:review:generic", [1, 0, 0, 1]],
        ["artifact:scan:generic", [0, 1, 1, 0]],
        ["artifact:tests:junit", [1, 0, 0, 1]]
      ]
    )
    assert.isNull(found.policy)
  })

  it("names who gave each attestation, and the entry of the log that proves it", async () => {
    const { releases } = await shown()
    const whole = releases.find(({ artifact_name }) => artifact_name === "whole")
    assert.strictEqual(whole?.trail_name, "whole")
    for (const { attestations } of whole?.results ?? []) {
      const [given] = attestations
      assert.isNotEmpty(given?.created_by)
      const { body } = await call("GET /log/{org}/entries", {
        query: `?attestation_id=${given?.attestation_id}`
      })
      assert.include(JSON.stringify(body), given?.log_entry ?? "none")
    }
  })

  it("RE-2: judges by a policy in the version of the end of the period", async () => {
    const found = await shown("?policy=gate&flow=shop")
    assert.deepStrictEqual(Object.fromEntries(statesOf(found)), {
      whole: { "rule:1": "met", "rule:2": "overridden" },
      partial: { "rule:1": "met", "rule:2": "failed" }
    })
    assert.deepStrictEqual(found.policy, { name: "gate", version: 1 })
    const all = await shown("?policy=gate")
    assert.deepInclude(Object.fromEntries(statesOf(all)), {
      stranger: { "rule:1": "missing", "rule:2": "missing" }
    })
    assert.strictEqual((await list("?policy=gate&to=2000-01-01")).status, 404)
    assert.strictEqual((await list("?policy=nothing")).status, 404)
  })

  it("RE-3: has the same releases in every page size, and in the file", async () => {
    const whole = await shown("?per_page=50")
    const parts = await Promise.all([1, 2, 3].map((page) => shown(`?per_page=1&page=${page}`)))
    assert.deepStrictEqual(
      parts.flatMap(({ releases }) => releases),
      whole.releases
    )
    for (const { requirements, totals } of parts)
      assert.deepStrictEqual([requirements, totals], [whole.requirements, whole.totals])
    const [header, ...lines] = await csv()
    assert.strictEqual(`${header}\r\n`, ReleaseEvidenceCsv.header)
    const cells = lines.map((line) => line.split(","))
    const at = (name: (typeof ReleaseEvidenceCsv.COLUMNS)[number]) =>
      ReleaseEvidenceCsv.COLUMNS.indexOf(name)
    assert.deepStrictEqual(
      cells.map((line) => [line[at("artifact_name")], line[at("state")], line[at("log_entries")]]),
      whole.releases.flatMap(({ artifact_name, results }) =>
        results.length === 0
          ? [[artifact_name, "", ""]]
          : results.map(({ attestations, state }) => [
              artifact_name,
              state,
              attestations.map(({ log_entry }) => log_entry).join(";")
            ])
      )
    )
  })

  it("filters by environment, flow and period, and refuses what is too long", async () => {
    assert.strictEqual((await shown("?environment=prod")).total_count, 3)
    assert.strictEqual((await shown("?flow=shop")).total_count, 2)
    assert.strictEqual((await shown("?to=2020-01-01")).total_count, 0)
    assert.strictEqual((await list("?environment=nowhere")).status, 404)
    assert.strictEqual((await list("?flow=nowhere")).status, 404)
    assert.strictEqual((await list("?from=2020-01-02&to=2020-01-01")).status, 400)
    assert.strictEqual((await list("?from=2020-01-01&to=2021-02-04")).status, 200)
    const { body, status } = await list("?from=2020-01-01&to=2021-02-05T00:00:01Z")
    assert.strictEqual(status, 400)
    assert.hasAllKeys((body as { readonly errors: object }).errors, ["query.from"])
  })
})
