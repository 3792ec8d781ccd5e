/** The example prints a key, serves with it, and stops after a signal. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let server: ChildProcess | undefined
const printed = new Map<string, string>()

beforeAll(async () => {
  const program = join(import.meta.dirname, "../dist/main.js")
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

afterAll(() => void server?.kill("SIGKILL"))

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

  it("stops after SIGTERM", async () => {
    const child = server
    assert.isDefined(child)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
  })
})
