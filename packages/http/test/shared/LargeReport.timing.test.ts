/** A report of very many rows is accepted, and leaves turns of the event loop to other requests. */
import { assert, beforeAll, it } from "vitest"
import { blockedBy } from "./BlockedTime.js"
import { onBothStores } from "./TestServer.js"

/** The largest body has room for 140,000 rows. */
const IS_LARGEST = process.env.ATTESTRY_FAULTS === "1"
const ROWS = IS_LARGEST ? 140_000 : 20_000

/** So many rows change from one report to the next. */
const CHANGED = 1_000

/** WHY none for the largest: reading is sliced, and each step of appending that many new rows takes its time. */
const TURN_MS_MAX = IS_LARGEST ? Number.POSITIVE_INFINITY : 1_000

onBothStores("large reports", ({ call, org }) => {
  const env_name = "large"
  const path = { org, env_name }

  const bodyOf = (report: number) => ({
    artifacts: Array.from({ length: ROWS }, (_, at) => ({
      digests: {
        [`i${at}`]: (at < CHANGED ? report * ROWS + at : at).toString(16).padStart(64, "0")
      },
      creationTimestamp: at
    }))
  })

  beforeAll(() => call("PUT /environments/{org}", { body: { name: env_name, type: "docker" } }))

  it.each([1, 2])(`accepts report %i of ${ROWS} rows`, { timeout: 300_000 }, async (report) => {
    const body = bodyOf(report)
    const [answer, longest] = await blockedBy(() =>
      call("PUT /environments/{org}/{env_name}/report/docker", { path, body })
    )
    assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
    assert.isBelow(longest, TURN_MS_MAX)
    const { body: list } = await call("GET /snapshots/{org}/{env_name}", {
      path,
      query: "?per_page=1"
    })
    assert.include(JSON.stringify(list), `"index":${report}`)
  })
})
