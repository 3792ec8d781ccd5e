/** `attest sonar` against a server that answers as the Web API of Sonar says (handwritten, not recorded). */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as FakeForge from "../forge/FakeForge.js"
import { payloadOf, TOKEN, using } from "../forge/PullRequestRun.js"
import { folder, run } from "../shared/Run.js"
import { SHA } from "../shared/TestJob.js"

const AT = "2026-11-16T09:00:00+0000"

const task = (status: string, more: object = {}) => ({
  task: {
    id: "task-1",
    type: "REPORT",
    componentKey: "shop",
    componentName: "Shop",
    status,
    analysisId: "analysis-2",
    submittedAt: AT,
    executedAt: AT,
    branch: "main",
    branchType: "BRANCH",
    ...more
  }
})

const ANALYSES = [
  { key: "analysis-3", date: AT, revision: "a".repeat(40) },
  { key: "analysis-2", date: AT, revision: SHA },
  { key: "analysis-1", date: AT, revision: "b".repeat(40) }
]

/** Pages of two analyses, however many were asked for: a server may give fewer. */
const analyses: FakeForge.Route = ({ query }) => {
  if (query.get("project") !== "shop") return { status: 404 }
  const page = Number(query.get("p") ?? "1")
  return {
    body: {
      paging: { pageIndex: page, pageSize: 2, total: ANALYSES.length },
      analyses: ANALYSES.slice((page - 1) * 2, page * 2)
    }
  }
}

const gate: FakeForge.Route = ({ query }) => ({
  body: {
    projectStatus: {
      status: query.get("analysisId") === "analysis-1" ? "NONE" : "ERROR",
      conditions: [
        {
          status: "ERROR",
          metricKey: "new_coverage",
          comparator: "LT",
          errorThreshold: "80",
          actualValue: "71.2"
        }
      ]
    }
  }
})

const tasks = (...statuses: ReadonlyArray<object>): FakeForge.Route => {
  const waiting = [...statuses]
  return () => ({ body: waiting.length > 1 ? waiting.shift() : waiting[0] })
}

const serving = (...statuses: ReadonlyArray<object>) =>
  FakeForge.start(
    {
      "GET /sonar/api/ce/task": tasks(...statuses),
      "GET /sonar/api/project_analyses/search": analyses,
      "GET /sonar/api/qualitygates/project_status": gate
    },
    {
      isAllowed: ({ headers }) =>
        headers.authorization === `Basic ${Buffer.from(`${TOKEN}:`).toString("base64")}`
    }
  )

const workspace = (server: string): string => {
  const cwd = folder()
  mkdirSync(join(cwd, ".scannerwork"))
  writeFileSync(
    join(cwd, ".scannerwork/report-task.txt"),
    `projectKey=shop\nserverUrl=${server}\nceTaskId=task-1\nceTaskUrl=${server}/api/ce/task?id=task-1\n`
  )
  return cwd
}

const attest = async (more: ReadonlyArray<string>, machine: Parameters<typeof run>[1] = {}) => {
  const about = ["-n", "quality", "-f", "shop", "-T", "t", "--commit", SHA, "--dry-run"]
  const env = { SONAR_TOKEN: TOKEN, ...machine.env }
  const ran = await run(["attest", "sonar", ...about, "-o", "json", "-v", ...more], {
    ...machine,
    env
  })
  assert.notInclude(ran.stdout + ran.stderr, TOKEN)
  return ran
}

describe("attestry attest sonar", () => {
  it("waits for the task of the scanner, and reads revision and quality gate", () =>
    using(serving(task("PENDING"), task("IN_PROGRESS"), task("SUCCESS")), async ({ url }) => {
      const server = `${url}/sonar`
      const waits: Array<number> = []
      const sleep = async (millis: number) => {
        waits.push(millis)
      }
      const env = { SONAR_HOST_URL: `${server}/` }
      const ran = await attest([], { cwd: workspace(server), env, host: { sleep } })
      assert.deepStrictEqual(payloadOf(ran).sonar_results, {
        serverUrl: server,
        taskId: "task-1",
        status: "SUCCESS",
        analysedAt: AT,
        revision: SHA,
        project: { key: "shop", name: "Shop", url: `${server}/dashboard?id=shop&branch=main` },
        branch: { name: "main", type: "BRANCH" },
        qualityGate: {
          status: "ERROR",
          conditions: [
            {
              metric: "new_coverage",
              errorThreshold: "80",
              operator: "LT",
              value: "71.2",
              status: "ERROR"
            }
          ]
        }
      })
      assert.deepStrictEqual(waits, [1_000, 1_500])
    }))

  it("ends with 7 where the task stays pending or fails, with the server's reason", () =>
    using(serving(task("PENDING")), async ({ url }) => {
      const more = ["--task-url", `${url}/sonar/api/ce/task?id=task-1`, "--wait", "3s"]
      assert.strictEqual((await attest(more)).code, 7)
      await using(serving(task("FAILED", { errorMessage: "no memory" })), async (failed) => {
        const { code, stderr } = await attest([
          "--task-url",
          `${failed.url}/sonar/api/ce/task?id=task-1`
        ])
        assert.strictEqual(code, 7)
        assert.include(stderr, "no memory")
      })
    }))

  it("finds the analysis of a revision on any page, and the newest without one", () =>
    using(serving(task("SUCCESS")), async ({ url }) => {
      const place = ["--project", "shop", "--server-url", `${url}/sonar`]
      const old = await attest([...place, "--revision", "b".repeat(40)])
      const { revision, qualityGate } = payloadOf(old).sonar_results
      assert.deepStrictEqual([revision, qualityGate], ["b".repeat(40), undefined])
      assert.include(old.stderr, "not of commit")
      assert.strictEqual(payloadOf(await attest(place)).sonar_results.revision, "a".repeat(40))
      assert.strictEqual((await attest([...place, "--revision", "c".repeat(40)])).code, 7)
      const other = ["--project", "other", "--server-url", `${url}/sonar`]
      assert.strictEqual((await attest(other)).code, 7)
    }))

  it("does not send the token to a server that only a file names", () =>
    using(serving(task("SUCCESS")), async ({ url, asked }) => {
      const cwd = workspace(`${url}/sonar`)
      const { code, stderr } = await attest([], { cwd })
      assert.strictEqual(code, 2)
      assert.include(stderr, "a file does not say where a token goes")
      const env = { SONAR_HOST_URL: "https://sonar.example.org" }
      assert.strictEqual((await attest([], { cwd, env })).code, 2)
      assert.lengthOf(asked, 0)
    }))

  it("ends with 2 without a token, and with 7 without a scanner's folder", async () => {
    const place = ["--project", "shop", "--server-url", "http://127.0.0.1:1"]
    assert.strictEqual((await attest(place, { env: { SONAR_TOKEN: "" } })).code, 2)
    assert.strictEqual((await attest([])).code, 7)
    assert.strictEqual((await attest(["--task-url", "https://sonar.example.org/x"])).code, 2)
  })
})
