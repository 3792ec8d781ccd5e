/** What a start costs over bare Node, in CPU time of the bundle: the least of several runs. */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folder } from "./shared/Run.js"
import * as StubServer from "./shared/StubServer.js"

const RUNS = 15
const VERSION_MS_MAX = 20
const REQUEST_MS_MAX = 150

const bundle = join(import.meta.dirname, "../dist/bundle/attestry.js")
const place = folder()
const probe = join(place, "probe.mjs")
const result = join(place, "result")

writeFileSync(
  probe,
  `import { writeFileSync } from "node:fs"
process.on("exit", () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(${JSON.stringify(result)}, String((user + system) / 1000))
})
`
)

const measure = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", probe, ...args], {
      env: { ...process.env, ...env },
      stdio: "ignore"
    })
    child.on("close", (code) =>
      code === 0
        ? resolve(Number(readFileSync(result, "utf8")))
        : reject(new Error(`ended with ${code}`))
    )
  })

describe("a start", () => {
  const started: { server?: StubServer.StubServer } = {}
  beforeAll(async () => {
    started.server = await StubServer.start(() => ({
      body: JSON.stringify({ name: "ada", type: "user", orgs: [], api_key: { expires_at: null } })
    }))
  })
  afterAll(() => started.server?.stop())

  it("costs at most 20 ms for the version and 150 ms for one request", async () => {
    const env = {
      ATTESTRY_URL: started.server?.url ?? "",
      ATTESTRY_API_KEY: "abcdefghijkl",
      ATTESTRY_CONFIG_DIR: place
    }
    const least = {
      bare: Number.POSITIVE_INFINITY,
      version: Number.POSITIVE_INFINITY,
      request: Number.POSITIVE_INFINITY
    }
    for (let at = 0; at < RUNS; at++) {
      least.bare = Math.min(least.bare, await measure(["-e", "0"], env))
      least.version = Math.min(least.version, await measure([bundle, "--version"], env))
      least.request = Math.min(least.request, await measure([bundle, "whoami"], env))
    }
    console.log(
      `bare ${least.bare} ms, --version ${least.version} ms, one request ${least.request} ms`
    )
    assert.isAtMost(least.version - least.bare, VERSION_MS_MAX)
    assert.isAtMost(least.request - least.bare, REQUEST_MS_MAX)
  })
})
