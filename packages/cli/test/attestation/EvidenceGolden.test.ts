/** The golden output of evidence from forges, scanners, trackers and decisions, on each store. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as FakeForge from "../forge/FakeForge.js"
import { using } from "../forge/PullRequestRun.js"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { SHA } from "../shared/TestJob.js"

const REPOSITORY = "/repos/acme/shop"
const AT = "2026-11-16T09:00:00+0000"

const ROUTES: { readonly [path: string]: FakeForge.Route } = {
  [`GET ${REPOSITORY}/commits/${SHA}/pulls`]: { json: [{ number: 41 }] },
  [`GET ${REPOSITORY}/pulls/41`]: {
    json: {
      number: 41,
      html_url: "https://git.example.org/acme/shop/pull/41",
      state: "closed",
      merged_at: "2026-11-16T10:00:00Z",
      created_at: "2026-11-15T10:00:00Z",
      merge_commit_sha: SHA,
      title: "Add coupons \u001b[2J::error::x",
      user: { login: "ada" },
      head: { ref: "feature", sha: SHA },
      base: { ref: "main", sha: "b".repeat(40) }
    }
  },
  [`GET ${REPOSITORY}/pulls/41/reviews`]: {
    json: [
      {
        user: { login: "max" },
        state: "APPROVED",
        commit_id: SHA,
        submitted_at: "2026-11-15T12:00:00Z"
      }
    ]
  },
  [`GET ${REPOSITORY}/pulls/41/commits`]: { json: [] },
  "GET /rest/api/2/issue/SHOP-12": { json: { fields: { summary: "Coupons" } } },
  "GET /sonar/api/ce/task": {
    json: {
      task: {
        id: "task-1",
        type: "REPORT",
        componentKey: "shop",
        componentName: "Shop",
        status: "SUCCESS",
        analysisId: "analysis-1",
        submittedAt: AT,
        executedAt: AT,
        branch: "main",
        branchType: "BRANCH"
      }
    }
  },
  "GET /sonar/api/project_analyses/search": {
    json: {
      paging: { pageIndex: 1, pageSize: 100, total: 1 },
      analyses: [{ key: "analysis-1", date: AT, revision: SHA }]
    }
  },
  "GET /sonar/api/qualitygates/project_status": {
    json: { projectStatus: { status: "ERROR", conditions: [] } }
  }
}

const idsIn = (spool: string): ReadonlyArray<string> =>
  readdirSync(spool).filter((name) => name.length === 26)

const CREDENTIALS = {
  GITHUB_TOKEN: "secret-token-1",
  JIRA_PAT: "secret-token-2",
  SONAR_TOKEN: "secret-token-3"
}

onEveryStore("what evidence prints", (deployment) => {
  const cwd = folder()
  const env = { ...CREDENTIALS, ATTESTRY_FLOW: "shop", ATTESTRY_TRAIL: "t1" }
  const stage = { cwd, deployment, env }
  const play = player(stage)
  const machine = machineOf(stage)

  beforeAll(async () => {
    writeFileSync(join(cwd, "load.json"), '{"p99": 410}')
    for (const argv of [
      ["put", "flow", "shop", "--description", "x"],
      ["put", "control", "SDLC-1", "--name", "Reviews"],
      ["put", "type", "load", "--jq", ".p99 < 300"],
      ["begin"]
    ])
      assert.strictEqual((await run(argv, machine())).code, 0, argv.join(" "))
  })

  it("of forges, trackers and scanners", () =>
    using(FakeForge.start(ROUTES, { isAllowed: () => true }), async ({ url }) => {
      const commit = ["--commit", SHA]
      const place = ["--forge", "github", "--repository", "acme/shop", "--forge-url", url]
      await play("attest-pull-request", [
        ...["attest", "pull-request", "-n", "review"],
        ...commit,
        ...place
      ])
      const jira = ["attest", "jira", "-n", "ticket", "--base-url", url, ...commit]
      await play("attest-jira", [...jira, "--source", "SHOP-12 and SHOP-13"])
      const sonar = ["attest", "sonar", "-n", "quality", "--server-url", `${url}/sonar`, ...commit]
      await play("attest-sonar", [...sonar, "--task-url", `${url}/sonar/api/ce/task?id=task-1`])
    }))

  it("of custom types and decisions", async () => {
    const custom = ["attest", "custom", "load.json", "--type-name", "load"]
    await play("attest-custom", [...custom, "-n", "load"])
    const decision = ["attest", "decision", "--control", "SDLC-1", "-n", "review-decision"]
    await play("attest-decision", [...decision, "--compliant", "--reason", "two reviews"])
  })

  it("of a fingerprint", async () => {
    await play("fingerprint", ["fingerprint", "load.json"])
  })

  it("of entries of the spool that are sent and dropped", async () => {
    const spools = new Map<Form, string>()
    for (const form of ["json", "tty", "pipe"] as const) {
      const spool = join(folder(), "spool")
      spools.set(form, spool)
      const down = { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_RETRIES: "0" }
      const kept = { ATTESTRY_SPOOL_DIR: spool, ATTESTRY_IF_UNREACHABLE: "spool", ...down }
      await run(["attest", "generic", "-n", "a"], machine({ env: kept }))
      for (const id of idsIn(spool)) {
        const file = join(spool, id, "entry.json")
        const text = readFileSync(file, "utf8")
        writeFileSync(file, text.replace(down.ATTESTRY_URL, deployment().url))
      }
      await run(["attest", "generic", "-n", "b", "-T", "t2"], machine({ env: kept }))
    }
    const ofForm = {
      machine: (form: Form) => ({ env: { ATTESTRY_SPOOL_DIR: spools.get(form) ?? "" } })
    }
    await play("spool-send", ["spool", "send"], { code: 8, ...ofForm })
    const idOf = (form: Form) => idsIn(spools.get(form) ?? "")[0] ?? ""
    await play("spool-drop", (form) => ["spool", "drop", idOf(form), "-y"], ofForm)
    await play("spool-send-none", ["spool", "send"], ofForm)
  })
})
