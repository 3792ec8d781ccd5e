/** Where a fingerprint ran, on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Run {
  readonly environment: string
  readonly name: string
  readonly first_index: number
  readonly started_at: number
  readonly last_index: number | null
  readonly ended_at: number | null
  readonly verdict: string
}

const POLICY = "_schema: https://example.org/v1\nartifacts:\n  provenance:\n    required: true\n"

onEveryStore("GET /runs/{org}/{fingerprint}", (server) => {
  const { call } = server
  const put = (name: string, more = {}) =>
    call("PUT /environments/{org}", { body: { name, type: "server", ...more } })
  const report = (env_name: string, ...rows: ReadonlyArray<readonly [string, string]>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: rows.map(([name, letter]) => ({
          digests: { [name]: print(letter) },
          creationTimestamp: 1
        }))
      }
    })
  const page = async (letter: string, query = "") => {
    const { status, body } = await call("GET /runs/{org}/{fingerprint}", {
      path: { fingerprint: print(letter) },
      query
    })
    assert.strictEqual(status, 200)
    return body as { readonly runs: ReadonlyArray<Run>; readonly total_count: number }
  }
  const shown = ({ runs }: { readonly runs: ReadonlyArray<Run> }) =>
    runs.map(
      ({ environment, name, first_index, last_index, verdict }) =>
        `${environment} ${name} ${first_index}-${last_index ?? ""} ${verdict}`
    )

  it("has every run of a fingerprint that no flow knows, oldest first unless asked", async () => {
    await call("PUT /policies/{org}", { body: { name: "runs", policy_file: POLICY } })
    await put("run-1", { policies: ["runs"] })
    await put("run-2")
    await report("run-1", ["app", "1"])
    await report("run-1", ["app", "2"])
    await report("run-2", ["there", "1"])
    await report("run-1", ["again", "1"], ["app", "1"])
    const expected = [
      "run-1 app 1-1 NonCompliant",
      "run-2 there 1- Unknown",
      "run-1 again 3- NonCompliant"
    ]
    const found = await page("1")
    assert.deepStrictEqual(shown(found), expected)
    assert.deepStrictEqual(shown(await page("1", "?sort_direction=desc")), [...expected].reverse())
    for (const { started_at, ended_at, last_index } of found.runs) {
      assert.strictEqual(ended_at === null, last_index === null)
      if (ended_at !== null) assert.isAbove(ended_at, started_at)
    }
    const second = await page("1", "?page=2&per_page=1")
    assert.deepStrictEqual([shown(second), second.total_count], [[expected[1]], 3])
    assert.deepStrictEqual(shown(await page("1", "?page=4&per_page=1")), [])
  })

  it("has the same runs for an artifact of a flow, also in an archived environment", async () => {
    await put("run-3")
    await evidenceOf(server, "runs").artifact("t", "app", print("3"), c1)
    await report("run-3", ["app", "3"])
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "run-3" } })
    const [run = ""] = shown(await page("3"))
    assert.match(run, /^run-3-archived-at-\d+ app 1- Unknown$/)
  })

  it("is an empty list where it never ran, and 400 for less than a fingerprint", async () => {
    assert.deepStrictEqual(await page("4").then(({ runs, total_count }) => [runs, total_count]), [
      [],
      0
    ])
    for (const [fingerprint, query] of [
      ["1".repeat(63), ""],
      [print("1"), "?per_page=101"],
      [print("1"), "?sort_direction=up"]
    ] as const) {
      const { status } = await call("GET /runs/{org}/{fingerprint}", {
        path: { fingerprint },
        query
      })
      assert.strictEqual(status, 400)
    }
  })
})
