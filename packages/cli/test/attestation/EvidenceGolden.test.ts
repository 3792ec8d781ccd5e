/** The golden output of evidence from forges, scanners, trackers and decisions, on each store. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as FakeForge from "../forge/FakeForge.js"
import { CREDENTIALS, ROUTES, UNREVIEWED } from "../forge/ForgeRoutes.js"
import { using } from "../forge/PullRequestRun.js"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { SHA } from "../shared/TestJob.js"

const idsIn = (spool: string): ReadonlyArray<string> =>
  readdirSync(spool).filter((name) => name.length === 26)

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
        "attest",
        "pull-request",
        "-n",
        "review",
        ...commit,
        ...place
      ])
      const gate = ["assert", "pull-request", ...place]
      await play("assert-pull-request", [...gate, ...commit])
      await play("assert-pull-request-none", [...gate, "--commit", UNREVIEWED], 1)
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

  it("of a session of a coding agent", async () => {
    const session = ["attest", "agent-session", "-n", "session", "--tool", "agent"]
    const instants = ["--started-at", "1790000000", "--ended-at", "1790000600"]
    await play("attest-agent-session", [...session, "--model", "model-1", ...instants])
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
