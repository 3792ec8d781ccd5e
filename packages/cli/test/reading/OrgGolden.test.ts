/** The golden output of the commands about an org as a whole, on each store. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { timeline } from "../environment/WatchStage.js"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const APP = "8a8f60ecb09b7e64c6d5214a8043865e608507db8c3f61f995eae6d078875901"
const UNREPORTED = "f".repeat(64)

const POLICY = "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"

const WRITES: ReadonlyArray<ReadonlyArray<string>> = [
  ["put", "flow", "shop", "--description", "the shop"],
  ["put", "environment", "prod", "--kind", "server"],
  ["put", "policy", "rules", "rules.yaml"],
  ["attach", "rules", "prod"],
  ["put", "control", "SDLC-1", "--name", "Reviews"],
  ["put", "control", "SDLC-1", "--name", "Reviews of changes"],
  ["tag", "control", "SDLC-1", "team=pay"],
  ["put", "notification", "oncall", "--environment", "prod", "--on", "started-artifact"].concat([
    "--to",
    "https://hooks.example.com/T000/secret-path"
  ]),
  ["begin"],
  ["attest", "artifact", "app.txt", "--slot", "app"],
  ["report", "paths", "prod", "--path", "app=app.txt"],
  ["tag", "repository", "acme/shop", "owner=pay"],
  ["allow", "prod", APP, "--reason", "vendor"]
]

/** Gives up every delivery that is due. */
const failEverything = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const claimed = yield* outbox.claim({ limit: 100, perQueue: 100, leaseMillis: 60_000 })
  const outcome = { _tag: "Dead", error: "status 500" } as const
  yield* outbox.settle(claimed.map(({ org_id, id, token }) => ({ org_id, id, token, outcome })))
})

