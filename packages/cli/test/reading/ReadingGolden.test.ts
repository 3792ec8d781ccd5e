/** The golden output of every noun that is listed and shown, on each store. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const APP = "8a8f60ecb09b7e64c6d5214a8043865e608507db8c3f61f995eae6d078875901"

const JOB = { ...JOB_OF_TRAIL, HOOK: "https://hooks.example.com/T000/secret-path" }

const POLICY = "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"

const WRITES: ReadonlyArray<ReadonlyArray<string>> = [
  ["put", "flow", "shop", "--description", "the shop"],
  ["put", "environment", "prod", "--kind", "server"],
  ["put", "policy", "rules", "rules.yaml", "--comment", "first"],
  ["attach", "rules", "prod"],
  ["put", "control", "SDLC-1", "--name", "Reviews"],
  ["put", "account", "ci-shop", "--privilege", "reader", "--description", "CI"],
  ["key", "create", "ci-shop", "--description", "CI of shop", "--to-file", "key"],
  ["put", "type", "load", "--jq", ".p99 < 300", "--description", "load tests"],
  ["put", "notification", "oncall", "--environment", "prod", "--on", "compliant-env"].concat([
    "--to",
    "$HOOK"
  ]),
  ["begin"],
  ["attest", "artifact", "app.txt", "--slot", "app"],
  ["attest", "generic", "-n", "review", "--attach", "minutes.txt"],
  ["attest", "decision", "--control", "SDLC-1", "--compliant", "--reason", "r", "-n", "d"],
  ["report", "paths", "prod", "--path", "app=app.txt"]
]

onEveryStore("what reading prints", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const firstId = async (...argv: ReadonlyArray<string>) => {
    const [first] = JSON.parse(await done("list", ...argv, "-o", "json"))
    return String(first.attestation_id ?? first.deployment_id ?? first.id)
  }

  beforeAll(async () => {
    mkdirSync(join(cwd, ".git"))
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, "minutes.txt"), "approved\n")
    writeFileSync(join(cwd, "rules.yaml"), POLICY)
    for (const argv of WRITES) await done(...argv)
  })

  it("lists every noun", async () => {
    for (const noun of [
      "flows",
      "trails",
      "artifacts",
      "attestations",
      "policies",
      "controls",
      "repositories",
      "types",
      "accounts",
      "deployments",
      "notifications",
      "members",
      "membership-log"
    ])
      await play(`list-${noun}`, ["list", noun])
    await play("list-keys", ["list", "keys", "--account", "ci-shop"])
    await play("list-org-keys", ["list", "org-keys"])
    await play("list-own-keys", ["list", "own-keys"])
    await play("list-events", ["list", "events", "--environment", "prod"])
    await play("list-decisions", ["list", "decisions", "--control", "SDLC-1"])
    await play("list-coverage", ["list", "coverage", "--control", "SDLC-1"])
    await play("list-approvals", ["list", "approvals", "--flow", "shop"])
  })

  it("shows every noun", async () => {
    for (const [noun, ...names] of [
      ["flow", "shop"],
      ["artifact", APP],
      ["environment", "prod"],
      ["snapshot", "prod#1"],
      ["policy", "rules"],
      ["control", "SDLC-1"],
      ["repository", "acme/shop"],
      ["type", "load"],
      ["account", "ci-shop"],
      ["key", "ci-shop", await firstId("keys", "--account", "ci-shop")],
      ["deployment", await firstId("deployments")],
      ["decision", "SDLC-1", await firstId("decisions", "--control", "SDLC-1")],
      ["notification", "1"],
      ["org"],
      ["meta"],
      ["attestation", await firstId("attestations", "-n", "review")]
    ])
      await play(`get-${noun}`, ["get", noun ?? "", ...names])
    await play("get-approval", ["get", "approval", "1"], 3)
  })

  it("prints trails as the input of a rule engine", async () => {
    await play("evaluate-trail", ["evaluate", "trail"])
  })
})
