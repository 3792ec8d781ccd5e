/** Spans reach the configured collector, with names of use cases and without secrets. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { start } from "./shared/ServerProcess.js"

const startCollector = async () => {
  const received: Array<{
    readonly path: string
    readonly body: string
    readonly authorization: string | undefined
  }> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const { authorization } = request.headers
    received.push({ path: request.url ?? "", body, authorization })
    response.end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() }
}

describe("ATTESTRY_OTLP_ENDPOINT", () => {
  it("sends a span for each use case to the collector", async () => {
    const collector = await startCollector()
    const server = await start({ ATTESTRY_STORE: "memory", ATTESTRY_OTLP_ENDPOINT: collector.url })
    const { key = "", org = "" } = server
    const answer = await fetch(`${server.url}/api/v2/flows/${org}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "traced", description: "" })
    })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    collector.close()
    const traces = collector.received.filter(({ path }) => path === "/v1/traces")
    assert.match(traces.map(({ body }) => body).join(), /"name":"Flows\.put"/)
    for (const { body } of collector.received) assert.notInclude(body, key)
  })

  it("sends the credentials of the URL as a header", async () => {
    const collector = await startCollector()
    const server = await start({
      ATTESTRY_STORE: "memory",
      ATTESTRY_OTLP_ENDPOINT: collector.url.replace("://", "://otlp:p%40ss@")
    })
    await fetch(`${server.url}/live`)
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    collector.close()
    assert.isAbove(collector.received.length, 0)
    for (const { authorization } of collector.received)
      assert.strictEqual(authorization, `Basic ${btoa("otlp:p@ss")}`)
  })
})
