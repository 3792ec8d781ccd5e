/** The spool: evidence waits for a server that is down, keeps its order, and arrives once. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { folder, type Machine, run } from "../shared/Run.js"
import { onBothStores } from "../shared/TestDeployment.js"
import { JOB } from "../shared/TestJob.js"
import * as Gate from "./Gate.js"

onBothStores("the spool", (deployment) => {
  const started: { gate?: Gate.Gate } = {}
  const gate = () => {
    if (started.gate === undefined) throw new Error("the gate has not started")
    return started.gate
  }
  const state = { spool: "", count: 0 }
  const cwd = folder()
  beforeAll(async () => {
    started.gate = await Gate.start(deployment().url)
    writeFileSync(join(cwd, "sbom.json"), '{"a":1}')
    writeFileSync(join(cwd, "web"), "web")
  })
  afterAll(() => started.gate?.stop())
  beforeEach(() => {
    state.spool = join(folder(), "spool")
    state.count++
    gate().isOpen = false
  })
  const trail = () => `trail-${state.count}-`
  const machine = (more: Machine = {}): Machine => ({
    cwd,
    ...more,
    env: {
      ...JOB,
      ATTESTRY_URL: gate().url,
      ATTESTRY_API_KEY: deployment().keys.admin,
      ATTESTRY_ORG: "acme",
      ATTESTRY_FLOW: "shop",
      ATTESTRY_TRAIL: trail(),
      ATTESTRY_SPOOL_DIR: state.spool,
      ATTESTRY_IF_UNREACHABLE: "spool",
      ATTESTRY_RETRIES: "0",
      ...more.env
    }
  })
  const cli = (argv: ReadonlyArray<string>, more: Machine = {}) => run(argv, machine(more))
  const attest = (name: string, ...more: ReadonlyArray<string>) =>
    cli(["attest", "generic", "-n", name, ...more])
  const waiting = () =>
    existsSync(state.spool)
      ? readdirSync(state.spool).filter((name) => /^[0-9A-Z]{26}$/.test(name))
      : []
  const attestations = async (): Promise<ReadonlyArray<{ name: string; annotations: object }>> => {
    const argv = ["list", "attestations", "--flow", "shop", "--all", "-o", "json"]
    const { stdout, stderr } = await cli(argv, { env: { ATTESTRY_URL: deployment().url } })
    const list: ReadonlyArray<{ [name: string]: unknown }> = JSON.parse(
      stdout === "" ? stderr : stdout
    )
    return list
      .filter((each) => JSON.stringify(each).includes(trail()))
      .map((each) => ({
        name: String(each.attestation_name),
        annotations: Object(each.annotations)
      }))
  }

  it("is not used unless that was asked for, and never by assertions and reports", async () => {
    const { code } = await cli(["begin"], { env: { ATTESTRY_IF_UNREACHABLE: "fail" } })
    assert.strictEqual(code, 5)
    assert.strictEqual((await cli(["begin", "--if-unreachable", "fail"])).code, 5)
    assert.strictEqual((await cli(["assert", "trail"])).code, 5)
    assert.strictEqual((await cli(["report", "paths", "e", "--path", "web=web"])).code, 5)
    assert.strictEqual((await cli(["begin"], { env: { ATTESTRY_IF_UNREACHABLE: "x" } })).code, 2)
    assert.isFalse(existsSync(state.spool))
  })

  it("keeps evidence with its files for this user alone, warns, and holds no credential", async () => {
    const env = join(cwd, "env")
    const begun = await cli(["begin", "--export", "-o", "json"], { env: { GITHUB_ENV: env } })
    assert.strictEqual(begun.code, 0, begun.stderr)
    assert.deepInclude(JSON.parse(begun.stdout), { spooled: true, waiting: 1 })
    assert.include(readFileSync(env, "utf8"), `ATTESTRY_TRAIL=${trail()}`)
    assert.match(begun.stderr, /warning: http:.* did not answer.*; spooled as \w{26}, 1 waiting/)
    assert.match(begun.stderr, /^::warning title=attestry::/m)
    const artifact = await cli(["attest", "artifact", "web", "--slot", "web"])
    assert.strictEqual(artifact.code, 0, artifact.stderr)
    assert.include(artifact.stdout, "is spooled for")
    await attest("sbom", "--attach", "sbom.json")
    assert.lengthOf(waiting(), 3)
    const modeOf = (...path: ReadonlyArray<string>) =>
      statSync(join(state.spool, ...path)).mode & 0o777
    const [, , last = ""] = waiting().sort()
    assert.deepStrictEqual(
      [modeOf(), modeOf(last), modeOf(last, "entry.json"), modeOf(last, "0")],
      [0o700, 0o700, 0o600, 0o600]
    )
    assert.strictEqual(readFileSync(join(state.spool, last, "0"), "utf8"), '{"a":1}')
    for (const id of waiting())
      for (const name of readdirSync(join(state.spool, id)))
        assert.notInclude(
          readFileSync(join(state.spool, id, name), "utf8"),
          deployment().keys.admin
        )
    for (const form of ["json", "pipe", "tty"] as const) {
      const flags = form === "json" ? ["-o", "json"] : []
      const { stdout } = await cli(["spool", "list", ...flags], { tty: form === "tty" })
      const shown = stdout.replaceAll(state.spool, "SPOOL").replaceAll(trail(), "<trail>")
      golden(`spool-list.${form}`, shown)
    }
  })

  it("sends in the order of recording, with the time of recording, and is empty then", async () => {
    await cli(["begin"])
    await attest("a", "--attach", "sbom.json", "--annotate", "by=me")
    await attest("b")
    gate().isOpen = true
    const sent = await cli(["spool", "send", "-o", "json"])
    assert.strictEqual(sent.code, 0, sent.stderr)
    const value = JSON.parse(sent.stdout)
    assert.deepStrictEqual(
      value.sent.map(({ label }: { label: string }) => label),
      [`begin shop/${trail()}`, "generic a", "generic b"]
    )
    golden("spool-send-all.json", sent.stdout.replaceAll(trail(), "<trail>"))
    const found = await attestations()
    assert.sameMembers(
      found.map(({ name }) => name),
      ["a", "b"]
    )
    const [a] = found.filter(({ name }) => name === "a")
    assert.deepStrictEqual(Object.keys(a?.annotations ?? {}).sort(), ["by", "recorded_at"])
    assert.deepStrictEqual(waiting(), [])
    const again = await cli(["spool", "send"])
    assert.deepStrictEqual([again.code, again.stdout], [0, "sent 0 of 0\n"])
    assert.strictEqual((await cli(["spool", "list"])).stdout, "nothing waits\n")
  })

  it("takes what follows for the same trail while something waits, and nothing of others", async () => {
    await attest("a")
    gate().isOpen = true
    const behind = await attest("b")
    assert.include(behind.stderr, `1 of trail ${trail()} of flow shop wait`)
    assert.lengthOf(waiting(), 2)
    const other = await cli(["attest", "generic", "-n", "c", "-T", "other"])
    assert.notInclude(other.stderr, "spooled")
    const { stdout, code } = await cli(["spool", "send"])
    assert.deepStrictEqual([code, stdout.includes("sent 2 of 2   generic a, generic b")], [0, true])
  })

  it("stops at the first entry without an answer, and ends with 8", async () => {
    await attest("a")
    await attest("b")
    const { code, stdout, stderr } = await cli(["spool", "send"])
    assert.deepStrictEqual([code, stdout], [8, "sent 0 of 2\n"])
    assert.include(stderr, "did not answer")
    assert.lengthOf(waiting(), 2)
  })

  it("moves what is refused aside with the answer, and sends what lies behind", async () => {
    await cli(["attest", "custom", "sbom.json", "--type-name", "nowhere", "-n", "x"])
    await attest("b")
    gate().isOpen = true
    const { code, stdout } = await cli(["spool", "send"])
    assert.strictEqual(code, 8)
    assert.include(stdout, "refused custom x")
    assert.deepStrictEqual(waiting(), [])
    const [refused = ""] = readdirSync(join(state.spool, "refused"))
    const answer = JSON.parse(
      readFileSync(join(state.spool, "refused", refused, "answer.json"), "utf8")
    )
    assert.include([3, 6], answer.error.exit)
    assert.include((await cli(["spool", "list"])).stdout, "refused")
    assert.sameMembers(
      (await attestations()).map(({ name }) => name),
      ["b"]
    )
  })

  it("keeps everything for a key that is not allowed, and ends with 4", async () => {
    await attest("a")
    gate().isOpen = true
    const { code } = await cli(["spool", "send"], {
      env: { ATTESTRY_API_KEY: deployment().keys.reader }
    })
    assert.strictEqual(code, 4)
    assert.lengthOf(waiting(), 1)
  })

  it("records once when a process dies between the answer and the removal", async () => {
    await attest("a")
    const copy = join(folder(), "copy")
    cpSync(state.spool, copy, { recursive: true })
    gate().isOpen = true
    assert.strictEqual((await cli(["spool", "send"])).code, 0)
    cpSync(copy, state.spool, { recursive: true })
    assert.strictEqual((await cli(["spool", "send"])).code, 0)
    assert.lengthOf(await attestations(), 1)
  })

  it("lets one process send at a time, and passes over the lock of a dead one", async () => {
    await attest("a")
    gate().isOpen = true
    const lock = join(state.spool, "sending")
    writeFileSync(lock, String(process.pid))
    const { code, stderr } = await cli(["spool", "send"])
    assert.deepStrictEqual([code, stderr.includes(`process ${process.pid}`)], [8, true])
    writeFileSync(lock, "999999999")
    assert.strictEqual((await cli(["spool", "send"])).code, 0)
    assert.isFalse(existsSync(lock))
  })

  it("sends nothing that was changed or damaged on the disk", async () => {
    await attest("a", "--attach", "sbom.json")
    await attest("b")
    const [first = "", second = ""] = waiting().sort()
    writeFileSync(join(state.spool, first, "0"), "something else")
    writeFileSync(join(state.spool, second, "entry.json"), "{")
    gate().isOpen = true
    const { code, stdout, stderr } = await cli(["spool", "send"])
    assert.strictEqual(code, 8)
    assert.include(stdout, "is not what was recorded")
    assert.include(stderr, `entry ${second} of the spool is damaged`)
    assert.deepStrictEqual(waiting(), [second])
  })

  it("sends nothing to another deployment than it was meant for", async () => {
    await attest("a")
    const { code, stdout } = await cli(["spool", "send"], {
      env: { ATTESTRY_URL: deployment().url }
    })
    assert.deepStrictEqual([code, stdout.includes("it is for http")], [8, true])
    assert.lengthOf(waiting(), 1)
  })

  it("drops an entry where that is confirmed", async () => {
    await attest("a")
    const [id = ""] = waiting()
    assert.strictEqual((await cli(["spool", "drop", id])).code, 2)
    assert.strictEqual((await cli(["spool", "drop", id], { tty: true, typed: ["n"] })).code, 2)
    assert.strictEqual((await cli(["spool", "drop", "0".repeat(26), "--yes"])).code, 3)
    assert.strictEqual((await cli(["spool", "drop", "../../x", "--yes"])).code, 3)
    assert.lengthOf(waiting(), 1)
    const { code, stdout } = await cli(["spool", "drop", id, "--yes"])
    assert.deepStrictEqual([code, stdout], [0, `dropped ${id}\n`])
    assert.deepStrictEqual(waiting(), [])
  })

  it("takes so many bytes, and no more", async () => {
    const payload = async (max: string) =>
      cli(["attest", "generic", "-n", "a", "--attach", "sbom.json"], {
        env: { ATTESTRY_SPOOL_MAX: max, ATTESTRY_SPOOL_DIR: join(folder(), "s") }
      })
    const sizes = { low: 1, high: 100_000 }
    while (sizes.high - sizes.low > 1) {
      const middle = Math.floor((sizes.low + sizes.high) / 2)
      if ((await payload(String(middle))).code === 0) sizes.high = middle
      else sizes.low = middle
    }
    const refused = await payload(String(sizes.low))
    assert.strictEqual(refused.code, 5)
    assert.include(refused.stderr, "did not answer")
    assert.include(refused.stderr, "ATTESTRY_SPOOL_MAX")
    assert.strictEqual((await payload("much")).code, 2)
  })

  it("takes 1,000 entries, and no more", async () => {
    await attest("first")
    const [first = ""] = waiting()
    for (let at = 0; at < 998; at++) {
      const id = `0${String(at).padStart(25, "0")}`
      cpSync(join(state.spool, first), join(state.spool, id), { recursive: true })
    }
    assert.strictEqual((await attest("last")).code, 0)
    assert.lengthOf(waiting(), 1_000)
    const { code, stderr } = await attest("more")
    assert.deepStrictEqual([code, stderr.includes("1000 entries")], [5, true])
  })

  it("stays 5 with both reasons where the disk takes nothing, and 2 where others may write", async () => {
    const file = join(folder(), "file")
    writeFileSync(file, "")
    const below = await cli(["begin"], { env: { ATTESTRY_SPOOL_DIR: join(file, "spool") } })
    assert.strictEqual(below.code, 5)
    assert.include(below.stderr, "did not answer")
    assert.include(below.stderr, "the spool cannot take it")
    mkdirSync(state.spool, { recursive: true })
    chmodSync(state.spool, 0o777)
    assert.strictEqual((await cli(["begin"])).code, 2)
    assert.strictEqual((await cli(["spool", "send"])).code, 2)
  })

  it("has no answer for --assert, and ends with 5 though it is kept", async () => {
    const { code, stderr } = await attest("a", "--assert")
    assert.deepStrictEqual([code, stderr.includes("spool send")], [5, true])
    assert.lengthOf(waiting(), 1)
  })
})
