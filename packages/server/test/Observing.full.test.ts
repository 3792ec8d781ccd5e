/** Logs, spans, metrics and links of a running server. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { onDatabase } from "./shared/Database.js"
import { EXECUTABLE, runToEnd, type ServerProcess, start } from "./shared/ServerProcess.js"

const errorsOf = (server: ServerProcess) => {
  let text = ""
  server.child.stderr?.on("data", (chunk: string) => (text += chunk))
  return () => text
}

const until = async (condition: () => boolean) => {
  for (let tries = 0; tries < 1_200 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Lists repositories; the text in the query must appear nowhere. */
const list = (server: ServerProcess, headers: { readonly [name: string]: string } = {}) =>
  fetch(`${server.url}/api/v2/repos/${server.org}?search=secret`, {
    headers: { authorization: `Bearer ${server.key}`, ...headers }
  })

const hasScript = (() => {
  try {
    execFileSync("script", ["--version"])
    return true
  } catch {
    return false
  }
})()

describe("logs", () => {
  it("are lines of JSON without a terminal, and include requests when `ATTESTRY_ACCESS_LOG` is on", async () => {
    const server = await start({
      ATTESTRY_STORE: "memory",
      ATTESTRY_LOG_LEVEL: "info",
      ATTESTRY_ACCESS_LOG: "on"
    })
    const errors = errorsOf(server)
    await list(server, { "x-request-id": "seen" })
    await until(() => errors().includes("seen"))
    const lines = errors()
      .split("\n")
      .filter((text) => text.includes("seen"))
    assert.strictEqual(lines.length, 1)
    const [line] = lines
    const [message, { millis, from, ...fields }] = JSON.parse(line ?? "{}").message
    assert.strictEqual(message, "request")
    assert.isNumber(millis)
    assert.strictEqual(from, "127.0.0.1")
    assert.deepStrictEqual(fields, {
      method: "GET",
      path: `/api/v2/repos/${server.org}`,
      status: 200,
      operation: "repo.list",
      org: server.org,
      requestId: "seen"
    })
    await server.stop("SIGTERM")
  })

  it("do not include requests by default", async () => {
    const server = await start({ ATTESTRY_STORE: "memory", ATTESTRY_LOG_LEVEL: "info" })
    const errors = errorsOf(server)
    await list(server, { "x-request-id": "unseen" })
    await server.stop("SIGTERM")
    assert.notInclude(errors(), "unseen")
  })

  // WHY conditional: `script` makes the terminal.
  it.runIf(hasScript)("are text on a terminal", async () => {
    const command = `${process.execPath} ${EXECUTABLE} --port 0`
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { PATH: process.env.PATH, ATTESTRY_STORE: "memory", ATTESTRY_PROT: "1" }
    })
    let shown = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text))
    await until(() => shown.includes("listening"))
    child.kill("SIGTERM")
    await once(child, "exit")
    assert.match(
      shown,
      /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}listening url=http:\/\/127\.0\.0\.1:\d+\r?$/m
    )
    assert.match(
      shown,
      /Z WARN {2}ATTESTRY_PROT: there is no such setting: did you mean `ATTESTRY_PORT`\?\r?$/m
    )
  })
})

