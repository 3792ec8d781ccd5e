/** Snapshots on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

onBothStores("GET /snapshots/{org}/{env_name}/{snapshot_expression}", ({ call }) => {
  const get = (snapshot_expression: string, env_name = "prod") =>
    call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name, snapshot_expression }
    })
  const prepare = async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (const letter of ["a", "b", "c"]) {
      await call("PUT /environments/{org}/{env_name}/report/server", {
        path: { env_name: "prod" },
        body: { artifacts: [{ digests: { app: letter.repeat(64) }, creationTimestamp: 5 }] }
      })
    }
  }

  it("finds a snapshot by every form of the expression", async () => {
    await prepare()
    const expected: ReadonlyArray<readonly [string, number]> = [
      ["1", 1],
      ["3", 3],
      ["-1", 3],
      ["-3", 1],
      ["#2", 2],
      ["~0", 3],
      ["~2", 1],
      ["@{now}", 3],
      ["@{2099-01-01T00:00:00}", 3]
    ]
    for (const [expression, index] of expected) {
      const { status, body } = await get(expression)
      assert.strictEqual(status, 200, expression)
      assert.strictEqual((body as { index: number }).index, index, expression)
    }
  })

  it("shows a whole snapshot, and its neighbours", async () => {
    const { body } = await get("2")
    const next = (await get("3")).body as { timestamp: number }
    const { timestamp, ...rest } = body as { timestamp: number }
    assert.isAbove(next.timestamp, timestamp)
    const context = {
      pods: null,
      container_task_context: null,
      serverless_run_context: null,
      flow_name: null,
      git_commit: null,
      commit_url: null,
      html_url: null,
      flow_html_url: null,
      deployment_diff: null,
      commit_lead_time: null,
      flows: [],
      deployments: [],
      policy_decisions: [],
      reasons_for_incompliance: []
    }
    assert.deepStrictEqual(rest as object, {
      index: 2,
      is_latest: false,
      next_snapshot_timestamp: next.timestamp,
      artifact_compliance_count: { true: 0, false: 0, null: 1 },
      type: "server",
      compliant: false,
      reasons: [],
      html_url: "http://127.0.0.1:8080/acme/environments/prod/snapshots/2",
      artifacts: [
        {
          name: "app",
          fingerprint: "b".repeat(64),
          creationTimestamp: [5],
          annotation: { type: "started-unknown", was: 0, now: 1 },
          compliant: false,
          ...context
        },
        {
          name: "app",
          fingerprint: "a".repeat(64),
          creationTimestamp: [5],
          annotation: { type: "exited", was: 1, now: 0 },
          compliant: false,
          ...context
        }
      ],
      applied_policies: []
    })
  })

  it("is 404 with the resolved expression", async () => {
    const { status, body } = await get("7")
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message:
        "Org: 'acme'. Snapshot 'prod#7' resolves to 'prod#7'. len(snapshots) == 3. Indexes are 1-based"
    })
    for (const expression of ["-4", "~3", "@{2001-01-01T00:00:00}"]) {
      assert.strictEqual((await get(expression)).status, 404, expression)
    }
    await call("PUT /environments/{org}", { body: { name: "empty", type: "server" } })
    assert.strictEqual((await get("-1", "empty")).status, 404)
  })

  it("is 400 for an invalid expression", async () => {
    for (const expression of [
      "latest",
      "0",
      "#0",
      "-0",
      "+2",
      "~-1",
      "@{0.days.ago}",
      "@{2026-02-30T00:00:00}"
    ]) {
      const { status, body } = await get(expression)
      assert.strictEqual(status, 400, expression)
      assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), [
        "snapshot_expression"
      ])
    }
  })
})
