/**
 * Backtests as streams: lines are given while they are played, and a connection that breaks is made again from the last
 * cursor.
 */
import * as HttpError from "@attestry/api/HttpError"
import { BacktestLine, BacktestPolicy, LINES } from "@attestry/api/PolicyLabApi"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Instants as WithInstants } from "../Calls.js"
import type { ClientOptions } from "../Client.js"
import { ClientError } from "../ClientError.js"
import * as BaseUrl from "../internal/BaseUrl.js"
import * as Instants from "../internal/Instants.js"
import * as Transport from "../internal/Transport.js"
import { noConnection, TransportFailure, unexpectedStatus } from "../internal/TransportFailure.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as BacktestReading from "./BacktestReading.js"

const OPERATION = "policyLab.backtest"

type AnyBacktestLine = WithInstants<typeof BacktestLine.Type>

/** A line of a backtest: the last one is `done`, with the totals. */
export type StreamedBacktestLine = Exclude<AnyBacktestLine, { readonly type: "failed" }>

/** A request: the org where the client has none, and the backtest. */
export interface BacktestCall {
  readonly path?: { readonly org: string }
  readonly payload: typeof BacktestPolicy.Type
}

const REFUSALS = [
  HttpError.BadRequest,
  HttpError.Unauthorized,
  HttpError.Forbidden,
  HttpError.NotFound,
  HttpError.PayloadTooLarge,
  HttpError.UnsupportedMediaType,
  HttpError.UnprocessableContent,
  HttpError.TooManyRequests,
  HttpError.Unavailable
] as const

/** A refusal of the API. */
export type BacktestRefusal = InstanceType<(typeof REFUSALS)[number]>

/** Why a stream ends before its last line. */
export type BacktestError = BacktestRefusal | ClientError

// WHY: a schema with instants as `DateTime.Utc` is made from its tree, which has no type.
const Line = Instants.asUtc(BacktestLine as Schema.Schema<unknown, unknown>) as Schema.Schema<
  AnyBacktestLine,
  unknown
>

const decodeLine = Schema.decode(Schema.parseJson(Line))

const encodePayload = Schema.encode(BacktestPolicy, { onExcessProperty: "error" })

/** An error that may pass, with the delay that it asks for; others end the stream. */
interface Passing {
  readonly _tag: "Passing"
  readonly error: BacktestError
  readonly asked: Duration.Duration
}

const passing = (error: BacktestError, asked: Duration.Duration = Duration.zero): Passing => ({
  _tag: "Passing",
  error,
  asked
})

const clientError = ({ cause, detail, reason, status }: TransportFailure): ClientError =>
  new ClientError({
    operation: OPERATION,
    reason,
    detail,
    status: status ?? null,
    errors: null,
    ...(cause === undefined ? {} : { cause })
  })

const broken = (failure: TransportFailure): BacktestError | Passing =>
  failure.reason === "Connection" || failure.reason === "Timeout"
    ? passing(clientError(failure))
    : clientError(failure)

const decodeRefusal = (refusal: (typeof REFUSALS)[number], body: unknown) =>
  Schema.decodeUnknownOption(Schema.make<BacktestRefusal, unknown, never>(refusal.Body.ast))(body)

/** The refusal of a response; one that is none of this API has its status in the detail. */
const refused = (response: HttpClientResponse): Effect.Effect<never, BacktestError | Passing> =>
  Effect.gen(function* () {
    const body = yield* Effect.option(response.json)
    const known = REFUSALS.find(({ status }) => status === response.status)
    const refusal = Option.flatMap(body, (found) =>
      known === undefined ? Option.none() : decodeRefusal(known, found)
    )
    if (Option.isNone(refusal))
      return yield* Effect.mapError(unexpectedStatus(response), clientError)
    if (!RetryPolicy.isTransient(response.status)) return yield* Effect.fail(refusal.value)
    const now = yield* Clock.currentTimeMillis
    const asked = RetryPolicy.askedWait(response.headers["retry-after"], now)
    return yield* Effect.fail(passing(refusal.value, asked))
  })

const late = (timeout: Duration.DurationInput) => () =>
  new TransportFailure({
    reason: "Timeout",
    detail: `no answer within ${Duration.format(Duration.decode(timeout))}`
  })

