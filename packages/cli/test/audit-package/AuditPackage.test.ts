/** Audit packages on this disk: saved whole or not at all, and compared with their manifest. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FastCheck } from "effect"
import { afterEach, assert, beforeAll, describe, it } from "vitest"
import { problem } from "../../src/audit-package/PackageVerification.js"
import { TarDigests } from "../../src/audit-package/TarDigests.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const APP = createHash("sha256").update("app\n").digest("hex")
const LONG = `${"a".repeat(120)}-minutes-of-the-meeting.txt`

const digestsOf = (bytes: Uint8Array, size = bytes.length): TarDigests => {
  const digests = new TarDigests("manifest.json")
  for (let at = 0; at < bytes.length; at += size) digests.push(bytes.subarray(at, at + size))
  return digests
}

onEveryStore("an audit package", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "reader" as const }
  const play = player(stage)
  const machine = machineOf(stage)
  const writer = machineOf({ ...stage, role: "member" })
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, writer())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
  }

  beforeAll(async () => {
    mkdirSync(join(cwd, ".git"))
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, LONG), "approved\n".repeat(1_000))
    await done("begin")
    await done("attest", "artifact", "app.txt", "--slot", "app")
    await done("attest", "generic", "-n", "review", "--attach", LONG)
  })

  it("of a trail is saved as a file that only this user can read", async () => {
    await play("audit-package", (form) => ["audit", "package", "shop/t1", "--save", `${form}.tar`])
    const file = join(cwd, "json.tar")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const digests = digestsOf(readFileSync(file))
    assert.isUndefined(problem(digests))
    const evidence = digests.members.find(({ name }) => name.endsWith("minutes-of-the-meeting.txt"))
    assert.strictEqual(evidence?.size, 9_000)
    assert.deepStrictEqual(
      readdirSync(cwd).filter((name) => name.endsWith(".part")),
      []
    )
  })

  it("of an artifact is found by flow and fingerprint, and has a name by default", async () => {
    const ran = await run(["audit", "package", `shop@${APP}`, "-o", "json"], machine())
    assert.strictEqual(ran.code, 0, ran.stderr)
    const { file, verified, fingerprint } = JSON.parse(ran.stdout)
    assert.deepStrictEqual(
      [file, verified, fingerprint],
      [`shop-${APP}-audit-package.tar`, true, APP]
    )
    assert.isTrue(existsSync(join(cwd, file)))
    const short = await run(["audit", "package", APP, "--save", "short.tar", "-q"], machine())
    assert.deepStrictEqual([short.code, short.stdout], [0, "short.tar\n"], short.stderr)
    assert.deepStrictEqual(readFileSync(join(cwd, "short.tar")), readFileSync(join(cwd, file)))
  })

  it("of a snapshot is found by environment and expression", async () => {
    await done("put", "environment", "prod", "--kind", "server")
    await done("report", "paths", "prod", "--path", "app=app.txt")
    await play("audit-package-snapshot", (form) => {
      return ["audit", "package", "prod#1", "--save", `snapshot-${form}.tar`]
    })
    const digests = digestsOf(readFileSync(join(cwd, "snapshot-json.tar")))
    assert.isUndefined(problem(digests))
    assert.include(
      digests.members.map(({ name }) => name),
      `receipts/prod/1-${APP}.vsa.json`
    )
    for (const [expression, file] of [
      ["prod~0", "prod-0-audit-package.tar"],
      ["prod@{now}", "prod-now-audit-package.tar"],
      ["prod#-1", "prod--1-audit-package.tar"]
    ]) {
      const ran = await run(["audit", "package", expression ?? "", "-q"], machine())
      assert.deepStrictEqual([ran.code, ran.stdout], [0, `${file}\n`], ran.stderr)
    }
    const none = await run(["audit", "package", "prod#9", "--save", "none.tar"], machine())
    assert.strictEqual(none.code, 3, none.stderr)
  })

  it("of a trail with a tilde and a number in its name is found below its flow", async () => {
    await done("begin", "t~1")
    const ran = await run(["audit", "package", "shop/t~1", "-q"], machine())
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "shop-t~1-audit-package.tar\n"], ran.stderr)
  })

  it("goes to stdout as bytes alone", async () => {
    const ran = await run(["audit", "package", "t1", "--save", "-"], machine())
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.isUndefined(problem(digestsOf(Buffer.from(ran.stdout, "latin1"))))
    assert.include(ran.stderr, "files, all as the manifest lists them")
  })

  it("does not overwrite a file, and ends with 3 for what is not there", async () => {
    writeFileSync(join(cwd, "taken.tar"), "mine")
    const taken = await run(["audit", "package", "shop/t1", "--save", "taken.tar"], machine())
    assert.strictEqual(taken.code, 7)
    assert.strictEqual(readFileSync(join(cwd, "taken.tar"), "utf8"), "mine")
    const missing = await run(["audit", "package", "shop/none", "--save", "none.tar"], machine())
    assert.strictEqual(missing.code, 3)
    assert.isFalse(existsSync(join(cwd, "none.tar")))
    const nowhere = ["audit", "package", "shop/t1", "--save", "no/such/folder.tar"]
    assert.strictEqual((await run(nowhere, machine())).code, 7)
  })

  it("is read alike in chunks of any size, and every changed byte of it is found", async () => {
    const whole = readFileSync(join(cwd, "json.tar"))
    const { members } = digestsOf(whole)
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 3_000 }), (size) =>
        assert.deepStrictEqual(digestsOf(whole, size).members, members)
      ),
      { numRuns: 20 }
    )
    const contents = readFileSync(join(cwd, "json.tar"))
    const at = contents.indexOf("approved\napproved")
    contents.writeUInt8(0x41, at)
    assert.match(problem(digestsOf(contents)) ?? "", /has the digest/)
    assert.strictEqual(
      problem(digestsOf(whole.subarray(0, whole.length - 512))),
      "the archive has no end"
    )
    assert.throws(() => digestsOf(Buffer.from("no archive".repeat(100))), "a header is damaged")
  })
})

describe("a damaged audit package", () => {
  const started: Array<StubServer.StubServer> = []
  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop()
  })
  const against = async (answer: StubServer.StubAnswer, ...flags: ReadonlyArray<string>) => {
    const server = await StubServer.start(() => answer)
    started.push(server)
    const cwd = folder()
    const ran = await run(["audit", "package", "shop/t1", "--save", "a.tar", ...flags], {
      cwd,
      env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "key-0123456789", ATTESTRY_ORG: "acme" }
    })
    return { ...ran, files: readdirSync(cwd) }
  }

  it("ends with 5 and leaves no file", async () => {
    for (const body of ["", "no archive", "\0".repeat(1_024)]) {
      const { code, files } = await against({ body })
      assert.deepStrictEqual([code, files], [5, []], body.slice(0, 20))
    }
  })

  it("is saved unread with --no-verify", async () => {
    const { code, files, stdout } = await against({ body: "no archive" }, "--no-verify")
    assert.deepStrictEqual([code, files], [0, ["a.tar"]])
    assert.include(stdout, "not verified")
  })

  it("ends as any call does for a refusal", async () => {
    for (const [status, expected] of [
      [401, 4],
      [403, 4],
      [404, 3],
      [400, 6],
      [503, 5]
    ] as const) {
      const { code, files } = await against({ status, body: '{"message": "no"}' })
      assert.deepStrictEqual([code, files], [expected, []])
    }
  })
})
