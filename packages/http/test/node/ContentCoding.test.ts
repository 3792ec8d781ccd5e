/** Which coding an answer is sent in, and that its bytes are those of the answer. */
import * as Http from "node:http"
import * as Zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Logger, Stream } from "effect"
import * as ContentCoding from "../../src/node/internal/ContentCoding.js"
import * as NodeServer from "../../src/node/NodeServer.js"
import type { OutgoingResponse } from "../../src/shared/HttpMessage.js"

const JSON_TYPE = { "content-type": "application/json" }

describe("the coding that a client prefers", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ContentCoding.Coding | undefined]> = [
    [[], undefined],
    [[""], undefined],
    [["gzip"], "gzip"],
    [["x-gzip"], "gzip"],
    [["br"], "br"],
    [["gzip, deflate, br, zstd"], "gzip"],
    [["gzip;q=0.5, br"], "br"],
    [["gzip;q=0, br;q=0.1"], "br"],
    [["GZIP ; q=1.000"], "gzip"],
    [["gzip;q=0"], undefined],
    [["*"], "gzip"],
    [["*;q=0.5, gzip;q=0"], "br"],
    [["identity"], undefined],
    [["identity, gzip;q=0.5"], undefined],
    [["identity;q=0.5, gzip;q=0.5"], "gzip"],
    [["gzip;q=nonsense"], undefined],
    [["gzip;q=1.5"], undefined],
    [["deflate", "br"], "br"]
  ]
  for (const [values, coding] of cases)
    it(`is ${coding} for ${JSON.stringify(values)}`, () =>
      assert.strictEqual(ContentCoding.preferredOf(values), coding))

  it("is decided for any header", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.string()), (values) => {
        assert.include([undefined, "gzip", "br"], ContentCoding.preferredOf(values))
      })
    ))
})

const serving = (answer: OutgoingResponse) =>
  NodeServer.make(() => Effect.succeed(answer), {
    host: "127.0.0.1",
    port: 0,
    drainTimeout: "1 second"
  })

interface Read {
  readonly status: number | undefined
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Buffer
  readonly isWhole: boolean
}

const ask = (url: string, options: Http.RequestOptions) =>
  Effect.async<Read, Error>((resume) => {
    Http.request(url, { agent: false, ...options }, (response) => {
      const pieces: Array<Buffer> = []
      response.on("data", (piece: Buffer) => pieces.push(piece))
      response.on("error", () => {})
      response.on("close", () =>
        resume(
          Effect.succeed({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(pieces),
            isWhole: response.complete
          })
        )
      )
    })
      .on("error", (error) => resume(Effect.fail(error)))
      .end()
  })

const answering = (answer: OutgoingResponse, encoding: string | undefined, method = "GET") =>
  Effect.flatMap(serving(answer), ({ url }) =>
    ask(url, { method, headers: encoding === undefined ? {} : { "accept-encoding": encoding } })
  )

const LONG = JSON.stringify({ text: "é".repeat(2_000) })

