/** Streamed responses: complete, failed, or interrupted. */
import * as Http from "node:http"
import * as Net from "node:net"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Logger, LogLevel, Runtime, Stream } from "effect"
import { tagOf } from "../../src/node/internal/EntityTag.js"
import { send } from "../../src/node/internal/Sending.js"
import * as NodeServer from "../../src/node/NodeServer.js"

const PIECE = Buffer.alloc(65_536, "x")

/** A server with one body for every response. */
const serving = (body: Stream.Stream<Uint8Array, unknown>) =>
  NodeServer.make(
    () => Effect.succeed({ status: 200, headers: { "content-type": "text/csv" }, body }),
    { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }
  )

const begin = (url: string) =>
  Effect.async<Http.IncomingMessage, Error>((resume) => {
    Http.get(url, { agent: false }, (response) => resume(Effect.succeed(response))).on(
      "error",
      (error) => resume(Effect.fail(error))
    )
  })

/** The number of received bytes, and whether the response was complete. */
const readAll = (response: Http.IncomingMessage) =>
  Effect.async<{ readonly bytes: number; readonly isWhole: boolean }>((resume) => {
    let bytes = 0
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength
    })
    response.on("error", () => {})
    response.on("close", () => resume(Effect.succeed({ bytes, isWhole: response.complete })))
  })

it.scopedLive("ends when the stream does", () =>
  Effect.gen(function* () {
    const { url } = yield* serving(Stream.take(Stream.repeatValue(PIECE), 40))
    const read = yield* Effect.flatMap(begin(url), readAll)
    assert.deepStrictEqual(read, { bytes: 40 * PIECE.byteLength, isWhole: true })
  })
)

it.scopedLive("sends a body in pieces with its length and the tag of its text", () =>
  Effect.gen(function* () {
    const pieces = Array.from({ length: 5 }, (_, index) => Buffer.alloc(70_000, `${index}`))
    const { url } = yield* NodeServer.make(
      () =>
        Effect.succeed({
          status: 200,
          headers: { "content-type": "application/json" },
          body: pieces
        }),
      { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }
    )
    const answer = yield* begin(url)
    const { "content-length": length, etag } = answer.headers
    assert.deepStrictEqual(yield* readAll(answer), { bytes: 350_000, isWhole: true })
    assert.deepStrictEqual([length, etag], ["350000", tagOf(Buffer.concat(pieces))])
    const known = yield* Effect.promise(() =>
      fetch(url, { headers: { "if-none-match": String(etag) } })
    )
    assert.strictEqual(known.status, 304)
    const coded = yield* Effect.promise(() => fetch(url))
    assert.strictEqual(coded.headers.get("content-encoding"), "gzip")
    const bytes = yield* Effect.promise(() => coded.arrayBuffer())
    assert.isTrue(Buffer.concat(pieces).equals(Buffer.from(bytes)))
  })
)

it.scopedLive("says that an answer was sent, also where its client is gone", () =>
  Effect.gen(function* () {
    let sent = 0
    const count = () => {
      sent += 1
    }
    const { url } = yield* NodeServer.make(
      (request) =>
        Effect.sync(() => {
          request.whenSent?.(count)
          return {
            status: 200,
            headers: { "content-type": "text/csv" },
            body: Array.from({ length: 400 }, () => PIECE)
          }
        }),
      { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }
    )
    yield* Effect.flatMap(begin(url), readAll)
    const gone = yield* begin(url)
    gone.destroy()
    yield* Effect.repeat(Effect.sleep(5), { until: () => sent === 2 }).pipe(
      Effect.timeout("5 seconds")
    )
    assert.strictEqual(sent, 2)
  })
)

