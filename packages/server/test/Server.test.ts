/** The server process: first and second start, graceful stop, errors at the start. */
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeDataFolder } from "../../embedded-postgres/test/DataFolder.js"
import { runToEnd, type ServerProcess, start } from "./shared/ServerProcess.js"

const put = (server: Pick<ServerProcess, "url">, org: string, key: string, name: string) =>
  fetch(`${server.url}/api/v2/flows/${org}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name, description: "" })
  })

const getFlow = (server: ServerProcess, org: string, key: string, name: string) =>
  fetch(`${server.url}/api/v2/flows/${org}/${name}`, {
    headers: { authorization: `Bearer ${key}` }
  })

describe("attestry-server", () => {
  let folder = ""
  let first: ServerProcess
  const env = () => ({
    ATTESTRY_DATA_DIR: join(folder, "data"),
    ATTESTRY_BOOTSTRAP_ORG: "acme"
  })
  beforeAll(async () => {
    folder = await makeDataFolder()
    first = await start(env())
  })
  afterAll(async () => {
    first?.child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  })

  it("refuses a second server on the same folder, and names the process that has it", async () => {
    const { code, output } = await runToEnd(["--port", "0"], env())
    assert.strictEqual(code, 1)
    assert.match(output, new RegExp(`attestry-server: .*${first.child.pid}`))
  })

  it("shows a key once, keeps its data, and stops with 0", async () => {
    const { key = "", org = "" } = first
    assert.strictEqual(org, "acme")
    assert.include(first.shown, `${first.url}/api/v2/doc/`)
    assert.include(first.shown, `curl -X PUT ${first.url}/api/v2/flows/acme`)
    assert.strictEqual((await put(first, org, key, "kept")).status, 201)
    assert.strictEqual(await first.stop("SIGTERM"), 0)

    const second = await start(env())
    assert.strictEqual(second.key, undefined)
    assert.strictEqual((await getFlow(second, org, key, "kept")).status, 200)
    assert.strictEqual(await second.stop("SIGINT"), 0)
  })
})

describe("attestry-server", () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await start({ ATTESTRY_STORE: "memory" })
  })
  afterAll(async () => {
    if (server !== undefined) assert.strictEqual(await server.stop("SIGTERM"), 0)
  })

  it("serves probes, metrics, the OpenAPI document and its page", async () => {
    for (const path of [
      "/live",
      "/ready",
      "/metrics",
      "/api/v2/openapi.json",
      "/api/v2/doc/",
      "/api/v2/doc/page.js",
      "/api/v2/doc/swagger-ui.css",
      "/api/v2/doc/swagger-ui-bundle.js"
    ]) {
      const answer = await fetch(server.url + path)
      assert.strictEqual(answer.status, 200, path)
      assert.isNotEmpty(await answer.text(), path)
    }
    const withoutSlash = await fetch(`${server.url}/api/v2/doc`)
    assert.deepStrictEqual(
      [withoutSlash.status, withoutSlash.redirected, withoutSlash.url],
      [200, true, `${server.url}/api/v2/doc/`]
    )
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    assert.match(metrics, /^# TYPE attestry_http_requests_total counter$/m)
    assert.match(metrics, /^attestry_http_requests_total\{operation="page",status="200"\} \d+$/m)
  })

  it("finishes a request under way before it exits", async () => {
    const stopping = await start({ ATTESTRY_STORE: "memory" })
    const { key = "", org = "" } = stopping
    const body = JSON.stringify({ name: "under-way", description: "" })
    const upload = request(`${stopping.url}/api/v2/flows/${org}`, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": body.length,
        expect: "100-continue"
      }
    })
    const answered = once(upload, "response")
    upload.flushHeaders()
    await once(upload, "continue")
    const stopped = stopping.stop("SIGTERM")
    let ready = 200
    while (ready === 200) ready = (await fetch(`${stopping.url}/ready`)).status
    assert.strictEqual(ready, 503)
    upload.end(body)
    const [answer] = await answered
    assert.strictEqual(answer.statusCode, 201)
    assert.strictEqual(answer.headers.connection, "close")
    answer.resume()
    assert.strictEqual(await stopped, 0)
  })

  it("reports an invalid value and exits with 1", async () => {
    const { code, output } = await runToEnd(["--port", "eighty"], { ATTESTRY_STORE: "tape" })
    assert.strictEqual(code, 1)
    assert.match(output, /--port: .*eighty/)
    assert.match(output, /ATTESTRY_STORE: Input should be 'embedded', 'memory' or 'postgres'/)
  })

  it("reports that the port is taken", async () => {
    const port = new URL(server.url).port
    const { code, output } = await runToEnd(["--port", port], { ATTESTRY_STORE: "memory" })
    assert.strictEqual(code, 1)
    assert.match(output, /cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE/)
  })

  it("reports that the database is unreachable and exits with 1", async () => {
    const { code, output } = await runToEnd(["--port", "0"], {
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none"
    })
    assert.strictEqual(code, 1)
    assert.notInclude(output, "hunter2")
  })
})