/** The lines of one attempt. */
const attempt = (
  options: ClientOptions,
  asked: BacktestCall,
  cursor: string | undefined
): Stream.Stream<AnyBacktestLine, BacktestError | Passing, HttpClient.HttpClient> => {
  const timeout = options.timeout ?? "1 minute"
  const opened = Effect.gen(function* () {
    const client = Transport.prepared(yield* HttpClient.HttpClient, Transport.optionsOf(options))
    const body = yield* encodePayload({
      ...asked.payload,
      ...(cursor === undefined ? {} : { cursor })
    })
    const org = encodeURIComponent(asked.path?.org ?? options.org ?? "")
    const url = `${BaseUrl.origin(options.baseUrl)}/api/v2/policies/${org}/backtest`
    const request = HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeader("accept", LINES),
      HttpClientRequest.bodyUnsafeJson(body)
    )
    const response = yield* client
      .execute(request)
      .pipe(
        Effect.catchTags({ RequestError: noConnection, ResponseError: noConnection }),
        Effect.timeoutFail({ duration: timeout, onTimeout: late(timeout) }),
        Effect.mapError(broken)
      )
    if (response.status !== 200) return yield* refused(response)
    return response.stream.pipe(
      Stream.catchTags({ RequestError: noConnection, ResponseError: noConnection }),
      Stream.timeoutFail(late(timeout), timeout),
      Stream.mapError(broken)
    )
  }).pipe(
    Effect.catchTag("ParseError", ({ message }) =>
      Effect.fail(
        clientError(
          new TransportFailure({
            reason: "Encode",
            detail: `the request does not fit the contract: ${message}`
          })
        )
      )
    )
  )
  return Stream.unwrap(opened).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.mapEffect((text) =>
      Effect.mapError(decodeLine(text), () =>
        clientError(
          new TransportFailure({ reason: "Decode", detail: "a line does not fit the contract" })
        )
      )
    )
  )
}

const CUT = new TransportFailure({
  reason: "Connection",
  detail: "the answer broke off before its last line"
})

type Reading = BacktestReading.BacktestReading<StreamedBacktestLine>

const isPassing = (error: BacktestError | Passing): error is Passing => error._tag === "Passing"

/** The request, the progress at the beginning of an attempt, and the number of attempts without progress. */
interface Attempted {
  readonly options: ClientOptions
  readonly asked: BacktestCall
  readonly begun: Reading
  readonly retry: number
}

/** The lines of the next attempt after a pause; the error where there have been enough. */
const again = (
  { options, asked, begun, retry }: Attempted,
  reading: Reading,
  { asked: wait, error }: Passing
): Stream.Stream<StreamedBacktestLine, BacktestError, HttpClient.HttpClient> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const policy = { ...RetryPolicy.defaults, ...options.retry }
      const next = reading.cursor === begun.cursor ? retry : 1
      const jitter = yield* Random.next
      const delay = RetryPolicy.wait(policy, { retry: next, jitter, asked: wait })
      if (Option.isNone(delay)) return Stream.fail(error)
      yield* Effect.sleep(delay.value)
      const resumed = BacktestReading.resumed(reading)
      return from({ options, asked, begun: resumed, retry: next + 1 })
    })
  )

/** The lines of attempts from a reading on, until the last line has come. */
const from = (
  attempted: Attempted
): Stream.Stream<StreamedBacktestLine, BacktestError, HttpClient.HttpClient> =>
  Stream.unwrap(
    Effect.map(Ref.make(attempted.begun), (state) => {
      const { asked, begun, options } = attempted
      const taken = attempt(options, asked, begun.cursor).pipe(
        Stream.mapEffect((line) =>
          line.type === "failed"
            ? Effect.fail(passing(new HttpError.Unavailable({ message: line.message })))
            : Ref.modify(state, (reading) => {
                const [next, given] = BacktestReading.take(reading, line)
                return [Chunk.fromIterable(given), next]
              })
        ),
        Stream.flattenChunks
      )
      const ended = Stream.unwrap(
        Effect.map(Ref.get(state), ({ isDone }) =>
          isDone ? Stream.empty : Stream.fail(passing(clientError(CUT)))
        )
      )
      return Stream.concat(taken, ended).pipe(
        // WHY: every error is either given back or taken for a pause; none is swallowed.
        Stream.catchAll((error) =>
          isPassing(error)
            ? Stream.unwrap(
                Effect.map(Ref.get(state), (reading) => again(attempted, reading, error))
              )
            : Stream.fail(error)
        )
      )
    })
  )

/**
 * The lines of a backtest, each once, in order; flips that parts divide are one. Fails with the class of a refusal, or
 * with a `ClientError` when a connection breaks more often in a row than the retry policy allows.
 *
 * ```ts
 * const flips = Backtests.stream(options, { payload: { candidate, replaces: "prod-rules" } }).pipe(
 *   Stream.filter(({ type }) => type === "flip")
 * )
 * ```
 */
export const stream = (
  options: ClientOptions,
  asked: BacktestCall
): Stream.Stream<StreamedBacktestLine, BacktestError, HttpClient.HttpClient> =>
  from({
    options,
    asked,
    retry: 1,
    begun: BacktestReading.start(asked.payload.cursor ?? undefined)
  })
