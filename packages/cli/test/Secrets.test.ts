/** A key is nowhere to be seen, whatever a command does and whatever a server answers. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { COMMANDS } from "../src/CommandTree.js"
import { folder, run } from "./shared/Run.js"
import * as StubServer from "./shared/StubServer.js"
import { onMemoryStore } from "./shared/TestDeployment.js"

/** Served on the stdin of this process until that ends; its tools run the other commands (`mcp/Mcp.test.ts`). */
const ENDLESS = ["mcp"]
const KEY = "canary-key-0123456789"

describe("a key", () => {
  const started: { server?: StubServer.StubServer } = {}
  beforeAll(async () => {
    started.server = await StubServer.start((request) => ({
      status: 400,
      body: JSON.stringify({ message: `you sent ${request.headers.authorization}` })
    }))
  })
  afterAll(() => started.server?.stop())

  it("is not printed by any command, not even when the server sends it back", async () => {
    const env = { ATTESTRY_URL: started.server?.url ?? "", ATTESTRY_API_KEY: KEY }
    for (const { words, positionals } of COMMANDS) {
      if (ENDLESS.includes(words.join(" "))) continue
      const given = positionals.filter(({ required }) => required).map(() => "bash")
      for (const more of [
        ["-v", "-v"],
        ["-v", "-o", "json"]
      ]) {
        const about = ["--org", "acme"]
        const { stdout, stderr } = await run([...words, ...given, ...about, ...more], { env })
        assert.notInclude(stdout + stderr, KEY, words.join(" "))
      }
    }
  })

  it("does not go to the address of a profile that was not named", async () => {
    const home = folder()
    const config = join(home, ".config/attestry")
    mkdirSync(config, { recursive: true })
    const text = `current: a\nprofiles:\n  a: { url: "${started.server?.url}" }\n`
    writeFileSync(join(config, "config.yaml"), text, { mode: 0o600 })
    const before = started.server?.requests.length
    const env = { ATTESTRY_API_KEY: KEY }
    assert.strictEqual((await run(["whoami"], { home, env })).code, 4)
    assert.strictEqual(started.server?.requests.length, before)
    assert.strictEqual((await run(["whoami", "--profile", "a"], { home, env })).code, 6)
  })

  it("of a profile does not go to another address", async () => {
    const home = folder()
    const config = join(home, ".config/attestry")
    mkdirSync(config, { recursive: true })
    const text =
      'current: a\nprofiles:\n  a: { url: "https://a.example.com", key: { file: a.key } }\n'
    writeFileSync(join(config, "config.yaml"), text, { mode: 0o600 })
    writeFileSync(join(config, "a.key"), KEY, { mode: 0o600 })
    const before = started.server?.requests.length
    const { code } = await run(["whoami", "--url", started.server?.url ?? ""], { home })
    assert.deepStrictEqual([code, started.server?.requests.length], [4, before])
  })

  it("is refused in a file that others may read, and settings in one that others may write", async () => {
    const home = folder()
    const config = join(home, ".config/attestry")
    mkdirSync(config, { recursive: true })
    const text = `current: a\nprofiles:\n  a: { url: "${started.server?.url}", key: { file: a.key } }\n`
    writeFileSync(join(config, "config.yaml"), text, { mode: 0o600 })
    writeFileSync(join(config, "a.key"), KEY, { mode: 0o644 })
    assert.strictEqual((await run(["whoami"], { home })).code, 2)
    const open = folder()
    mkdirSync(join(open, ".config/attestry"), { recursive: true })
    const file = join(open, ".config/attestry/config.yaml")
    writeFileSync(file, text)
    const { chmodSync } = await import("node:fs")
    chmodSync(file, 0o666)
    assert.strictEqual((await run(["whoami"], { home: open })).code, 2)
  })

  it("may come from a program, which is run without a shell", async () => {
    const home = folder()
    const config = join(home, ".config/attestry")
    mkdirSync(config, { recursive: true })
    const command = JSON.stringify(["node", "-e", `console.log("${KEY}")`])
    const text = `current: a\nprofiles:\n  a: { url: "${started.server?.url}", key: { command: ${command} } }\n`
    writeFileSync(join(config, "config.yaml"), text, { mode: 0o600 })
    assert.strictEqual((await run(["whoami"], { home })).code, 6)
    assert.strictEqual(started.server?.requests.at(-1)?.headers.authorization, `Bearer ${KEY}`)
  })
})

onMemoryStore("login", (deployment) => {
  const home = folder()

  it("tries the key, stores it for this user alone, and uses it from then on", async () => {
    const { url, keys } = deployment()
    const ran = await run(["login", "--url", url, "--key-stdin"], {
      home,
      stdin: `${keys.member}\n`
    })
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.notInclude(ran.stdout + ran.stderr, keys.member)
    const config = join(home, ".config/attestry")
    for (const name of readdirSync(config))
      assert.strictEqual(statSync(join(config, name)).mode & 0o777, 0o600, name)
    assert.notInclude(readFileSync(join(config, "config.yaml"), "utf8"), keys.member)
    const { stdout } = await run(["whoami", "-q"], { home })
    assert.strictEqual(stdout, "max\n")
  })

  it("asks on a terminal", async () => {
    const { url, keys } = deployment()
    const typed = [url, keys.reader]
    const ran = await run(["login", "--profile", "other"], { home: folder(), tty: true, typed })
    assert.strictEqual(ran.code, 0, ran.stderr)
  })

  it("stores nothing for a key that opens nothing", async () => {
    const { url } = deployment()
    const empty = folder()
    const ran = await run(["login", "--url", url, "--key-stdin"], {
      home: empty,
      stdin: "wrong-key"
    })
    assert.strictEqual(ran.code, 4)
    assert.deepStrictEqual(readdirSync(empty), [])
  })

  it("lists, uses and removes profiles", async () => {
    const { url, keys } = deployment()
    const argv = ["login", "--url", url, "--profile", "b", "--key-stdin"]
    assert.strictEqual((await run(argv, { home, stdin: keys.admin })).code, 0)
    assert.strictEqual((await run(["whoami", "-q"], { home })).stdout, "ada\n")
    assert.strictEqual((await run(["config", "use", "default"], { home })).code, 0)
    assert.strictEqual((await run(["whoami", "-q"], { home })).stdout, "max\n")
    assert.strictEqual((await run(["config", "set", "org", "acme"], { home })).code, 0)
    assert.strictEqual((await run(["config", "use", "none"], { home })).code, 2)
    assert.strictEqual((await run(["logout", "--profile", "b"], { home })).code, 0)
    assert.strictEqual((await run(["whoami", "--profile", "b"], { home })).code, 2)
  })
})
