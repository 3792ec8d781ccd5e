/** The log of an org on this disk: copied, continued, verified offline, and receipts of what was recorded. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LogSigner from "@attestry/core/LogSigner"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import { LOG_KEY, onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const OTHER_KEY = "other.example+0d1b5b4a+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="

const ROOT = new Uint8Array(32).fill(1)

/** A note with the signature of the deployment's own key. */
const signed = (text: string): Promise<string> =>
  Effect.gen(function* () {
    const signer = yield* LogSigner.fromKeys([LOG_KEY])
    const signatures = yield* signer.sign(text.split("\n")[0] ?? "", text)
    return SignedNote.print({ text, signatures })
  }).pipe(Effect.provide(SignaturesWebCrypto.layer), Effect.runPromise)

onEveryStore("the log on this disk", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "reader" as const }
  const play = player(stage)
  const machine = machineOf(stage)
  const admin = machineOf({ ...stage, role: "admin" })

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, admin())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const code = async (...argv: ReadonlyArray<string>) => (await run(argv, machine())).code
  const key = () => readFileSync(join(cwd, "copy/keys"), "utf8").trim()
  const size = () => Number(readFileSync(join(cwd, "copy/checkpoint"), "utf8").split("\n")[1])
  const digest = createHash("sha256").update("app\n").digest("hex")
  const state = { attestation: "" }

  beforeAll(async () => {
    writeFileSync(join(cwd, "app.txt"), "app\n")
    await done("put", "flow", "shop", "--description", "x")
    await done("put", "environment", "prod", "--kind", "server")
    await done("begin")
    await done("attest", "artifact", "app.txt", "--slot", "app")
    await done("attest", "generic", "-n", "review")
    await done("report", "paths", "prod", "--path", "app=app.txt")
    const found = JSON.parse(await done("list", "attestations", "-o", "json"))
    state.attestation = found[0].attestation_id
    assert.strictEqual(await code("log", "pull", "copy"), 0)
  })

  it("copies the log in the layout of tiles, and continues the copy", async () => {
    const before = size()
    assert.isAbove(before, 5)
    const places = [`tile/0/000.p/${before}`, `tile/entries/000.p/${before}`]
    for (const path of places) assert.isTrue(existsSync(join(cwd, "copy", path)), path)
    await done("put", "flow", "pay", "--description", "x")
    const again = await run(["log", "pull", "copy", "-o", "json"], machine())
    assert.strictEqual(again.code, 0, again.stderr)
    const told = JSON.parse(again.stdout)
    assert.deepInclude(told, { from: before, size: before + 1, keys: [key()] })
    assert.strictEqual(size(), before + 1)
  })

  it("verifies the copy offline, a receipt offline, and that the log continues a checkpoint", async () => {
    const offline = { cwd, env: {} }
    await play("log-pull", ["log", "pull", "pulled"])
    await play("log-verify", ["log", "verify", "copy"])
    assert.strictEqual((await run(["log", "verify", "copy"], offline)).code, 0)
    await play("log-receipt", ["log", "receipt", "prod#1"])
    const forms = [
      ["prod#1", "json"],
      [digest, "tlog-proof"],
      [state.attestation, "json"]
    ] as const
    for (const [place, [thing, form]] of forms.entries()) {
      const file = `receipt-${place}`
      await done("log", "receipt", thing, "--format", form, "--to-file", file)
      const argv = ["log", "verify", file, "--verifier", key(), "-o", "json"]
      const ran = await run(argv, offline)
      assert.strictEqual(ran.code, 0, ran.stderr + ran.stdout)
      assert.deepInclude(JSON.parse(ran.stdout), { what: "receipt", verified: true })
    }
    await done("put", "flow", "more", "--description", "x")
    const grown = ["log", "verify", "copy/checkpoint", "--verifier", key(), "-o", "json"]
    const ran = await run(grown, machine())
    assert.strictEqual(ran.code, 0, ran.stderr + ran.stdout)
    assert.deepInclude(JSON.parse(ran.stdout), {
      what: "checkpoint",
      from: size(),
      size: size() + 1
    })
  })

  it("takes a receipt by the id of its entry, and one in a flow", async () => {
    const { entry_id } = JSON.parse(await done("log", "receipt", "prod#1", "-o", "json"))
    assert.include(await done("log", "receipt", entry_id), "snapshot_created")
    const text = await done("log", "receipt", digest, "--flow", "shop", "--format", "tlog-proof")
    assert.match(text, /^c2sp\.org\/tlog-proof@v1\nextra /)
    assert.strictEqual(await code("log", "receipt", digest, "--flow", "pay"), 3)
    assert.strictEqual(await code("log", "receipt", "prod#1", "--flow", "pay"), 2)
    assert.strictEqual(await code("log", "receipt", "f".repeat(64)), 3)
    assert.strictEqual(await code("log", "receipt", "0".repeat(16)), 3)
    assert.strictEqual(await code("log", "receipt", "prod#1", "--verifier", OTHER_KEY), 2)
    assert.strictEqual(await code("log", "receipt", "prod#1", "--to-file", "app.txt"), 7)
  })

  it("says no to a changed byte in any file of a copy, and names the file", async () => {
    await done("log", "pull", "damaged")
    const count = readFileSync(join(cwd, "damaged/checkpoint"), "utf8").split("\n")[1]
    for (const path of [`tile/0/000.p/${count}`, `tile/entries/000.p/${count}`, "checkpoint"]) {
      const file = join(cwd, "damaged", path)
      const whole = readFileSync(file)
      const changed = Uint8Array.from(whole)
      const place = path === "checkpoint" ? whole.indexOf(10) - 1 : 40
      changed[place] = (changed[place] ?? 0) ^ 1
      writeFileSync(file, changed)
      const ran = await run(["log", "verify", "damaged"], machine())
      assert.strictEqual(ran.code, 1, path)
      if (path.startsWith("tile/0")) assert.include(ran.stdout, path)
      writeFileSync(file, whole)
      assert.strictEqual(await code("log", "verify", "damaged"), 0)
    }
  })

  it("says no to a receipt that was changed, and to another key", async () => {
    const receipt = JSON.parse(await done("log", "receipt", "prod#1", "-o", "json"))
    const verify = (value: unknown) => {
      writeFileSync(join(cwd, "changed"), JSON.stringify(value))
      return run(["log", "verify", "changed", "--verifier", key()], { cwd })
    }
    assert.strictEqual((await verify(receipt)).code, 0)
    for (const change of [
      { index: receipt.index - 1 },
      { disclosures: [] as ReadonlyArray<string>, entry: receipt.entry.replace(/^./, "f") },
      { checkpoint: receipt.checkpoint.replace(/\n(\d+)\n/, "\n1$1\n") }
    ]) {
      const ran = await verify({ ...receipt, ...change })
      assert.strictEqual(ran.code, 1, JSON.stringify(change))
      assert.include(ran.stdout, "not verified")
    }
  })

  it("says no to a log that does not continue what was remembered, and keeps the copy", async () => {
    const origin = readFileSync(join(cwd, "copy/checkpoint"), "utf8").split("\n")[0] ?? ""
    for (const [place, remembered] of [2, size(), 10_000].entries()) {
      const note = await signed(Checkpoint.print({ origin, size: remembered, root: ROOT }))
      const name = `story-${place}`
      mkdirSync(join(cwd, name))
      writeFileSync(join(cwd, name, "checkpoint"), note)
      const kept = [name, "--verifier", key()]
      const pulled = await run(["log", "pull", ...kept], machine())
      assert.strictEqual(pulled.code, 1, pulled.stderr)
      assert.strictEqual(readFileSync(join(cwd, name, "checkpoint"), "utf8"), note)
      const path = [`${name}/checkpoint`, "--verifier", key()]
      const verified = await run(["log", "verify", ...path], machine())
      assert.strictEqual(verified.code, 1, verified.stderr)
    }
  })

  it("ends with what is wrong about the command line and the files", async () => {
    assert.strictEqual(await code("log", "verify", "changed"), 2)
    assert.strictEqual(await code("log", "verify", "changed", "--verifier", "x"), 2)
    assert.strictEqual(await code("log", "verify", "app.txt", "--verifier", key()), 7)
    assert.strictEqual(await code("log", "verify", "nothing"), 7)
    assert.strictEqual(await code("log", "verify", "."), 7)
    assert.strictEqual(await code("log", "pull"), 2)
    const elsewhere = ["log", "verify", "copy/checkpoint", "--verifier", key(), "--org", "other"]
    assert.strictEqual(await code(...elsewhere), 4)
  })
})

