/** The server process: first and second start, graceful stop, errors at the start. */
import { once } from "node:events"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { runToEnd, type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

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
  it("shows a key once, keeps its data, and stops with 0", async () => {
    await withFolder(async (folder) => {
      const env = { ATTESTRY_DATA_DIR: join(folder, "data"), ATTESTRY_BOOTSTRAP_ORG: "acme" }
      const first = await start(env)
      const { key = "", org = "" } = first
      assert.strictEqual(org, "acme")
      assert.include(first.shown, `${first.url}/api/v2/doc/`)
      assert.include(first.shown, `curl -X PUT ${first.url}/api/v2/flows/acme`)
      assert.strictEqual((await put(first, org, key, "kept")).status, 201)
      assert.strictEqual(await first.stop("SIGTERM"), 0)

      const second = await start(env)
      assert.strictEqual(second.key, undefined)
      assert.strictEqual((await getFlow(second, org, key, "kept")).status, 200)
      assert.strictEqual(await second.stop("SIGINT"), 0)
    })
  })

  it("refuses a second server on the same folder, and names the process that has it", async () => {
    await withFolder(async (folder) => {
      const env = { ATTESTRY_DATA_DIR: join(folder, "data") }
      const first = await start(env)
      const { code, output } = await runToEnd(["--port", "0"], env)
      assert.strictEqual(code, 1)
      assert.match(output, new RegExp(`attestry-server: .*${first.child.pid}`))
      assert.strictEqual(await first.stop("SIGTERM"), 0)
    })
  })

  it("serves probes, metrics, the OpenAPI document and its page", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
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
    assert.strictEqual(await server.stop("SIGTERM"), 0)
  })

  it("finishes a request under way before it exits", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
    const { key = "", org = "" } = server
    const body = JSON.stringify({ name: "under-way", description: "" })
    const upload = request(`${server.url}/api/v2/flows/${org}`, {
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
    const stopped = server.stop("SIGTERM")
    let ready = 200
    while (ready === 200) ready = (await fetch(`${server.url}/ready`)).status
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
    const server = await start({ ATTESTRY_STORE: "memory" })
    const port = new URL(server.url).port
    const { code, output } = await runToEnd(["--port", port], { ATTESTRY_STORE: "memory" })
    assert.strictEqual(code, 1)
    assert.match(output, /cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE/)
    await server.stop("SIGTERM")
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
