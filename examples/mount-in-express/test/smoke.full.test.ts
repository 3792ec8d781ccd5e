/** The application serves its own routes and the API. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let server: ChildProcess | undefined
const printed = new Map<string, string>()

beforeAll(async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js")], {
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

describe("mount-in-express", () => {
  it("serves the application, the probes and the API side by side", async () => {
    const url = printed.get("url") ?? ""
    assert.include(await (await fetch(url)).text(), "there before")
    assert.strictEqual(await (await fetch(`${url}/ready`)).text(), "OK")
    const headers = {
      authorization: `Bearer ${printed.get("key")}`,
      "content-type": "application/json"
    }
    const flows = `${url}/api/v2/flows/acme`
    const body = JSON.stringify({ name: "shop", description: "" })
    const put = await fetch(flows, { method: "PUT", headers, body })
    assert.deepStrictEqual([put.status, await put.json()], [201, "OK"])
    const listed = await fetch(flows, { headers })
    assert.match(await listed.text(), /^\[\{.*"name":"shop"/)
    assert.strictEqual((await fetch(flows)).status, 401)
    const unknown = await fetch(`${url}/api/v2/nothing`, { headers })
    assert.deepStrictEqual(await unknown.json(), { message: "Not Found" })
    const text = await (await fetch(`${url}/api/v2/doc/`)).text()
    assert.include(text, "swagger-ui-bundle.js")
    for (const [, source = ""] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.notMatch(source, /^(?:https?:)?\/\//)
      assert.strictEqual((await fetch(`${url}/api/v2/doc/${source}`)).status, 200, source)
    }
  })

  it("stops after SIGTERM", async () => {
    const child = server
    assert.isDefined(child)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
  })
})
