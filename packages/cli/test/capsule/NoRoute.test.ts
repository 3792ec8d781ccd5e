/**
 * The built program verifies a capsule on a machine without a route to the deployment: in a network namespace of its
 * own, which has no device but a loopback that is down. Linux only; `pnpm build` must have run.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const PROGRAM = new URL("../../dist/bundle/attestry.js", import.meta.url).pathname
const rights = process.getuid?.() === 0 ? [] : ["--map-current-user", "--keep-caps"]

onEveryStore("audit capsules without a route", (deployment) => {
  const cwd = folder()
  const machine = machineOf({ cwd, deployment, env: JOB_OF_TRAIL, role: "admin" })

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  /** Runs Node in a network namespace of its own, without any settings. */
  const isolated = (...argv: ReadonlyArray<string>) =>
    spawnSync("unshare", [...rights, "--net", process.execPath, ...argv], {
      cwd,
      env: { HOME: cwd },
      encoding: "utf8"
    })

  beforeAll(async () => {
    await KnownArtifact.attest(cwd, done)
    await done("attest", "generic", "-n", "review")
    await done("report", "paths", "prod", "--path", "app=app.txt")
    const flags = ["--from", "1", "--releases", "--environment", "prod", "--save", "audit.zip"]
    await done("capsule", "create", "prod", ...flags)
  })

  it("have no device there, and do not reach the deployment", () => {
    const { stdout } = isolated(
      "-e",
      `const devices = require("node:fs").readFileSync("/proc/net/dev", "utf8").match(/^ *\\S+:/gm)
       fetch(${JSON.stringify(deployment().url)}).then(
         () => console.log("reached"), () => console.log(devices.map((one) => one.trim()).join(), "no route"))`
    )
    assert.strictEqual(stdout, "lo: no route\n")
  })

  it("are proved there, and refused with a byte changed", () => {
    const verified = isolated(PROGRAM, "capsule", "verify", "audit.zip", "--proved")
    assert.strictEqual(verified.status, 0, verified.stderr + verified.stdout)
    assert.match(verified.stdout, /^proved\n/)
    assert.include(verified.stdout, "proved: the table of 1 releases from ")
    const bytes = readFileSync(join(cwd, "audit.zip"))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(join(cwd, "changed.zip"), bytes)
    const refused = isolated(PROGRAM, "capsule", "verify", "changed.zip", "-o", "json")
    assert.strictEqual(refused.status, 1, refused.stderr)
    assert.strictEqual(JSON.parse(refused.stdout).outcome, "refused")
  })
})