describe("--port 0", () => {
  it("puts the actual port into links", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
    const answer = await fetch(`${server.url}/api/v2/flows/${server.org}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "shop", description: "" })
    })
    assert.strictEqual(answer.status, 201)
    const trail = await fetch(`${server.url}/api/v2/trails/${server.org}/shop`, {
      method: "PUT",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "build-1" })
    })
    assert.isBelow(trail.status, 300)
    const found = await fetch(`${server.url}/api/v2/trails/${server.org}/shop/build-1`, {
      headers: { authorization: `Bearer ${server.key}` }
    })
    const text = await found.text()
    assert.notInclude(text, ":0/")
    assert.include(text, `${server.url}/${server.org}/flows/shop/trails/build-1`)
    await server.stop("SIGTERM")
  })
})

describe("an unknown name", () => {
  it("is reported with the nearest known one", async () => {
    const outputOf = async (...words: ReadonlyArray<string>) => (await runToEnd(words)).output
    assert.include(
      await outputOf("--prot", "1"),
      "--prot: there is no such flag: did you mean `--port`?"
    )
    assert.include(
      await outputOf("key", "isue", "--user", "ada"),
      "there is no command `key isue`: did you mean `key issue`?"
    )
    assert.include(
      await outputOf("user", "list", "--orgg", "acme"),
      "--orgg: there is no such flag: did you mean `--org`?"
    )
  })
})

describe("an invalid database URL", () => {
  it.each([
    ["mysql://u:hunter2@host/db", "Input should begin with postgres:// or postgresql://"],
    ["postgres://u:hunter2@one:5432,two:5432/db", "Input names several hosts"],
    ["postgres://u:hunter2@host:54x/db", "Input has a port that is no number from 1 to 65535"],
    ["postgres://u:hunter2/hunter2@host/db", "Input has a port that is no number"],
    ["postgres://u:hunter2@hunter2@host/db", "Input has more than one `@`"],
    ["postgres://u:hunter2%zz@host/db", "Input has a `%` that begins no code"],
    ["postgres://u:hunter2@ho st/db", "Input has white space in it"]
  ])("is reported without any part of it", async (url, problem) => {
    const { code, output } = await runToEnd(["migrate", "--store", "postgres"], {
      ATTESTRY_DATABASE_URL: url
    })
    assert.strictEqual(code, 1)
    assert.include(output, `ATTESTRY_DATABASE_URL: ${problem}`)
    assert.notInclude(output, "hunter2")
  })
})

describe("/metrics", () => {
  it("has help texts and metrics of the process and of the pool", async () => {
    await onDatabase(async (env) => {
      const server = await start(env)
      await list(server)
      const text = await (await fetch(`${server.url}/metrics`)).text()
      for (const line of [
        /^# HELP attestry_http_requests_total Requests served, by operation and status$/m,
        /^# HELP process_resident_memory_bytes .+$/m,
        /^process_resident_memory_bytes [1-9]\d{7,}$/m,
        /^process_cpu_seconds_total \d+(\.\d+)?$/m,
        /^# TYPE process_cpu_seconds_total counter$/m,
        /^process_start_time_seconds \d{10}(\.\d+)?$/m,
        /^attestry_database_pool_connections\{state="busy"\} \d+$/m,
        /^attestry_database_pool_connections\{state="idle"\} \d+$/m,
        /^attestry_database_pool_connections_max 10$/m,
        /^attestry_database_pool_waiting \d+$/m
      ]) {
        assert.match(text, line)
      }
      const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
      const helped = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name)
      assert.deepStrictEqual(
        // WHY: metrics of Effect's runtime have no description.
        names.filter((name) => !name?.startsWith("effect_") && !helped.includes(name)),
        []
      )
      await server.stop("SIGTERM")
    })
  })
})

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: object }>
}

describe("spans", () => {
  it("include one for each request, which continues the caller's trace", async () => {
    const spans: Array<Span> = []
    const collector = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      if (request.url === "/v1/traces") {
        for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
          for (const scope of scopeSpans) spans.push(...scope.spans)
        }
      }
      response.end("{}")
    })
    collector.listen(0, "127.0.0.1")
    await once(collector, "listening")
    const { port } = collector.address() as AddressInfo
    const server = await start({
      ATTESTRY_STORE: "memory",
      ATTESTRY_OTLP_ENDPOINT: `http://127.0.0.1:${port}`
    })
    const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
    await list(server, { traceparent: `00-${traceId}-${spanId}-01`, "x-request-id": "traced" })
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    collector.close()
    const mine = spans.filter((span) => span.traceId === traceId)
    const own = mine.filter(({ name }) => name === "repo.list")
    assert.strictEqual(own.length, 1)
    assert.strictEqual(own[0]?.parentSpanId, spanId)
    const attributes = Object.fromEntries(
      own[0]?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []
    )
    assert.deepInclude(attributes, {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "attestry.operation": "repo.list",
      "attestry.request_id": "traced",
      "attestry.org": server.org
    })
    const inner = mine.find(({ name }) => name === "Repos.list")
    assert.strictEqual(inner?.parentSpanId, own[0]?.spanId)
  })
})