describe("an answer over node:http", () => {
  it.scopedLive("has the same text in every coding, and varies by it", () =>
    Effect.gen(function* () {
      const answer = { status: 200, headers: JSON_TYPE, body: LONG }
      const plain = yield* answering(answer, undefined)
      assert.strictEqual(plain.headers["content-encoding"], undefined)
      assert.strictEqual(plain.headers.vary, "accept-encoding")
      assert.strictEqual(plain.body.toString(), LONG)
      const gzip = yield* answering(answer, "gzip")
      assert.strictEqual(gzip.headers["content-encoding"], "gzip")
      assert.strictEqual(gzip.headers["content-length"], String(gzip.body.byteLength))
      assert.strictEqual(Zlib.gunzipSync(gzip.body).toString(), LONG)
      assert.isBelow(gzip.body.byteLength, LONG.length / 10)
      const br = yield* answering(answer, "br")
      assert.strictEqual(br.headers["content-encoding"], "br")
      assert.strictEqual(Zlib.brotliDecompressSync(br.body).toString(), LONG)
    })
  )

  it.scopedLive("is compressed from 1,024 bytes on", () =>
    Effect.gen(function* () {
      const codingOf = (length: number) =>
        Effect.map(
          answering({ status: 200, headers: JSON_TYPE, body: "1".repeat(length) }, "gzip"),
          ({ headers }) => headers["content-encoding"]
        )
      assert.strictEqual(yield* codingOf(1_023), undefined)
      assert.strictEqual(yield* codingOf(1_024), "gzip")
    })
  )

  it.scopedLive("stays as it is when it holds a secret, is a file, or has a coding already", () =>
    Effect.gen(function* () {
      for (const headers of [
        { ...JSON_TYPE, "cache-control": "no-store" },
        { "content-type": "application/gzip" },
        { "content-type": "application/octet-stream" },
        { ...JSON_TYPE, "content-encoding": "identity" }
      ]) {
        const { body, headers: sent } = yield* answering(
          { status: 200, headers, body: LONG },
          "gzip"
        )
        assert.strictEqual(body.toString(), LONG)
        assert.notStrictEqual(sent["content-encoding"], "gzip")
        assert.strictEqual(sent.vary, undefined)
      }
    })
  )

  it.scopedLive("keeps what it varies by already", () =>
    Effect.gen(function* () {
      const headers = { ...JSON_TYPE, vary: "origin" }
      const { headers: sent } = yield* answering({ status: 200, headers, body: LONG }, "gzip")
      assert.strictEqual(sent.vary, "origin, accept-encoding")
    })
  )

  it.scopedLive("has the headers of GET for HEAD, without a length", () =>
    Effect.gen(function* () {
      const { headers, body } = yield* answering(
        { status: 200, headers: JSON_TYPE, body: LONG },
        "gzip",
        "HEAD"
      )
      assert.strictEqual(headers["content-encoding"], "gzip")
      assert.strictEqual(headers["content-length"], undefined)
      assert.strictEqual(body.byteLength, 0)
    })
  )
})

const PIECE = Buffer.alloc(65_536, "x")
const CSV = { "content-type": "text/csv", "content-length": "1" }

describe("a compressed stream", () => {
  it.scopedLive("has every byte", () =>
    Effect.gen(function* () {
      const body = Stream.take(Stream.repeatValue(PIECE), 40)
      const read = yield* answering({ status: 200, headers: CSV, body }, "gzip")
      assert.strictEqual(read.isWhole, true)
      assert.strictEqual(read.headers["content-length"], undefined)
      assert.strictEqual(Zlib.gunzipSync(read.body).byteLength, 40 * PIECE.byteLength)
    })
  )

  it.scopedLive("destroys the connection when it fails", () =>
    Effect.gen(function* () {
      const body = Stream.concat(Stream.make(PIECE), Stream.fail("no"))
      const read = yield* Effect.either(answering({ status: 200, headers: CSV, body }, "gzip"))
      assert.isTrue(read._tag === "Left" || !read.right.isWhole)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.scopedLive("pulls no more than the client reads, and ends when the client leaves", () =>
    Effect.gen(function* () {
      let asked = 0
      let isEnded = false
      const noise = Stream.repeatEffect(
        Effect.sync(() => {
          asked += 1
          return crypto.getRandomValues(new Uint8Array(65_536))
        })
      ).pipe(
        Stream.take(2_000),
        Stream.ensuring(
          Effect.sync(() => {
            isEnded = true
          })
        )
      )
      const { url } = yield* serving({ status: 200, headers: CSV, body: noise })
      const response = yield* Effect.async<Http.IncomingMessage>((resume) => {
        const headers = { "accept-encoding": "gzip" }
        Http.get(url, { agent: false, headers }, (answer) => resume(Effect.succeed(answer)))
      })
      let before = -1
      while (asked !== before) {
        before = asked
        yield* Effect.sleep("300 millis")
      }
      assert.isBelow(asked, 1_000)
      response.destroy()
      while (!isEnded) yield* Effect.sleep("10 millis")
    })
  )
})
