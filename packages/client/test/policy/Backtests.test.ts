/** Backtests on both faces: the same lines, each once, wherever connections break; refusals are typed. */
import * as HttpError from "@attestry/api/HttpError"
import { PolicyName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, DateTime, Effect, Either, Redacted, Stream } from "effect"
import * as FastCheck from "effect/FastCheck"
import { AttestryError } from "../../src/AttestryError.js"
import { ClientError } from "../../src/ClientError.js"
import { attestry } from "../../src/PromiseClient.js"
import * as BacktestReading from "../../src/policy/BacktestReading.js"
import * as Backtests from "../../src/policy/Backtests.js"
import * as PromiseBacktests from "../../src/policy/PromiseBacktests.js"
import * as TestDeployment from "../shared/TestDeployment.js"
import { BASE_URL } from "../shared/TestDeployment.js"

type Line = { readonly type: string; readonly [name: string]: unknown }

const TOTALS = {
  rows: 2,
  flips: 2,
  artifacts: 1,
  non_compliant_hours: { was: 0, would_be: 1 },
  row_hours: { was: 0, would_be: 1 },
  unreproduced: { rows: 0, other_semantics: 0 }
}

const flip = (name: string, from: number, more: object = {}): Line => ({
  type: "flip",
  environment: "prod",
  name,
  fingerprint: "a".repeat(64),
  first_index: from,
  last_index: from,
  from,
  to: from + 1,
  was: true,
  would_be: false,
  ...more
})

const progress = (cursor: string | null): Line => ({
  type: "progress",
  environment: "prod",
  played: 1,
  of: 3,
  flips: 1,
  totals: TOTALS,
  cursor
})

const STARTED: Line = {
  type: "started",
  horizon: { known: 9, at: 100 },
  environments: 1,
  snapshots: 3,
  request: "r"
}

/** The lines after each cursor; one flip goes on over two parts. */
const PARTS: ReadonlyArray<ReadonlyArray<Line>> = [
  [flip("one", 1), flip("two", 2, { continues: true }), progress("1")],
  [flip("two", 3, { continued: true, to: null, last_index: 9 }), progress("2")],
  [
    progress(null),
    { type: "environment", environment: "prod", ...TOTALS, now: null },
    { type: "done", totals: TOTALS, truncated: false }
  ]
]

const linesFrom = (cursor: string | undefined): ReadonlyArray<Line> => [
  STARTED,
  ...PARTS.slice(Number(cursor ?? 0)).flat()
]

/** What each attempt gives before its connection breaks: a number of lines, a status, or all lines. */
type Attempt = number | "all" | "failed" | Response

/** A server whose connections break. */
const breaking = (attempts: ReadonlyArray<Attempt>) => {
  const cursors: Array<string | undefined> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = (await request.json()) as { readonly cursor?: string }
    const next = attempts[Math.min(cursors.length, attempts.length - 1)] ?? "all"
    cursors.push(body.cursor)
    assert.strictEqual(request.headers.get("accept"), "application/x-ndjson")
    if (next instanceof Response) return next.clone()
    const lines = linesFrom(body.cursor)
    const failed = { type: "failed", message: "the store is away", cursor: null }
    const given =
      next === "all" ? lines : next === "failed" ? [STARTED, failed] : lines.slice(0, next)
    const text = given.map((line) => `${JSON.stringify(line)}\n`).join("")
    const pieces = [text.slice(0, 7), text.slice(7)].map((piece) => new TextEncoder().encode(piece))
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = pieces.shift()
        if (piece !== undefined) controller.enqueue(piece)
        else if (next === "all" || next === "failed") controller.close()
        else controller.error(new Error("the connection broke"))
      }
    })
    return new Response(stream, { status: 200 })
  }
  return { fetch, cursors }
}

const retry = { retriesMax: 3, delayFirst: "1 millis", delayMax: "5 millis" } as const
const options = { baseUrl: BASE_URL, org: "acme", retry } as const
const payload = { candidate: { policy_yaml: "x" } }

const collect = async (lines: AsyncIterable<PromiseBacktests.PromiseBacktestLine>) => {
  const found: Array<PromiseBacktests.PromiseBacktestLine> = []
  for await (const line of lines) found.push(line)
  return found
}

const byPromise = (fetch: typeof globalThis.fetch) =>
  collect(PromiseBacktests.lines({ ...options, apiKey: "key", fetch }, { payload }))

const byStream = (fetch: typeof globalThis.fetch) =>
  Backtests.stream({ ...options, apiKey: Redacted.make("key") }, { payload }).pipe(
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(TestDeployment.layerFetch(fetch)),
    Effect.either,
    Effect.runPromise
  )

const shape = (lines: ReadonlyArray<{ readonly type: string }>) =>
  lines.map((line) => ("name" in line ? `${line.type} ${line.name}` : line.type))

const WHOLE = [
  "started",
  "flip one",
  "progress",
  "flip two",
  "progress",
  "progress",
  "environment",
  "done"
]

