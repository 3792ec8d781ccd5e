/** The example as an operator would run it: it prints a key, serves with it, and stops when told. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { build } from "esbuild"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let folder = ""
let server: ChildProcess | undefined
const printed = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-server-"))
  const program = join(folder, "main.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "../main.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@attestry/source"],
    // WHY: a dependency in CommonJS asks for modules of node at run time.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)'
    }
  })
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  server = child
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = "", value = ""] = line.split(" ")
    printed.set(name, value)
    if (name === "key") break
  }
})

afterAll(async () => {
  server?.kill("SIGKILL")
  await rm(folder, { recursive: true })
})

describe("server-memory", () => {
  it("serves with the key that it printed", async () => {
    const url = `${printed.get("url")}/api/v2/environments/${printed.get("org")}`
    const headers = {
      authorization: `Bearer ${printed.get("key")}`,
      "content-type": "application/json"
    }
    const body = JSON.stringify({ name: "production", type: "docker" })
    const put = await fetch(url, { method: "PUT", headers, body })
    const get = await fetch(`${url}/production`, { headers })
    const stranger = await fetch(`${url}/production`)
    assert.deepStrictEqual([put.status, await put.json()], [201, "OK"])
    assert.strictEqual(get.status, 200)
    assert.deepInclude(await get.json(), { org: "acme", name: "production", type: "docker" })
    assert.strictEqual(stranger.status, 401)
  })

  it("stops when told", async () => {
    const child = server
    assert.isDefined(child)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
  })
})
