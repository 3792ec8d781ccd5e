/** `attestry get attestation NAME`: the latest of a name on a trail or for an artifact, or all of them. */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const FINGERPRINT = createHash("sha256").update("app\n").digest("hex")

onEveryStore("an attestation by its name", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const get = async (...argv: ReadonlyArray<string>) =>
    JSON.parse(await done("get", "attestation", ...argv, "-o", "json"))

  beforeAll(async () => {
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, "minutes.txt"), "approved\n")
    await done("put", "flow", "shop", "--description", "x")
    for (const trail of ["t1", "t2"]) await done("begin", trail)
    await done("attest", "artifact", "app.txt", "--slot", "app")
    await done("attest", "generic", "-n", "unit", "--compliant=false")
    await done("attest", "generic", "-n", "unit", "--attach", "minutes.txt")
    await done("attest", "generic", "-n", "unit", "-T", "t2", "--compliant=false")
    await done("attest", "generic", "-n", "app.scan", "-a", "app.txt", "--compliant=false")
    await done("attest", "generic", "-n", "app.scan", "-a", "app.txt")
  })

  it("is the latest on a trail, or each of them", async () => {
    await play("get-attestation-name", ["get", "attestation", "unit", "-T", "t1", "-f", "shop"])
    await play("get-attestation-all", ["get", "attestation", "unit", "--trail", "t1", "--all"])
    const latest = await get("unit", "--trail", "t1")
    assert.deepStrictEqual([latest.is_compliant, latest.trail_name], [true, "t1"])
    assert.isFalse((await get("unit", "--trail", "t2")).is_compliant)
    assert.strictEqual((await get("unit")).attestation_id, latest.attestation_id)
    const all = await get("unit", "--trail", "t1", "--all")
    assert.deepStrictEqual(
      all.map(({ is_compliant }: { is_compliant: boolean }) => is_compliant),
      [true, false]
    )
    assert.strictEqual((await get(latest.attestation_id)).attestation_id, latest.attestation_id)
  })

  it("is the latest for an artifact, by its path or its fingerprint", async () => {
    for (const flags of [
      ["--artifact", "app.txt"],
      ["-a", FINGERPRINT],
      ["--fingerprint", FINGERPRINT]
    ]) {
      const latest = await get("scan", ...flags)
      assert.deepStrictEqual([latest.attestation_name, latest.is_compliant], ["scan", true])
      assert.lengthOf(await get("app.scan", ...flags, "--all"), 2)
    }
    const other = await run(["get", "attestation", "api.scan", "-a", "app.txt"], machine())
    assert.strictEqual(other.code, 3)
  })

  it("has its files, and is refused where the question has two answers or none", async () => {
    const saved = join(folder(), "files")
    await done("get", "attestation", "unit", "-T", "t1", "--download", saved)
    assert.strictEqual(readFileSync(join(saved, "minutes.txt"), "utf8"), "approved\n")
    const ROWS: ReadonlyArray<readonly [number, ReadonlyArray<string>, string]> = [
      [3, ["nothing", "-T", "t1"], "there is no attestation `nothing` on trail t1 of flow shop"],
      [3, ["unit", "-T", "t9"], "t9"],
      [2, ["unit", "-T", "t1", "-a", "app.txt"], "give one of them"],
      [2, ["unit", "-T", "t1", "--all", "--download", "x"], "--download and --all"],
      [3, ["00000000-0000-0000-0000-000000000000"], "for a name, give --flow and --trail"]
    ]
    for (const [code, argv, said] of ROWS) {
      const ran = await run(["get", "attestation", ...argv], machine())
      assert.strictEqual(ran.code, code, ran.stderr)
      assert.include(ran.stderr, said)
    }
  })
})