onEveryStore("the records of an org", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const parsed = async (...argv: ReadonlyArray<string>) =>
    JSON.parse(await done(...argv, "-o", "json"))

  beforeAll(async () => {
    mkdirSync(join(cwd, ".git"))
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, "rules.yaml"), POLICY)
    for (const argv of WRITES) await done(...argv)
    await deployment().run(failEverything)
  })

  it("lists builds, running artifacts, runs, and the parts of controls", async () => {
    await play("list-builds", ["list", "builds"])
    await play("list-running", ["list", "running", "--repo", "acme/shop"])
    await play("list-runs", ["list", "runs", "--fingerprint", APP])
    await play("list-control-versions", ["list", "control-versions", "--control", "SDLC-1"])
    await play("list-control-coverage", ["list", "control-coverage"])
    await play("list-control-tags", ["list", "control-tags"])
    await play("list-system-types", ["list", "system-types"])
    await play("list-repository-tags", ["list", "repository-tags"])
    await play("list-allowed-everywhere", ["list", "allowed"])
    const first = await parsed("get", "control", "SDLC-1@v1")
    assert.deepStrictEqual([first.version, first.name], [1, "Reviews"])
  })

  it("shows statistics, the newest deployment and the commit before", async () => {
    await play("get-build-statistics", ["get", "build-statistics"])
    await play("get-deployment-statistics", ["get", "deployment-statistics", "acme/shop"])
    await play("get-newest-deployment", ["get", "newest-deployment", "prod", APP])
    await play("get-previous-commit", ["get", "previous-commit", `shop@${UNREPORTED}`])
    const none = await run(["get", "previous-commit", `shop@${APP}`], machine())
    assert.strictEqual(none.code, 3)
  })

  it("lists the journal by its filters, page by page", async () => {
    const kind = ["--kind", "artifact_creation_reported"]
    await play("list-journal", ["list", "journal", ...kind])
    const all = await parsed("list", "journal", "--all")
    assert.isAbove(all.length, WRITES.length - 1)
    const two = await parsed("list", "journal", "--limit", "2")
    assert.deepStrictEqual(two, all.slice(0, 2))
    assert.lengthOf(await parsed("list", "journal", "--actor", "nobody-here"), 0)
    const about = await parsed("list", "journal", "--subject", "environment")
    assert.isAbove(about.length, 0)
    const denied = machineOf({ ...stage, role: "reader" })
    assert.strictEqual((await run(["list", "journal"], denied())).code, 4)
  })

  it("shows the feed from any index, and follows it", async () => {
    await play("events", ["events", "--kind", "artifact_creation_reported", "--after", "0"])
    const { events, next, size } = await parsed("events", "--limit", "3")
    assert.deepStrictEqual([events.length, next, size], [3, size - 1, size])
    assert.lengthOf((await parsed("events", "--after", String(next))).events, 0)
    const { host } = timeline(1)
    const followed = await run(["events", "--follow", "--after", "0", "-o", "jsonl"], {
      ...machine(),
      host
    })
    assert.strictEqual(followed.code, 143)
    assert.lengthOf(followed.stdout.trim().split("\n"), size - 1)
  })

  it("shows the log, and who may read it", async () => {
    await play("get-log", ["get", "log"])
    await play("log-visibility", ["log", "visibility"])
    assert.strictEqual((await run(["log", "visibility", "public"], machine())).code, 2)
    assert.strictEqual((await run(["log", "visibility", "everyone"], machine())).code, 2)
    assert.strictEqual(await done("log", "visibility", "public", "-y", "-q"), "public\n")
    const open = await fetch(`${deployment().url}/api/v2/log/acme`)
    assert.strictEqual(open.status, 200)
    await done("log", "visibility", "members")
    assert.strictEqual((await fetch(`${deployment().url}/api/v2/log/acme`)).status, 401)
  })

  it("shows deliveries that failed, and sends them again", async () => {
    const failed = await parsed("list", "failed-deliveries")
    assert.lengthOf(failed, 1)
    await play("list-failed-deliveries", ["list", "failed-deliveries"])
    assert.strictEqual((await run(["replay", "deliveries"], machine())).code, 2)
    const partly = await run(["replay", "deliveries", failed[0].id, "none"], machine())
    assert.deepStrictEqual(
      [partly.code, partly.stdout.split("\n")[0]],
      [8, "1 delivery is tried again"]
    )
    await deployment().run(failEverything)
    const again = await parsed("replay", "deliveries", "--all")
    assert.deepStrictEqual(again.replayed, [failed[0].id])
    await play("replay-deliveries", ["replay", "deliveries", "--all"])
  })

  it("erases a name after a confirmation, and lists erasures without it", async () => {
    await done("attest", "generic", "-n", "note", "--annotate", "by=Jane Doe")
    const erase = ["erase", "Jane Doe", "--reason", "She has asked for it"]
    await play("erase", [...erase, "--dry-run"])
    assert.strictEqual((await run(erase, machine())).code, 2)
    const { erased, preview } = await parsed(...erase, "-y")
    assert.isFalse(preview)
    assert.isAbove(erased.length, 0)
    assert.notInclude(await done("list", "attestations", "-o", "json"), "Jane Doe")
    assert.strictEqual(await done(...erase, "-y", "-q"), "0\n")
    await play("list-erasures", ["list", "erasures"])
    for (const argv of [
      ["erase", "x"],
      ["erase", "--reason", "x"],
      ["erase", "x", "--entry", "a=/b", "--reason", "x"],
      ["erase", "--entry", "a=b", "--reason", "x"]
    ])
      assert.strictEqual((await run(argv, machine())).code, 2, argv.join(" "))
    const stdin = await run(["erase", "-", "--reason", "x", "--dry-run", "-q"], {
      ...machine(),
      stdin: "ada\n"
    })
    assert.strictEqual(stdin.code, 0, stdin.stderr)
  })

  it("keeps where notices about keys and waivers go, and the secret that signs webhooks", async () => {
    for (const noun of [
      "key-expiry-notices",
      "waiver-expiry-notices",
      "access-notices",
      "proposal-notices",
      "break-glass-notices"
    ]) {
      await play(`put-${noun}`, ["put", noun, "--to", "ops@example.com"])
      await play(`get-${noun}`, ["get", noun])
      await play(`delete-${noun}`, ["delete", noun, "-y"])
      assert.lengthOf((await parsed("get", noun)).targets, 0)
    }
    const file = (name: string) => (form: Form) => ["--to-file", `${name}-${form}`]
    await play("get-signing-secret", (form) => ["get", "signing-secret", ...file("s")(form)])
    await play("rotate-signing-secret", (form) => [
      "rotate",
      "signing-secret",
      "-y",
      ...file("r")(form)
    ])
    const inJob = await run(["get", "signing-secret"], machine())
    assert.strictEqual(inJob.code, 2)
    assert.include(inJob.stderr, "--to-file")
  })

  it("keeps the default org of the caller", async () => {
    await play("put-default-org", ["put", "default-org", "acme"])
    await play("get-default-org", ["get", "default-org"])
    assert.strictEqual(await done("get", "default-org", "-q"), "acme\n")
    assert.strictEqual((await run(["put", "default-org", "none"], machine())).code, 4)
  })

  it("notifies about flows, and replaces the notification of a name", async () => {
    const put = ["put", "notification", "evidence", "--flow", "shop", "--to", "ops@example.com"]
    const outcomeOf = async (...flags: ReadonlyArray<string>) =>
      (await parsed(...put, ...flags)).outcome
    assert.strictEqual(await outcomeOf("--on", "attestation"), "created")
    assert.strictEqual(await outcomeOf("--on", "attestation"), "unchanged")
    assert.strictEqual(await outcomeOf("--on", "attestation", "--on", "approval"), "updated")
    const all = await parsed("list", "notifications")
    const own = all.filter(({ name }: { readonly name: string }) => name === "evidence")
    assert.deepStrictEqual(
      own.map(({ flows, triggers }: { readonly flows: unknown; readonly triggers: unknown }) => [
        flows,
        triggers
      ]),
      [[["shop"], ["ON_ATTESTATION", "ON_APPROVAL"]]]
    )
    for (const flags of [
      ["--on", "started-artifact"],
      ["--environment", "prod", "--on", "attestation"]
    ])
      assert.strictEqual((await run([...put, ...flags], machine())).code, 2, flags.join(" "))
  })
})
