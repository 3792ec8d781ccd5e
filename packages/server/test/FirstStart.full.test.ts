/** The first key reaches the operator or is not made, and later starts tell how to get another one. */

import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runToEnd, type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

const statusWith = async ({ url }: ServerProcess, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${url}/api/v2/user/default-org`, { headers })).status
}

const onFolder = (folder: string) => ({
  ATTESTRY_DATA_DIR: join(folder, "data"),
  ATTESTRY_BOOTSTRAP_ORG: "acme",
  ATTESTRY_BOOTSTRAP_USER: "ada"
})

// WHY one folder: a start that fails must leave nothing behind, so the next test starts on the same folder.
describe("starts on one folder", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "attestry-server-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("fail without a key when the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const { port } = other.address() as AddressInfo
    const { code, output } = await runToEnd(["--port", String(port)], onFolder(folder))
    other.close()
    assert.strictEqual(code, 1)
    assert.match(output, /EADDRINUSE/)
    assert.notInclude(output, "attestry_user_")
  })

  it("fail without a key when deliveries cannot be set up", async () => {
    const env = { ...onFolder(folder), ATTESTRY_OUTBOUND_CA: join(folder, "none.pem") }
    const { code, output } = await runToEnd(["--port", "0"], env)
    assert.strictEqual(code, 1)
    assert.notInclude(output, "attestry_user_")
  })

  it("fail when the key file cannot be written", async () => {
    const file = join(folder, "not-a-folder", "key")
    writeFileSync(join(folder, "not-a-folder"), "")
    const env = { ...onFolder(folder), ATTESTRY_BOOTSTRAP_KEY_FILE: file }
    const { code, output } = await runToEnd(["--port", "0"], env)
    assert.strictEqual(code, 1)
    assert.match(output, /ATTESTRY_BOOTSTRAP_KEY_FILE: cannot (read|write) `.*key`: ENOTDIR/)
  })

  it("show the key when one succeeds after those failures", async () => {
    const server = await start(onFolder(folder))
    assert.strictEqual(await statusWith(server, server.key ?? ""), 200)
    assert.strictEqual(await server.stop("SIGTERM"), 0)
  })

  it("show the orgs and how to issue a key when an org exists", async () => {
    const env = onFolder(folder)
    const server = await start(env)
    assert.include(server.shown, "  Orgs           acme\n")
    assert.include(server.shown, "attestry-server key issue --user LOGIN")
    const command = (...words: ReadonlyArray<string>) => runToEnd([...words, "--json"], env)
    const orgs = JSON.parse((await command("org", "list")).output)
    assert.deepStrictEqual(Object.keys(orgs[0]), ["id", "name", "created_at"])
    assert.strictEqual(orgs[0].name, "acme")
    assert.match(orgs[0].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const users = JSON.parse((await command("user", "list")).output)
    assert.strictEqual(users.length, 1)
    assert.include(users[0], { login: "ada", org: "acme", role: "admin" })
    assert.match(users[0].since, /^\d{4}-\d\d-\d\dT/)
    await server.stop("SIGTERM")
    assert.isTrue(existsSync(join(folder, "data")))
  })
})

describe("ATTESTRY_BOOTSTRAP_KEY_FILE", () => {
  it("gets the key, readable by its owner alone, and the key is shown nowhere", async () => {
    await withFolder(async (folder) => {
      const file = join(folder, "key")
      const env = { ...onFolder(folder), ATTESTRY_BOOTSTRAP_KEY_FILE: file }
      const server = await start(env)
      assert.include(server.shown, `  API key        in ${file}\n`)
      assert.notInclude(server.shown, "attestry_user_")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const key = readFileSync(file, "utf8").trim()
      assert.strictEqual(await statusWith(server, key), 200)
      await server.stop("SIGTERM")
      const again = await start(env)
      assert.strictEqual(readFileSync(file, "utf8").trim(), key)
      assert.strictEqual(await statusWith(again, key), 200)
      await again.stop("SIGTERM")
    })
  })

  it("gives the key when it exists", async () => {
    await withFolder(async (folder) => {
      const { code, output: key } = await runToEnd(["key", "generate"])
      assert.strictEqual(code, 0)
      assert.match(key, /^attestry_user_[0-9a-f]{28}_[0-9A-Za-z]{36}\n$/)
      mkdirSync(join(folder, "secret"))
      const file = join(folder, "secret", "key")
      writeFileSync(file, key)
      chmodSync(file, 0o400)
      const env = { ATTESTRY_STORE: "memory", ATTESTRY_BOOTSTRAP_KEY_FILE: file }
      const server = await start(env)
      assert.notInclude(server.shown, "attestry_user_")
      assert.strictEqual(await statusWith(server, key.trim()), 200)
      await server.stop("SIGTERM")
      chmodSync(file, 0o600)
      writeFileSync(file, "hunter2\n")
      const wrong = await runToEnd(["--port", "0"], env)
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.output, /ATTESTRY_BOOTSTRAP_KEY_FILE: `.*key` does not hold an API key/)
      assert.notInclude(wrong.output, "hunter2")
    })
  })
})

describe("--version", () => {
  it("prints the version of the package", async () => {
    const file = join(import.meta.dirname, "../package.json")
    const { version } = JSON.parse(readFileSync(file, "utf8"))
    const printed = { code: 0, output: `attestry-server ${version}\n` }
    assert.deepStrictEqual(await runToEnd(["--version"]), printed)
    assert.deepStrictEqual(await runToEnd(["version"]), printed)
  })
})