describe("a log without a key", () => {
  it("is not pulled", async () => {
    const cwd = folder()
    const server = await StubServer.start(() => ({
      status: 503,
      body: JSON.stringify({ message: "The log has no signing key" })
    }))
    const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "canary-key-0123456789" }
    const argv = ["log", "pull", "copy", "--org", "acme", "--retries", "0"]
    const ran = await run(argv, { cwd, env })
    await server.stop()
    assert.strictEqual(ran.code, 5, ran.stderr)
    assert.isFalse(existsSync(join(cwd, "copy/checkpoint")))
  })
})

onEveryStore(
  "the log of a deployment without a key",
  (deployment) => {
    const cwd = folder()
    const machine = machineOf({ cwd, deployment, env: { ...JOB_OF_TRAIL, ATTESTRY_RETRIES: "0" } })

    it("has no receipts: the answer is that of `pull`, and no accusation", async () => {
      for (const argv of [["begin"], ["attest", "generic", "-n", "review"]])
        assert.strictEqual((await run(argv, machine())).code, 0)
      const listed = await run(["list", "attestations", "-o", "json"], machine())
      const [{ attestation_id }] = JSON.parse(listed.stdout)
      const pulled = await run(["log", "pull", "copy"], machine())
      assert.strictEqual(pulled.code, 5, pulled.stderr)
      assert.include(pulled.stderr, "The log has no signing key")
      for (const format of ["json", "tlog-proof"]) {
        const ran = await run(["log", "receipt", attestation_id, "--format", format], machine())
        assert.deepStrictEqual([ran.code, ran.stdout], [5, ""], ran.stderr)
        assert.include(ran.stderr, "The log has no signing key")
      }
    })

    it("is a warning of `doctor`", async () => {
      const { code, stdout } = await run(["doctor"], machine())
      assert.strictEqual(code, 0)
      assert.match(stdout, /warn {2}log +not signed.*\n +do: .*ATTESTRY_LOG_KEY_FILE/)
    })
  },
  { isSigned: false }
)
