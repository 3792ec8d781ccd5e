/** Requests over sockets on loopback: what the receiver gets, and what is refused. */
import { rootCertificates } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Layer, Option } from "effect"
import { afterEach, vi } from "vitest"
import * as GuardedHttpClientNode from "../../src/node/GuardedHttpClientNode.js"
import * as DnsServer from "./DnsServer.js"
import { client, name, post, quiet, reasonOf, scripted } from "./Posting.js"
import * as Receiver from "./Receiver.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("GuardedHttpClientNode, requests", () => {
  it.scopedLive("sends the request to the address, with the name in Host and SNI", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const outcome = yield* post(receiver, { body: '{"text":"ü"}' })
      deepStrictEqual(outcome, { status: 204, retryAfter: Option.none() })
      deepStrictEqual(receiver.received, [
        {
          method: "POST",
          path: "/hook?x=1",
          headers: {
            "content-type": "application/json",
            host: `${name}:${receiver.port}`,
            "content-length": "13",
            connection: "keep-alive"
          },
          body: '{"text":"ü"}',
          servername: name
        }
      ])
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("adds no tracing header and sets the headers of the connection itself", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const headers = {
        Host: "evil.example",
        "Content-Length": "1",
        Connection: "upgrade",
        Upgrade: "h2c",
        Expect: "100-continue",
        "Transfer-Encoding": "chunked",
        "Proxy-Authorization": "Basic x",
        "webhook-id": "msg_1"
      }
      yield* Effect.withSpan(post(receiver, { headers, body: new Uint8Array([123, 125]) }), "outer")
      deepStrictEqual(receiver.received[0]?.headers, {
        "webhook-id": "msg_1",
        host: `${name}:${receiver.port}`,
        "content-length": "2",
        connection: "keep-alive"
      })
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("matches an address literal against the addresses of the certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const { status } = yield* post(receiver, { url: `https://127.0.0.1:${receiver.port}/` })
      assert.strictEqual(status, 204)
      assert.strictEqual(receiver.received[0]?.servername, false)
      assert.strictEqual(receiver.received[0]?.headers.host, `127.0.0.1:${receiver.port}`)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("does not follow a redirect", () =>
    Effect.gen(function* () {
      const elsewhere = yield* Receiver.https()
      const receiver = yield* Receiver.https((response) =>
        response.writeHead(307, { location: `https://${name}:${elsewhere.port}/` }).end()
      )
      assert.strictEqual((yield* post(receiver)).status, 307)
      assert.strictEqual(elsewhere.connections.opened, 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("reports the status and Retry-After of a response", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) =>
        response.writeHead(429, { "retry-after": "7" }).end("slow down")
      )
      deepStrictEqual(yield* post(receiver), {
        status: 429,
        retryAfter: Option.some(Duration.seconds(7))
      })
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("uses no proxy", () =>
    Effect.gen(function* () {
      const proxy = yield* Receiver.silent()
      for (const variable of [
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy"
      ]) {
        vi.stubEnv(variable, `http://127.0.0.1:${proxy.port}`)
      }
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      const receiver = yield* Receiver.https()
      const { status } = yield* Effect.provide(post(receiver), client())
      assert.strictEqual(status, 204)
      assert.strictEqual(proxy.connections.opened, 0)
    })
  )
})

describe("GuardedHttpClientNode, refusals", () => {
  it.scopedLive("opens no connection to loopback unless it is permitted", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const urls = [name, "127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "2130706433"]
      for (const host of urls) {
        const url = `https://${host}:${receiver.port}/`
        assert.strictEqual(yield* reasonOf(post(receiver, { url })), "blocked destination")
      }
      assert.strictEqual(receiver.connections.opened, 0)
    }).pipe(Effect.provide(client({ allow: [] })))
  )

  it.scopedLive("opens no connection when one of the addresses is not permitted", () => {
    const { layer } = scripted(["8.8.8.8", "127.0.0.2"], ["127.0.0.2", "8.8.8.8"])
    return Effect.gen(function* () {
      const receiver = yield* Receiver.https(undefined, { host: "127.0.0.2" })
      assert.strictEqual(yield* reasonOf(post(receiver)), "blocked destination")
      assert.strictEqual(yield* reasonOf(post(receiver)), "blocked destination")
      assert.strictEqual(receiver.connections.opened, 0)
    }).pipe(Effect.provide(client({}, layer)))
  })

  it.scopedLive("never dials the address that a name was rebound to", () => {
    const { layer, queries } = scripted(["127.0.0.1"], ["127.0.0.2"])
    return Effect.gen(function* () {
      const outside = yield* Receiver.https()
      const inside = yield* Receiver.https(undefined, { host: "127.0.0.2", port: outside.port })
      assert.strictEqual((yield* post(outside)).status, 204)
      assert.strictEqual(queries.length, 1)
      assert.strictEqual(yield* reasonOf(post(outside)), "blocked destination")
      assert.strictEqual(queries.length, 2)
      assert.strictEqual(outside.received.length, 1)
      assert.strictEqual(inside.connections.opened, 0)
    }).pipe(Effect.provide(client({}, layer)))
  })

  it.scopedLive("refuses the address of a rebinding name server", () =>
    Effect.gen(function* () {
      const answers = ["127.0.0.1", "127.0.0.2"]
      const resolver = yield* DnsServer.make(({ type }) => ({
        addresses: type === "A" ? [answers.shift() ?? "127.0.0.2"] : []
      }))
      const outside = yield* Receiver.https()
      const inside = yield* Receiver.https(undefined, { host: "127.0.0.2", port: outside.port })
      const both = Effect.all([Effect.either(post(outside)), Effect.either(post(outside))])
      const outcomes = yield* Effect.provide(
        both,
        GuardedHttpClientNode.layerWithResolver({
          resolver,
          allow: ["127.0.0.1"],
          extraCa: Receiver.certificate
        }).pipe(Layer.provide(quiet))
      )
      deepStrictEqual(
        outcomes.map(({ _tag }) => _tag),
        ["Right", "Left"]
      )
      assert.strictEqual(inside.connections.opened, 0)
    })
  )

  it.scopedLive("refuses a certificate for another name", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const url = `https://other.attestry.example:${receiver.port}/`
      assert.strictEqual(yield* reasonOf(post(receiver, { url })), "tls")
      assert.strictEqual(receiver.received.length, 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("refuses an untrusted certificate, also with NODE_TLS_REJECT_UNAUTHORIZED=0", () =>
    Effect.gen(function* () {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
      const receiver = yield* Receiver.https()
      const stranger = GuardedHttpClientNode.layer({ allow: ["127.0.0.1"] }).pipe(
        Layer.provide([scripted(["127.0.0.1"]).layer, quiet])
      )
      assert.strictEqual(yield* reasonOf(Effect.provide(post(receiver), stranger)), "tls")
      assert.strictEqual(receiver.received.length, 0)
    })
  )

  it.scopedLive("trusts NODE_EXTRA_CA_CERTS beside the option", () =>
    Effect.gen(function* () {
      vi.stubEnv("NODE_EXTRA_CA_CERTS", Receiver.certificateFile)
      const receiver = yield* Receiver.https()
      const other = client({ extraCa: rootCertificates[0] ?? "" })
      assert.strictEqual((yield* Effect.provide(post(receiver), other)).status, 204)
      vi.stubEnv("NODE_EXTRA_CA_CERTS", `${Receiver.certificateFile}.missing`)
      assert.strictEqual(yield* reasonOf(Effect.provide(post(receiver), other)), "tls")
    })
  )

  it.scopedLive("refuses a header that would split the request", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const headers = { "x-note": "a\r\nhost: evil.example" }
      assert.strictEqual(yield* reasonOf(post(receiver, { headers })), "invalid request")
      assert.strictEqual(receiver.connections.opened, 0)
    }).pipe(Effect.provide(client()))
  )
})
