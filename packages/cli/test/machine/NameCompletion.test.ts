/** Names of the deployment complete a line: quickly, from a file for a minute, and never with an error. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeAll, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const started: Array<StubServer.StubServer> = []

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
})

const serverOf = async (answer: StubServer.StubAnswer) => {
  const server = await StubServer.start(() => answer)
  started.push(server)
  return server
}

const complete = async (home: string, url: string, ...words: ReadonlyArray<string>) => {
  const env = { ATTESTRY_URL: url, ATTESTRY_API_KEY: "abcdefghijkl", ATTESTRY_ORG: "acme" }
  return run(["__complete", "--", ...words], { home, env })
}

const NAMES = JSON.stringify([{ name: "prod" }, { name: "prod-eu" }, { name: "staging\u001b[2J" }])

describe("completion of names", () => {
  // WHY: what the first request loads takes longer here than the answer is waited for.
  beforeAll(async () => {
    const { url } = await serverOf({ body: NAMES })
    await complete(folder(), url, "log", "")
  })

  it("gives names for flags and for positionals", async () => {
    const { url } = await serverOf({ body: NAMES })
    const home = folder()
    assert.strictEqual((await complete(home, url, "log", "pr")).stdout, "prod\nprod-eu\n")
    const flag = await complete(home, url, "assert", "artifact", "--environment", "prod-")
    assert.strictEqual(flag.stdout, "prod-eu\n")
    assert.strictEqual((await complete(home, url, "tag", "flow", "pr")).stdout, "prod\nprod-eu\n")
    assert.strictEqual((await complete(home, url, "put", "policy", "pr")).stdout, "prod\nprod-eu\n")
    assert.notInclude((await complete(home, url, "log", "st")).stdout, "\u001b")
  })

  it("asks once in a minute, and keeps the names for this user alone", async () => {
    const server = await serverOf({ body: NAMES })
    const home = folder()
    await complete(home, server.url, "log", "")
    await complete(home, server.url, "log", "")
    assert.lengthOf(server.requests, 1)
    const cache = join(home, ".cache/attestry")
    for (const file of readdirSync(cache))
      assert.strictEqual(statSync(join(cache, file)).mode & 0o777, 0o600)
    await run(["__complete", "--", "log", ""], {
      home,
      env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl", ATTESTRY_ORG: "acme" },
      host: { now: () => Date.now() + 61_000 }
    })
    assert.lengthOf(server.requests, 2)
  })

  it("gives no names and no error where the server refuses, is silent or is not there", async () => {
    const refusing = await serverOf({ status: 403, body: '{"message":"no"}' })
    const silent = await serverOf({ hangs: true })
    for (const url of [refusing.url, silent.url, "http://127.0.0.1:1"]) {
      const begun = performance.now()
      const { code, stdout, stderr } = await complete(folder(), url, "log", "x")
      assert.deepStrictEqual([code, stdout, stderr], [0, "", ""])
      assert.isBelow(performance.now() - begun, 3_000)
    }
  })
})