it.scopedLive("destroys the connection when the stream fails, so that a client can detect it", () =>
  Effect.gen(function* () {
    const { url } = yield* serving(Stream.concat(Stream.make(PIECE), Stream.fail("no")))
    const read = yield* Effect.flatMap(begin(url), readAll)
    assert.strictEqual(read.isWhole, false)
  }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
)

it.scopedLive("interrupts the stream when the client disconnects, also while it waits", () =>
  Effect.gen(function* () {
    const givenUp = yield* Deferred.make<void>()
    const waiting = Stream.concat(Stream.make(PIECE), Stream.never).pipe(
      Stream.ensuring(Deferred.succeed(givenUp, undefined))
    )
    const { url } = yield* serving(waiting)
    const response = yield* begin(url)
    response.destroy()
    yield* Deferred.await(givenUp)
  })
)

it.scopedLive("pulls no more than the client reads", () =>
  Effect.gen(function* () {
    let asked = 0
    const counted = Stream.take(Stream.repeatValue(PIECE), 2_000).pipe(
      Stream.tap(() => Effect.sync(() => (asked += 1)))
    )
    const { url } = yield* serving(counted)
    const response = yield* begin(url)
    let before = -1
    while (asked !== before) {
      before = asked
      yield* Effect.sleep("200 millis")
    }
    assert.isBelow(asked, 1_000)
    response.destroy()
  })
)

/** The levels at which an answer is logged whose connection takes nothing. */
const levelsOf = (body: Stream.Stream<Uint8Array, unknown>, problem: Error) =>
  Effect.gen(function* () {
    const levels: Array<string> = []
    const logger = Logger.make(({ logLevel }) => void levels.push(logLevel.label))
    const request = new Http.IncomingMessage(new Net.Socket())
    const response = new Http.ServerResponse(request)
    const closed = yield* Deferred.make<void>()
    response.destroy = () => {
      Effect.runSync(Deferred.succeed(closed, undefined))
      return response
    }
    response.write = (_piece: unknown, told: unknown) => {
      if (typeof told === "function") told(problem)
      return false
    }
    const runtime = yield* Effect.runtime<never>().pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Logger.withMinimumLogLevel(LogLevel.Debug)
    )
    const runFork = Runtime.runFork(runtime)
    const answer = { status: 200, headers: { "content-type": "text/csv" }, body }
    send(answer, { request, response, runFork, last: false, sendTimeout: 60_000 })
    yield* Deferred.await(closed)
    return levels
  })

it.live("logs a client that closed its page as no error, and a stream that fails as one", () =>
  Effect.gen(function* () {
    const gone = Object.assign(new Error("write EPIPE"), { code: "EPIPE" })
    assert.notInclude(yield* levelsOf(Stream.make(PIECE), gone), "ERROR")
    assert.include(yield* levelsOf(Stream.fail("no"), gone), "ERROR")
  })
)

/** The socket of a client that sends a request and reads nothing of the answer. */
const unread = (port: number) =>
  Effect.acquireRelease(
    Effect.async<Net.Socket, Error>((resume) => {
      const socket = Net.connect(port, "127.0.0.1", () => {
        socket.pause()
        socket.write("GET / HTTP/1.1\r\nhost: test\r\naccept-encoding: identity\r\n\r\n")
        resume(Effect.succeed(socket))
      })
      socket.once("error", (error) => resume(Effect.fail(error)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const BODIES: ReadonlyArray<readonly [string, Uint8Array | Stream.Stream<Uint8Array>]> = [
  ["a whole answer", Buffer.alloc(64_000_000, "x")],
  ["a stream", Stream.repeatValue(PIECE)]
]

for (const [title, body] of BODIES)
  it.scopedLive(`closes the connection of a client that stops reading ${title}`, () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const { port } = yield* NodeServer.make(
        (request) =>
          Effect.sync(() => {
            request.whenSent?.(() => Effect.runSync(Deferred.succeed(sent, undefined)))
            return { status: 200, headers: { "content-type": "application/x-tar" }, body }
          }),
        { host: "127.0.0.1", port: 0, drainTimeout: "1 second", sendTimeout: "300 millis" }
      )
      yield* unread(port)
      yield* Deferred.await(sent).pipe(Effect.timeout("10 seconds"))
    })
  )

it.scopedLive("waits longer for a piece that takes time, and for a slow reader", () =>
  Effect.gen(function* () {
    const pieces = Stream.concat(
      Stream.make(PIECE),
      Stream.fromEffect(Effect.delay(Effect.succeed(PIECE), "1300 millis"))
    )
    const body = Stream.concat(pieces, Stream.take(Stream.repeatValue(PIECE), 100))
    const { url } = yield* NodeServer.make(
      () => Effect.succeed({ status: 200, headers: { "content-type": "text/csv" }, body }),
      { host: "127.0.0.1", port: 0, drainTimeout: "1 second", sendTimeout: "1 second" }
    )
    const answer = yield* begin(url)
    answer.on("data", () => {
      answer.pause()
      setTimeout(() => answer.resume(), 15)
    })
    const read = yield* readAll(answer)
    assert.deepStrictEqual(read, { bytes: 102 * PIECE.byteLength, isWhole: true })
  })
)
