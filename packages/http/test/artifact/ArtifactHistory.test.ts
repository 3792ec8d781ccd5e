/** The history of an artifact on the wire: the lines that clients show, in order of time. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Line {
  readonly event: string
  readonly timestamp: number
}

const P = "b3".repeat(32)

onEveryStore("the history of an artifact", (server) => {
  const { call } = server

  it("shows reports and runs with their slots, names and snapshots, in order of time", async () => {
    const { artifact, generic } = evidenceOf(server, "told")
    const report = (names: ReadonlyArray<string>) =>
      call("PUT /environments/{org}/{env_name}/report/server", {
        path: { env_name: "prod" },
        body: {
          artifacts: names.map((name) => ({
            creationTimestamp: 1_790_000_000,
            digests: { [name]: P }
          }))
        }
      })
    const git_commit_info = { sha1: c1, timestamp: 12.5 }
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    await generic("t", "early", true, { target_artifacts: ["app"], git_commit_info })
    await artifact("t", "app", P, c1, { git_commit_info })
    await generic("t", "lint", true, { artifact_fingerprint: P })
    await report(["app"])
    await report([])
    const running = [
      "Started running in prod#1 environment",
      "No longer running in prod#2 environment"
    ]
    const one = await call("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", {
      path: { flow_name: "told", fingerprint: P }
    })
    const { history } = one.body as { history: ReadonlyArray<Line> }
    assert.deepStrictEqual(
      history.map(({ event }) => event),
      ["Commit c1c1c1c", "early reported", "app reported", "lint reported", ...running]
    )
    const times = history.map(({ timestamp }) => timestamp)
    assert.deepStrictEqual(
      times,
      [...times].sort((left, right) => left - right)
    )
    assert.strictEqual(times[0], 12.5)
    const found = await call("GET /search/{org}/sha/{value}", { path: { value: P } })
    const [searched] = (
      found.body as { artifacts: ReadonlyArray<{ history: ReadonlyArray<Line> }> }
    ).artifacts
    assert.deepStrictEqual(
      searched?.history.map(({ event }) => event),
      ["Commit c1c1c1c", "early reported", "Artifact created", "lint reported", ...running]
    )
  })
})
