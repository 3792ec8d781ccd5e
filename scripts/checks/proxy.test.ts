/** `deploy/nginx-readers.conf` with a real nginx: what it sends to readers, and that it repeats what they hand on. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "../../packages/api/src/Api.js"
import * as RouteTable from "../../packages/http/src/shared/internal/RouteTable.js"
import * as Repository from "./shared/Repository.js"

const FILE = "deploy/nginx-readers.conf"

const IS_MISSING = spawnSync("nginx", ["-v"]).status !== 0

it.runIf(process.env.ATTESTRY_REQUIRE_PROXY_TOOLS === "1")(
  "finds `nginx`, of Debian's package `nginx-light`",
  () => {
    assert.isFalse(IS_MISSING)
  }
)

describe("the locations of readers", () => {
  it("are the POSTs that read, and no others", () => {
    const [, pattern = ""] = /location ~ (\S+) \{/.exec(Repository.read(FILE)) ?? []
    const posts = RouteTable.routesOf(Api).filter(({ method }) => method === "POST")
    for (const { path, rule } of posts) {
      const example = path.replaceAll(/:[a-z_]+/g, "x").replace(/^(?!\/api)/, "/api/v2")
      assert.deepStrictEqual([example, new RegExp(pattern).test(example)], [example, rule.reads])
    }
  })
})

interface Backend {
  readonly port: number
  readonly server: Http.Server
  readonly seen: Array<string>
}

/** A server that writes down what it gets; a reader hands on what has `handed-on` in its path. */
const backend = async (isReader: boolean): Promise<Backend> => {
  const seen: Array<string> = []
  const server = Http.createServer(async (request, response) => {
    let body = ""
    for await (const piece of request) body += piece
    seen.push(`${request.method} ${request.url} ${body.length}`)
    const isHandedOn = isReader && (request.url ?? "").includes("handed-on")
    response.writeHead(isHandedOn ? 503 : 200, isHandedOn ? { "attestry-handed-on": "1" } : {})
    response.end(isReader ? "reader" : "writer")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // WHY: a server that listens on a port has an address of this kind.
  return { port: (server.address() as AddressInfo).port, server, seen }
}

describe.skipIf(IS_MISSING)("the proxy in front of readers", () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-proxy-"))
  let nginx: ChildProcess
  let reader: Backend
  let writer: Backend
  let url = ""

  const ask = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      ...(body === undefined ? {} : { body })
    })
    return `${response.status} ${await response.text()}`
  }

  beforeAll(async () => {
    reader = await backend(true)
    writer = await backend(false)
    const free = await backend(false)
    free.server.close()
    const text = Repository.read(FILE)
      .replaceAll("reader1:8080", `127.0.0.1:${reader.port}`)
      .replace(/^ *server reader2.*\n/m, "")
      .replaceAll("writer1:8080", `127.0.0.1:${writer.port}`)
      .replace("listen 8080;", `listen 127.0.0.1:${free.port};`)
      .replace("http {", `http {\n  access_log off;\n  client_body_temp_path ${folder}/body;\n`)
    const file = join(folder, "nginx.conf")
    // WHY: as root nginx works as another account, which has no access to the folder.
    const user = process.getuid?.() === 0 ? "user root;\n" : ""
    writeFileSync(
      file,
      `${user}daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\n${text}`
    )
    nginx = spawn("nginx", ["-c", file, "-p", folder], { stdio: "ignore" })
    url = `http://127.0.0.1:${free.port}`
    for (let turn = 0; ; turn++) {
      const isUp = await fetch(`${url}/up`).then(
        () => true,
        () => false
      )
      if (isUp) break
      if (turn > 100) throw new Error("nginx does not start")
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }, 30_000)

  afterAll(async () => {
    nginx.kill("SIGTERM")
    await once(nginx, "exit")
    reader.server.close()
    writer.server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("sends what reads to a reader, and what writes to a writer", async () => {
    assert.strictEqual(await ask("GET", "/flows/acme"), "200 reader")
    assert.strictEqual(await ask("POST", "/policies/acme/lint", "{}"), "200 reader")
    assert.strictEqual(await ask("PUT", "/flows/acme", "{}"), "200 writer")
    assert.strictEqual(await ask("POST", "/policies/acme", "{}"), "200 writer")
  })

  it("asks a writer what a reader hands on, with the whole body, and the reader again afterwards", async () => {
    for (let turn = 0; turn < 20; turn++) {
      assert.strictEqual(await ask("GET", "/flows/handed-on"), "200 writer")
      assert.strictEqual(await ask("GET", "/flows/acme"), "200 reader")
    }
    const body = "x".repeat(300_000)
    assert.strictEqual(await ask("POST", "/policies/handed-on/backtest", body), "200 writer")
    assert.include(writer.seen, "POST /api/v2/policies/handed-on/backtest 300000")
  })

  it("asks a writer when no reader is there", async () => {
    reader.server.closeAllConnections()
    reader.server.close()
    assert.strictEqual(await ask("GET", "/flows/acme"), "200 writer")
  })
})
