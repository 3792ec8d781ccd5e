/** Receipts of decisions on the command line: made, saved, checked offline, and the chain that they name. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as SigstoreDsse from "../../../evidence-intake/test/envelope/SigstoreDsse.js"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const OTHER_KEY = "other.example+0d1b5b4a+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="

onEveryStore("receipts of decisions", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "reader" as const }
  const play = player(stage)
  const machine = machineOf(stage)
  const admin = machineOf({ ...stage, role: "admin" })
  const digest = KnownArtifact.DIGEST
  const other = "b".repeat(64)

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, admin())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  const code = async (...argv: ReadonlyArray<string>) => (await run(argv, machine())).code
  /** Checks a file on a machine that knows no deployment. */
  const offline = (file: string, ...flags: ReadonlyArray<string>) =>
    run(["receipt", "verify", file, "--keys", "keys.json", ...flags, "-o", "json"], {
      cwd,
      env: {}
    })
  const refusal = async (file: string, ...flags: ReadonlyArray<string>) => {
    const { code: exit, stderr, stdout } = await offline(file, ...flags)
    assert.oneOf(exit, [0, 1], stderr)
    const { refusal: refused, verified } = JSON.parse(stdout)
    assert.strictEqual(exit === 0, verified)
    return refused
  }

  beforeAll(async () => {
    await KnownArtifact.attest(cwd, done)
    await done("attest", "generic", "-n", "review")
    await done("report", "paths", "prod", "--path", "app=app.txt")
    // The first checkpoint records the keys.
    await done("log", "receipt", "prod#1")
    const { url, keys } = deployment()
    const answer = await fetch(`${url}/api/v2/keys?org=acme`, {
      headers: { authorization: `Bearer ${keys.reader}` }
    })
    writeFileSync(join(cwd, "keys.json"), await answer.text())
  })

  it("are saved as the deployment answers them, and checked offline", async () => {
    await play("receipt-get", ["receipt", "get", "prod#1"])
    await done("receipt", "get", "prod#1", "--to-file", "snapshot.json")
    await done("receipt", "get", digest, "--environment", "prod", "--to-file", "artifact.json")
    await done("receipt", "get", digest, "--policy", "known", "--to-file", "policy.json")
    await done(
      "receipt",
      "get",
      "prod#1",
      "--fingerprint",
      digest,
      "--predicate",
      "svr",
      "--to-file",
      "row.json"
    )
    await play("receipt-verify", ["receipt", "verify", "snapshot.json", "--keys", "keys.json"])
    for (const file of ["snapshot.json", "artifact.json", "row.json"]) {
      const flags = ["--fingerprint", digest, "--environment", "prod", "--max-age", "1d"]
      assert.isNull(await refusal(file, ...flags))
    }
    const { payloadType } = JSON.parse(readFileSync(join(cwd, "row.json"), "utf8"))
    assert.strictEqual(payloadType, "application/vnd.in-toto+json")
    assert.strictEqual(await code("receipt", "get", "prod#1", "--to-file", "row.json"), 7)
  })

  it("are true by Sigstore's own library: of snapshots, rows and assertions, in both forms", () => {
    const read = (file: string) => readFileSync(join(cwd, file), "utf8")
    const types = ["snapshot.json", "row.json", "artifact.json", "policy.json"].map((file) => {
      const statement = SigstoreDsse.statementOf(read(file), read("keys.json"))
      assert.include(JSON.stringify(statement), digest, file)
      const { payload, ...envelope } = JSON.parse(read(file))
      const changed = Buffer.from(payload, "base64")
      changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
      const forged = JSON.stringify({ ...envelope, payload: changed.toString("base64") })
      assert.isUndefined(SigstoreDsse.statementOf(forged, read("keys.json")), file)
      return JSON.stringify(statement).match(/"predicateType":"([^"]+)"/)?.[1]
    })
    assert.deepStrictEqual(
      [...new Set(types)],
      ["https://slsa.dev/verification_summary/v1", "https://in-toto.io/attestation/svr/v0.2"]
    )
  })

  it("are checked by keys of the log alone, as `get log` shows them", async () => {
    const { keys } = JSON.parse(await done("get", "log", "-o", "json"))
    const argv = ["receipt", "verify", "snapshot.json", "--verifier", keys[0].vkey]
    assert.strictEqual((await run(argv, { cwd, env: {} })).code, 0)
    const wrong = ["receipt", "verify", "snapshot.json", "--verifier", OTHER_KEY]
    assert.strictEqual((await run(wrong, { cwd, env: {} })).code, 2)
    assert.strictEqual((await run(["receipt", "verify", "snapshot.json"], { cwd })).code, 2)
  })

  it("are refused for another artifact, environment, resource or policy, and when changed", async () => {
    assert.strictEqual(await refusal("snapshot.json", "--fingerprint", other), "subject")
    assert.strictEqual(await refusal("snapshot.json", "--environment", "staging"), "environment")
    assert.strictEqual(await refusal("policy.json", "--environment", "prod"), "environment")
    assert.strictEqual(await refusal("snapshot.json", "--resource", "https://x"), "resource")
    assert.strictEqual(await refusal("snapshot.json", "--policies-sha256", other), "policies")
    assert.strictEqual(await refusal("snapshot.json", "--log-size", "1000"), "log")
    assert.strictEqual(await refusal("snapshot.json", "--max-age", "1ms"), "too-old")
    const { payload, ...envelope } = JSON.parse(readFileSync(join(cwd, "snapshot.json"), "utf8"))
    const text = Buffer.from(payload, "base64").toString()
    const changed = Buffer.from(text.replace(digest, other)).toString("base64")
    writeFileSync(join(cwd, "changed.json"), JSON.stringify({ ...envelope, payload: changed }))
    assert.strictEqual(await refusal("changed.json"), "signature")
    writeFileSync(join(cwd, "nothing.json"), "{}")
    assert.strictEqual(await refusal("nothing.json"), "malformed")
  })

  it("are given for a no too, which is then refused", async () => {
    const ran = await run(["receipt", "get", other, "--environment", "prod", "-q"], machine())
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "NonCompliant\n"])
    await done("receipt", "get", other, "--environment", "prod", "--to-file", "no.json")
    assert.strictEqual(await refusal("no.json"), "failed")
  })

  it("are not there for flags that mean nothing, and what does not run", async () => {
    assert.strictEqual(await code("receipt", "get", "prod#1", "--policy", "known"), 2)
    assert.strictEqual(await code("receipt", "get", digest, "--fingerprint", digest), 2)
    const both = ["--policy", "known", "--environment", "prod"]
    assert.strictEqual(await code("receipt", "get", digest, ...both), 2)
    assert.strictEqual(await code("receipt", "get", "prod#9"), 3)
    assert.strictEqual(await code("receipt", "get", "prod#1", "--fingerprint", other), 3)
    assert.strictEqual(await code("receipt", "get", digest, "--valid-for", "59s"), 6)
  })

  it("name the chain of the trail, which is followed to its beginning", async () => {
    await play("log-chain", ["log", "chain", digest])
    const { chains, complete } = JSON.parse(await done("log", "chain", digest, "-o", "json"))
    assert.isTrue(complete)
    const kinds = chains[0].links.map(({ kind }: { readonly kind: string }) => kind)
    assert.deepStrictEqual(kinds, [
      "artifact_started_running",
      "trail_attestation_reported",
      "artifact_creation_reported",
      "trail_reported"
    ])
    assert.strictEqual(await code("log", "chain", digest, "--flow", "shop"), 0)
    assert.strictEqual(await code("log", "chain", other), 3)
    assert.strictEqual(await code("log", "chain", digest, "--verifier", OTHER_KEY), 2)
  })
})
