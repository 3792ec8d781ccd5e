/** Audit capsules on the command line: made, and verified on a machine that knows no deployment. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const OTHER_KEY = "other.example+0d1b5b4a+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="

onEveryStore("audit capsules", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "reader" as const }
  const machine = machineOf(stage)
  const admin = machineOf({ ...stage, role: "admin" })
  const digest = KnownArtifact.DIGEST

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, admin())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  /** Verifies a file on a machine that knows no deployment. */
  const offline = (file: string, ...flags: ReadonlyArray<string>) =>
    run(["capsule", "verify", file, ...flags], { cwd, env: {} })

  beforeAll(async () => {
    await KnownArtifact.attest(cwd, done)
    await done("attest", "generic", "-n", "review")
    await done("report", "paths", "prod", "--path", "app=app.txt")
  })

  it("are saved once, and prove what they are about", async () => {
    const argv = ["capsule", "create", "prod", digest, "--from", "1", "--save", "audit.zip"]
    const { code, stderr } = await run(argv, machine())
    assert.strictEqual(code, 0, stderr)
    assert.notStrictEqual((await run(argv, machine())).code, 0)
    const { code: verified, stdout } = await offline("audit.zip", "--proved")
    assert.strictEqual(verified, 0, stdout)
    assert.match(stdout, /^proved\n/)
    assert.include(stdout, "prod#1 Compliant, 1 running")
    assert.include(stdout, "give --keys or --verifier")
    const json = JSON.parse((await offline("audit.zip", "-o", "json")).stdout)
    assert.deepInclude(json, { outcome: "proved", not_proved: [], wrong: [], own_keys: true })
  })

  it("are verified by the keys of the log alone", async () => {
    const { keys } = JSON.parse(await done("get", "log", "-o", "json"))
    const { code, stdout } = await offline("audit.zip", "--verifier", keys[0].vkey)
    assert.strictEqual(code, 0, stdout)
    assert.notInclude(stdout, "own keys")
    const wrong = await offline("audit.zip", "--verifier", OTHER_KEY, "-o", "json")
    assert.oneOf(wrong.code, [1, 2])
  })

  it("are refused when they were changed", async () => {
    const bytes = readFileSync(join(cwd, "audit.zip"))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(join(cwd, "changed.zip"), bytes)
    const { code, stdout } = await offline("changed.zip", "-o", "json")
    assert.strictEqual(code, 1)
    assert.strictEqual(JSON.parse(stdout).outcome, "refused")
  })

  it("are made of known things alone", async () => {
    for (const thing of ["absent", "shop/absent", "b".repeat(64)]) {
      const { code } = await run(["capsule", "create", thing, "--save", "no.zip"], machine())
      assert.notStrictEqual(code, 0, thing)
    }
    const { code } = await run(["capsule", "create", "prod#1", "--from", "1"], machine())
    assert.strictEqual(code, 2)
  })
})
