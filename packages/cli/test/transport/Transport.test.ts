/** The wire: certificates of a private authority, proxies, slow and broken servers, redirects and repeated writes. */
import { spawnSync } from "node:child_process"
import { createServer, type IncomingMessage } from "node:http"
import { createServer as createSecureServer } from "node:https"
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Socket
} from "node:net"
import * as HttpProxy from "@attestry/client/node/HttpProxy"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import * as Certificates from "./Certificates.js"

const KEY = "canary-key-0123456789"
const ANSWER = JSON.stringify({ name: "ada", orgs: [], actor: { name: "ada" } })
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0

const stops: Array<() => void> = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const listening = (server: {
  readonly listen: (port: number, host: string, done: () => void) => unknown
  readonly address: () => AddressInfo | string | null
}): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

const secure = async ({ cert, key }: Certificates.Certificate) => {
  const requests: Array<IncomingMessage> = []
  const server = createSecureServer({ cert, key }, (request, response) => {
    requests.push(request)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(ANSWER)
  })
  stops.push(() => server.close())
  return { port: await listening(server), requests }
}

/** A proxy that tunnels and forwards, and may ask for a password. */
const proxy = async (password?: string) => {
  const asked: Array<string> = []
  const isAllowed = (request: IncomingMessage) =>
    password === undefined ||
    request.headers["proxy-authorization"] ===
      `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (!isAllowed(request)) {
      response.writeHead(407).end()
      return
    }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(ANSWER)
  })
  server.on("connect", (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (!isAllowed(request)) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
      return
    }
    const [, port = "0"] = (request.url ?? "").split(":")
    const onward = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
  })
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: await listening(server), asked }
}

const whoami = (
  url: string,
  env: { readonly [name: string]: string } = {},
  more: ReadonlyArray<string> = []
) =>
  run(["whoami", "--retries", "0", "--timeout", "3s", ...more], {
    env: { ATTESTRY_URL: url, ATTESTRY_API_KEY: KEY, ...env }
  })

describe.skipIf(!has("openssl"))("TLS", () => {
  const made: { authority?: Certificates.Authority; other?: Certificates.Authority } = {}
  beforeAll(() => {
    made.authority = Certificates.authority()
    made.other = Certificates.authority()
  })
  const authority = () => made.authority ?? Certificates.authority()
  const other = () => made.other ?? Certificates.authority()

  it("is spoken with a private authority that --ca-file or its variable names", async () => {
    const { port } = await secure(authority().sign("IP:127.0.0.1"))
    const url = `https://127.0.0.1:${port}`
    const flag = await whoami(url, {}, ["--ca-file", authority().file])
    assert.strictEqual(flag.code, 0, flag.stderr)
    const variable = await whoami(url, { ATTESTRY_CA_FILE: authority().file })
    assert.strictEqual(variable.code, 0, variable.stderr)
  })

  it("ends with 5 for an unknown authority, and nothing is sent", async () => {
    const { port, requests } = await secure(authority().sign("IP:127.0.0.1"))
    const url = `https://127.0.0.1:${port}`
    for (const more of [[], ["--ca-file", other().file]]) {
      const { code, stderr } = await whoami(url, {}, more)
      assert.strictEqual(code, 5)
      assert.include(stderr, "--ca-file")
      assert.notInclude(stderr, KEY)
    }
    assert.lengthOf(requests, 0)
  })

  it("exits with 5 for a certificate of another name, expired or not yet valid, and says which", async () => {
    const rows = [
      [authority().sign("DNS:other.test"), "is for DNS:other.test, not for 127.0.0.1", "address?"],
      [authority().sign("IP:127.0.0.1", -1), "of 127.0.0.1 was valid until", "doctor"],
      [authority().signLater("IP:127.0.0.1"), "2098", "is the clock of this machine right?"]
    ] as const
    for (const [certificate, said, hint] of rows) {
      const { port, requests } = await secure(certificate)
      const { code, stderr } = await whoami(`https://127.0.0.1:${port}`, {}, [
        "--ca-file",
        authority().file
      ])
      assert.strictEqual(code, 5)
      for (const text of [said, hint, "subject `server`, issuer `Private authority`"])
        assert.include(stderr, text)
      assert.lengthOf(requests, 0)
    }
  })

  it("says who signed a certificate that is not trusted, also behind a proxy", async () => {
    const { port } = await secure(authority().sign("IP:127.0.0.1"))
    const through = await proxy()
    const url = `https://127.0.0.1:${port}`
    for (const env of [{}, { HTTPS_PROXY: `http://127.0.0.1:${through.port}` }]) {
      const { code, stderr } = await whoami(url, env)
      assert.strictEqual(code, 5)
      assert.include(stderr, "is signed by an authority that is not trusted")
      assert.include(stderr, "issuer `Private authority`")
      assert.include(stderr, "a proxy that inspects TLS")
    }
  })

  it("goes through a proxy's tunnel, and the certificate is checked all the same", async () => {
    const { port, requests } = await secure(authority().sign("IP:127.0.0.1"))
    const through = await proxy()
    const env = { HTTPS_PROXY: `http://127.0.0.1:${through.port}` }
    const url = `https://127.0.0.1:${port}`
    const ran = await whoami(url, env, ["--ca-file", authority().file])
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.deepStrictEqual(through.asked, [`CONNECT 127.0.0.1:${port}`])
    assert.strictEqual((await whoami(url, env)).code, 5)
    assert.lengthOf(requests, 1)
  })

  it("is 2 for a file of certificates that cannot be read", async () => {
    assert.strictEqual((await whoami("https://127.0.0.1:1", {}, ["--ca-file", "/none"])).code, 2)
  })
})

