/** Concurrent reports to one environment (P-SNAP). */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const WRITERS = 32
const ROUNDS = 3

onBothStores("32 writers of one environment", ({ call }) => {
  const report = (writer: number) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: {
        artifacts: [
          { digests: { app: writer.toString(16).padStart(64, "0") }, creationTimestamp: 7 }
        ]
      }
    })
  const snapshot = async (index: number) =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "prod", snapshot_expression: String(index) }
      })
    ).body as { is_latest: boolean; artifacts: Array<{ annotation: { type: string } }> }

  it("numbers snapshots from 1 without gaps, has one latest, and accounts for each change", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => report(writer))
      )
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }
    const { body } = await call("GET /snapshots/{org}/{env_name}", {
      path: { env_name: "prod" },
      query: "?per_page=100&reverse=true"
    })
    const lines = body as Array<{ index: number; from: number }>
    assert.deepStrictEqual(
      lines.map(({ index }) => index),
      lines.map((_, at) => at + 1)
    )
    assert.isAtLeast(lines.length, WRITERS)
    for (const [at, { from }] of lines.entries()) assert.isAbove(from, lines[at - 1]?.from ?? 0)
    const snapshots = await Promise.all(lines.map(({ index }) => snapshot(index)))
    assert.deepStrictEqual(
      snapshots.filter(({ is_latest }) => is_latest),
      snapshots.slice(-1)
    )
    for (const { artifacts } of snapshots.slice(1)) {
      assert.deepStrictEqual(
        artifacts.map(({ annotation }) => annotation.type),
        ["started-unknown", "exited"]
      )
    }
  })
})
