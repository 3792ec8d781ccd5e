/** Responses that are too large, too slow or malformed: the attempt fails and the connection is closed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { client, name, post, reasonOf } from "./Posting.js"
import * as Receiver from "./Receiver.js"

describe("GuardedHttpClientNode, with bad responses", () => {
  it.scopedLive("accepts a response of the largest size and refuses one more byte", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response, { request }) =>
        response.end(Buffer.alloc(Number(request.url?.slice(1))))
      )
      const url = (bytes: number) => `https://${name}:${receiver.port}/${bytes}`
      assert.strictEqual((yield* post(receiver, { url: url(65_536) })).status, 200)
      assert.strictEqual(
        yield* reasonOf(post(receiver, { url: url(65_537) })),
        "response too large"
      )
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("stops reading an endless response", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384))) {}
        }
        response.on("drain", more)
        more()
      })
      assert.strictEqual(yield* reasonOf(post(receiver)), "response too large")
      yield* receiver.until(() => receiver.connections.open === 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("fails with `response too large` for long headers", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) =>
        response.writeHead(200, { "x-long": "a".repeat(100_000) }).end()
      )
      assert.strictEqual(yield* reasonOf(post(receiver)), "response too large")
    }).pipe(Effect.provide(client()))
  )

  const slow: Readonly<Record<string, Receiver.Answer>> = {
    "never answers": () => {},
    "never ends": (response) => {
      response.writeHead(200).write("x")
    },
    drips: (response) => {
      const timer = setInterval(() => response.write("x"), 20)
      response.on("close", () => clearInterval(timer))
    }
  }
  for (const [habit, answer] of Object.entries(slow)) {
    it.scopedLive(`times out on a receiver that ${habit}, and closes the connection`, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.https(answer)
        assert.strictEqual(yield* reasonOf(post(receiver, { timeoutMs: 300 })), "timeout")
        yield* receiver.until(() => receiver.connections.open === 0)
      }).pipe(Effect.provide(client()))
    )
  }

  it.scopedLive("times out on a receiver without a TLS handshake", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.silent()
      assert.strictEqual(yield* reasonOf(post(receiver, { timeoutMs: 300 })), "timeout")
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("closes the connection on an unrequested upgrade", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.tls(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"
      )
      assert.strictEqual(yield* reasonOf(post(receiver)), "connection")
      yield* receiver.until(() => receiver.connections.open === 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("fails with `invalid response` when it is not HTTP", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.tls("220 smtp.example ESMTP\r\n")
      assert.strictEqual(yield* reasonOf(post(receiver)), "invalid response")
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("uses the final response after an informational one", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.tls(
        "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
      )
      assert.strictEqual((yield* post(receiver)).status, 202)
    }).pipe(Effect.provide(client()))
  )
})