describe("a proxy", () => {
  it("gets requests without TLS whole, and its password is never shown", async () => {
    const through = await proxy("proxy-pass-123")
    const env = { http_proxy: `http://ada:proxy-pass-123@127.0.0.1:${through.port}` }
    const ran = await whoami("http://127.0.0.1:9", env, ["-v", "-v"])
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.match(through.asked[0] ?? "", /^GET http:\/\/127\.0\.0\.1:9\/api\/v2\//)
    assert.notInclude(ran.stdout + ran.stderr, "proxy-pass-123")
  })

  it("that asks for a password is named without one, with 5", async () => {
    const through = await proxy("proxy-pass-123")
    const address = `127.0.0.1:${through.port}`
    const env = { HTTPS_PROXY: `http://ada:wrong-pass-1@${address}` }
    const { code, stderr } = await whoami("https://attestry.example.com", env)
    assert.strictEqual(code, 5)
    assert.include(stderr, address)
    assert.include(stderr, "407")
    assert.notInclude(stderr, "wrong-pass-1")
  })

  it("that does not answer is 5, and is named", async () => {
    const { code, stderr } = await whoami("https://attestry.example.com", {
      HTTPS_PROXY: "http://127.0.0.1:1"
    })
    assert.strictEqual(code, 5)
    assert.include(stderr, "127.0.0.1:1")
  })

  const RULES: ReadonlyArray<readonly [string, string, boolean]> = [
    ["example.com", "https://example.com", true],
    ["example.com", "https://a.example.com", true],
    ["example.com", "https://notexample.com", false],
    [".example.com", "https://a.example.com", true],
    ["*.example.com", "https://a.example.com", true],
    ["example.com:8443", "https://example.com:8443", true],
    ["example.com:8443", "https://example.com", false],
    ["other.test, example.com", "https://example.com", true],
    ["*", "https://example.com", true],
    ["127.0.0.1", "http://127.0.0.1:8080", true],
    ["", "https://example.com", false]
  ]
  for (const [rule, url, isExcepted] of RULES)
    it(`is ${isExcepted ? "not asked" : "asked"} for ${url} with NO_PROXY=${rule}`, () => {
      const env = { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://p:1", NO_PROXY: rule }
      assert.strictEqual(HttpProxy.of(new URL(url), env) === undefined, isExcepted)
    })
})

/** A server that sends these bytes, and then closes the connection or keeps it open. */
const raw = async (bytes: string, end: "close" | "stay") => {
  const sockets: Array<Socket> = []
  const server = createSocketServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    socket.on("data", () => {
      socket.write(bytes)
      if (end === "close") socket.end()
    })
  })
  stops.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server)}`
}

describe("a server that breaks", () => {
  const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
  const ROWS: ReadonlyArray<readonly [string, string, "close" | "stay"]> = [
    ["ends without an answer", "", "close"],
    ["ends within its headers", "HTTP/1.1 200 OK\r\ncontent-ty", "close"],
    ["ends within its body", `${HEAD}content-length: 500\r\n\r\n{"a":`, "close"],
    ["speaks no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "close"],
    ["stands still within its body", `${HEAD}content-length: 500\r\n\r\n{"a":`, "stay"],
    ["sends headers without end", `${HEAD}x: ${"a".repeat(70_000)}`, "stay"]
  ]
  for (const [what, bytes, end] of ROWS)
    it(`and ${what} is 5`, async () => {
      const url = await raw(bytes, end)
      const ran = await run(
        ["whoami", "--retries", "0", "--timeout", end === "stay" ? "500ms" : "30s"],
        {
          env: { ATTESTRY_URL: url, ATTESTRY_API_KEY: KEY }
        }
      )
      assert.strictEqual(ran.code, 5, ran.stderr)
      assert.strictEqual(ran.stdout, "")
    })
})

describe("a write", () => {
  const ARGV = ["attest", "generic", "-n", "x", "-f", "shop", "-T", "t", "--org", "acme"]
  const write = async (answers: ReadonlyArray<StubServer.StubAnswer>, retries = "3") => {
    const waiting = [...answers]
    const server = await StubServer.start(() => waiting.shift() ?? { status: 500, body: "{}" })
    const ran = await run([...ARGV, "--retries", retries, "--timeout", "2s"], {
      env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY }
    })
    await server.stop()
    return { ...ran, requests: server.requests }
  }
  const done = { status: 201, body: JSON.stringify({ outcome: "created", is_compliant: true }) }

  it("is repeated after a broken connection and after 503, under one idempotency key", async () => {
    const { code, stderr, requests } = await write([
      { breaks: true },
      { status: 503, headers: { "retry-after": "0" }, body: "{}" },
      done
    ])
    assert.strictEqual(code, 0, stderr)
    assert.lengthOf(requests, 3)
    const keys = new Set(requests.map(({ headers }) => headers["idempotency-key"]))
    assert.strictEqual(keys.size, 1)
  })

  it("waits as long as Retry-After asks, up to 30 seconds, and then no more", async () => {
    const busy = (seconds: string, status = 503) => ({
      status,
      headers: { "retry-after": seconds },
      body: JSON.stringify({ message: "busy" })
    })
    assert.lengthOf((await write([busy("1", 429), done])).requests, 2)
    for (const status of [429, 503]) {
      const { code, requests } = await write([busy("31", status), done])
      assert.deepStrictEqual([code, requests.length], [5, 1])
    }
  })

  it("is not repeated after 500 and after a refusal", async () => {
    for (const status of [400, 409, 500]) {
      const { requests } = await write([{ status, body: JSON.stringify({ message: "no" }) }])
      assert.lengthOf(requests, 1, String(status))
    }
  })

  it("does not follow a redirect, and says where it was", async () => {
    const elsewhere = await StubServer.start(() => done)
    const { code, stderr } = await write([
      {
        status: 308,
        headers: { location: elsewhere.url, "content-type": "text/html" },
        body: "<h1>Moved</h1>"
      }
    ])
    assert.strictEqual(code, 5)
    assert.include(stderr, "308")
    assert.lengthOf(elsewhere.requests, 0)
    await elsewhere.stop()
  })

  it("that a portal answers with a page is 5, with the page's heading", async () => {
    const { code, stderr } = await write([
      { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Sign in</h1>" }
    ])
    assert.strictEqual(code, 5, stderr)
  })
})

afterAll(() => {
  for (const stop of stops.splice(0)) stop()
})
