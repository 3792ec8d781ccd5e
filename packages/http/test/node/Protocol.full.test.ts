/** HTTP on a real socket: malformed, slow and ambiguous requests, and connections that stay open. */
import * as Net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeServer from "../../src/node/NodeServer.js"

const BODY = '{"message":"fine"}'

const serving = NodeServer.make(
  () =>
    Effect.succeed({ status: 200, headers: { "content-type": "application/json" }, body: BODY }),
  { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }
)

/** Sends texts in order and reads until the server closes, or until this many responses. */
const exchange = (port: number, texts: ReadonlyArray<string>, answers = Number.POSITIVE_INFINITY) =>
  Effect.async<{ readonly text: string; readonly closed: boolean; readonly ms: number }>(
    (resume) => {
      const began = performance.now()
      let text = ""
      const socket = Net.connect(port, "127.0.0.1", () => {
        for (const part of texts) socket.write(part)
      })
      const done = (closed: boolean) => {
        socket.destroy()
        resume(Effect.succeed({ text, closed, ms: performance.now() - began }))
      }
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1")
        if (text.split("HTTP/1.1 ").length - 1 >= answers && text.includes("\r\n\r\n")) {
          setTimeout(() => done(socket.destroyed), 200)
        }
      })
      socket.on("error", () => {})
      socket.on("close", () => done(true))
    }
  )

/** Status, type and message of the first response. */
const read = (text: string) => ({
  status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
  type: /\r\ncontent-type: ([^\r]*)/i.exec(text)?.[1],
  message: /\{"message":"([^"]*)"\}/.exec(text)?.[1]
})

const refused = (status: number, message: string) => ({
  status,
  type: "application/json",
  message
})

describe("a request that HTTP does not allow", () => {
  const cases: ReadonlyArray<readonly [string, string, ReturnType<typeof refused>]> = [
    ["nonsense", "GARBAGE\r\n\r\n", refused(400, "the request is not valid HTTP")],
    [
      "two Host headers",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      refused(400, "the request has more than one Host header")
    ],
    ["no Host header", "GET / HTTP/1.1\r\n\r\n", refused(400, "the request has no Host header")],
    [
      "two ways to say how long the body is",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      refused(400, "the request is not valid HTTP")
    ],
    [
      "headers of more than 16 KiB",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      refused(431, "the headers of the request have too many bytes")
    ],
    [
      "an expectation that is not met",
      "GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n",
      refused(417, "the only expectation that is met is 100-continue")
    ],
    [
      "CONNECT",
      "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
      refused(405, "CONNECT is not allowed here: this is no proxy")
    ]
  ]
  for (const [name, request, expected] of cases) {
    it.scopedLive(`gets the documented error response: ${name}`, () =>
      Effect.gen(function* () {
        const { port } = yield* serving
        const { text, closed } = yield* exchange(port, [request])
        assert.deepStrictEqual({ ...read(text), closed }, { ...expected, closed: true })
      })
    )
  }

  it.scopedLive(
    "is cut off with 408 when its headers take longer than 15 s",
    () =>
      Effect.gen(function* () {
        const { port } = yield* serving
        const { text, ms } = yield* exchange(port, ["GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
        assert.deepStrictEqual(
          read(text),
          refused(408, "the request did not arrive within the time that is allowed")
        )
        assert.isAtLeast(ms, 15_000)
        assert.isBelow(ms, 20_000)
      }),
    60_000
  )
})

describe("a connection", () => {
  const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  const head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
  const stays: ReadonlyArray<readonly [string, string]> = [
    ["GET", get],
    ["HEAD", head],
    ["DELETE without a body", get.replace("GET", "DELETE")],
    ["POST with an empty body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"]
  ]
  for (const [name, request] of stays) {
    it.scopedLive(`stays open after ${name}`, () =>
      Effect.gen(function* () {
        const { port } = yield* serving
        const { text, closed } = yield* exchange(port, [request + request], 2)
        assert.strictEqual(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
        assert.notMatch(text, /connection: close/i)
        assert.strictEqual(closed, false)
      })
    )
  }

  it.scopedLive("has the headers of GET, and no body, for HEAD", () =>
    Effect.gen(function* () {
      const { port } = yield* serving
      const { text } = yield* exchange(port, [head], 1)
      assert.match(text, new RegExp(`content-length: ${BODY.length}`, "i"))
      assert.match(text, /\r\n\r\n$/)
    })
  )

  it.scopedLive("is closed after a response to an unread body", () =>
    Effect.gen(function* () {
      const { port } = yield* serving
      const { text, closed } = yield* exchange(port, [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"
      ])
      assert.match(text, /connection: close/i)
      assert.strictEqual(closed, true)
    })
  )
})