describe("the lines of a backtest", () => {
  it("are given once, and joined, whichever line a connection breaks after", async () => {
    for (let first = 0; first < 9; first += 1)
      for (const second of ["all", 1, 3, "failed"] as const) {
        const attempts: ReadonlyArray<Attempt> = [first, second, "all"]
        const promised = await byPromise(breaking(attempts).fetch)
        assert.deepStrictEqual(shape(promised), WHOLE, `${first} ${second}`)
        const streamed = await byStream(breaking(attempts).fetch)
        assert.deepStrictEqual(shape(Either.getOrThrow(streamed)), WHOLE, `${first} ${second}`)
      }
  })

  it("go on from the last cursor", async () => {
    const { cursors, fetch } = breaking([5, "all"])
    await byPromise(fetch)
    assert.deepStrictEqual(cursors, [undefined, "1"])
    const other = breaking([5, "all"])
    await byStream(other.fetch)
    assert.deepStrictEqual(other.cursors, [undefined, "1"])
  })

  it("have dates, or instants of Effect", async () => {
    const isFlip = ({ type }: { readonly type: string }) => type === "flip"
    const [one] = (await byPromise(breaking(["all"]).fetch)).filter(isFlip)
    assert.deepInclude(one, { name: "one", from: new Date(1_000), to: new Date(2_000) })
    const streamed = Either.getOrThrow(await byStream(breaking(["all"]).fetch))
    const [first, second] = streamed.filter(isFlip)
    assert.isTrue(first?.type === "flip" && DateTime.toEpochMillis(first.from) === 1_000)
    assert.deepInclude(second, { name: "two", to: null, last_index: 9 })
  })

  it("end with the class of a refusal", async () => {
    for (const [status, _tag] of [
      [400, "BadRequest"],
      [403, "Forbidden"],
      [404, "NotFound"],
      [429, "TooManyRequests"],
      [503, "Unavailable"]
    ] as const) {
      const body = JSON.stringify({ message: "the sentence" })
      const attempts = [new Response(body, { status })]
      const promised = breaking(attempts)
      const error = await byPromise(promised.fetch).catch((thrown: unknown) => thrown)
      assert.instanceOf(error, AttestryError)
      assert.deepInclude(error, { _tag, message: "the sentence" })
      const isTransient = status === 429 || status === 503
      assert.lengthOf(promised.cursors, isTransient ? 4 : 1, String(status))
      const streamed = await byStream(breaking(attempts).fetch)
      assert.isTrue(Either.isLeft(streamed) && streamed.left._tag === _tag)
    }
    const silent = breaking([0])
    const error = await byPromise(silent.fetch).catch((thrown: unknown) => thrown)
    assert.deepInclude(error, { _tag: "ClientError", reason: "Connection" })
    assert.lengthOf(silent.cursors, 4)
    const streamed = await byStream(breaking([0]).fetch)
    assert.isTrue(Either.isLeft(streamed) && streamed.left instanceof ClientError)
  })

  it("are repeated as often as the policy allows without progress, and anew after progress", async () => {
    const { cursors, fetch } = breaking([0, 0, 0, 4, 0, 0, "all"])
    assert.deepStrictEqual(shape(await byPromise(fetch)), WHOLE)
    assert.lengthOf(cursors, 7)
  })

  it("end with the signal", async () => {
    const controller = new AbortController()
    const lines = PromiseBacktests.lines(
      { ...options, apiKey: "key", fetch: breaking([0]).fetch },
      { payload },
      { signal: controller.signal }
    )
    controller.abort(new Error("enough"))
    const error = await collect(lines).catch((thrown: unknown) => thrown)
    assert.strictEqual((error as Error).message, "enough")
  })

  it("come from a deployment", async () => {
    const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
    const apiKey = Redacted.value(adminKey)
    const policy_yaml = "_schema: https://example.org/v1\nartifacts: {}\n"
    const given = { baseUrl: BASE_URL, org: "acme", apiKey, fetch }
    const { horizon } = await attestry(given).policyLab.backtest({
      payload: { candidate: { policy_yaml } }
    })
    const asked = {
      payload: { candidate: { policy_yaml }, from: new Date(horizon.at.getTime() - 86_400_000) }
    }
    const lines = await collect(PromiseBacktests.lines(given, asked))
    assert.deepStrictEqual(shape(lines), ["started", "done"])
    const missing = { payload: { candidate: { policy_name: PolicyName.make("nowhere") } } }
    const streamed = await Backtests.stream({ ...given, apiKey: adminKey }, missing).pipe(
      Stream.runCollect,
      Effect.provide(TestDeployment.layerFetch(fetch)),
      Effect.either,
      Effect.runPromise
    )
    assert.isTrue(Either.isLeft(streamed) && streamed.left instanceof HttpError.NotFound)
  })
})

describe("a reading", () => {
  it("gives the same lines wherever it is cut, as often as it is", () => {
    const read = (cuts: ReadonlyArray<number>) => {
      let reading = BacktestReading.start<Line & BacktestReading.AnyFlip>()
      const given: Array<Line> = []
      const attempt = (end: number) => {
        for (const line of linesFrom(reading.cursor).slice(0, end)) {
          const [next, more] = BacktestReading.take(reading, line as Line & BacktestReading.AnyFlip)
          reading = next
          given.push(...more)
        }
      }
      for (const cut of cuts)
        if (!reading.isDone) {
          attempt(cut)
          reading = BacktestReading.resumed(reading)
        }
      if (!reading.isDone) attempt(99)
      return given
    }
    const whole = read([])
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.nat(9), { maxLength: 6 }), (cuts) => {
        assert.deepStrictEqual(read(cuts), whole)
      })
    )
  })
})
