/**
 * The HTTP client of all calls: it adds the key, limits the time, repeats temporary errors, and rejects responses that
 * do not come from the API.
 *
 * A body is read within its attempt, so that a call is also repeated when the connection breaks during the body.
 */
import * as WrittenEntries from "@attestry/api/WrittenEntries"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Attachments from "../Attachments.js"
import type { ClientOptions } from "../Client.js"
import * as Idempotency from "../Idempotency.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as Writes from "../Writes.js"
import { messageOf, noConnection, TransportFailure, unexpectedStatus } from "./TransportFailure.js"
import { defaultUserAgent } from "./UserAgent.js"

/** The options of all calls. */
export interface TransportOptions {
  readonly apiKey: Redacted.Redacted<string>
  readonly userAgent: Option.Option<string>
  readonly timeout: Duration.DurationInput
  readonly retry: RetryPolicy.RetryPolicy
  readonly tracePropagation: boolean
}

const KEY = /^[\x21-\x7e]+$/

// WHY: a platform that refuses a header quotes its value in the error, and the value is the key.
const authorize =
  (apiKey: Redacted.Redacted<string>) =>
  (
    request: HttpClientRequest.HttpClientRequest
  ): Effect.Effect<HttpClientRequest.HttpClientRequest, TransportFailure> => {
    const key = Redacted.value(apiKey).trim()
    return KEY.test(key)
      ? Effect.succeed(HttpClientRequest.setHeader(request, "authorization", `Bearer ${key}`))
      : new TransportFailure({
          reason: "Encode",
          detail: "the api key is empty, or holds characters that a header cannot carry"
        })
  }

type Send<E> = Effect.Effect<HttpClientResponse, E>

const attempt =
  (timeout: Duration.DurationInput) =>
  (send: Send<HttpClientError.HttpClientError | TransportFailure>): Send<TransportFailure> =>
    send.pipe(
      Effect.tap((response) => response.arrayBuffer),
      Effect.catchTags({ RequestError: noConnection, ResponseError: noConnection }),
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () =>
          new TransportFailure({
            reason: "Timeout",
            detail: `no answer within ${Duration.format(Duration.decode(timeout))}`
          })
      })
    )

type Outcome = Either.Either<HttpClientResponse, TransportFailure>

/** The least delay before a repetition; none when a repetition does not help. */
const askedWait = (outcome: Outcome, nowMs: number): Option.Option<Duration.Duration> =>
  Either.match(outcome, {
    onLeft: ({ reason }) =>
      reason === "Connection" || reason === "Timeout"
        ? Option.some(Duration.zero)
        : Option.none<Duration.Duration>(),
    onRight: ({ status, headers }) =>
      RetryPolicy.isTransient(status)
        ? Option.some(RetryPolicy.askedWait(headers["retry-after"], nowMs))
        : Option.none<Duration.Duration>()
  })

const repeat =
  (policy: RetryPolicy.RetryPolicy) =>
  (send: Send<TransportFailure>): Send<TransportFailure> => {
    const from = (retry: number): Send<TransportFailure> =>
      Effect.gen(function* () {
        const outcome = yield* Effect.either(send)
        const nowMs = yield* Clock.currentTimeMillis
        const jitter = yield* Random.next
        const wait = Option.flatMap(askedWait(outcome, nowMs), (asked) =>
          RetryPolicy.wait(policy, { retry, jitter, asked })
        )
        if (Option.isNone(wait)) return yield* outcome
        yield* Effect.sleep(wait.value)
        return yield* from(retry + 1)
      })
    return from(1)
  }

// WHY: an error page of a proxy would fail to decode, and its status would be lost.
const refuseForeign = (response: HttpClientResponse): Send<TransportFailure> =>
  response.status < 400
    ? Effect.succeed(response)
    : Effect.flatMap(messageOf(response), (message) =>
        Option.isSome(message) ? Effect.succeed(response) : unexpectedStatus(response)
      )

/** The options of a client that apply to all calls, with their defaults. */
export const optionsOf = (options: ClientOptions): TransportOptions => ({
  apiKey: options.apiKey,
  userAgent: Option.fromNullable(options.userAgent ?? defaultUserAgent()),
  timeout: options.timeout ?? "1 minute",
  retry: { ...RetryPolicy.defaults, ...options.retry },
  tracePropagation: options.tracePropagation ?? false
})

/** The HTTP client with the headers of every request; limits of time and repetitions are the caller's. */
export const prepared = (
  client: HttpClient.HttpClient,
  options: TransportOptions
): HttpClient.HttpClient.With<HttpClientError.HttpClientError | TransportFailure> =>
  client.pipe(
    HttpClient.withTracerPropagation(options.tracePropagation),
    HttpClient.mapRequest(
      Option.match(options.userAgent, {
        onNone: () => HttpClientRequest.setHeaders({}),
        onSome: (name) => HttpClientRequest.setHeader("user-agent", name)
      })
    ),
    HttpClient.mapRequestEffect(authorize(options.apiKey))
  )

/** Remembers what was written, and has it shown by later reads. */
const remembering =
  ({ begin }: WrittenEntries.WrittenEntries) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    client.pipe(
      HttpClient.mapRequest((request) =>
        HttpClientRequest.setHeaders(request, begin(request.url).headers)
      ),
      HttpClient.transform((send, { url }) =>
        Effect.suspend(() => {
          const { arrived } = begin(url)
          return Effect.tap(send, ({ headers }) =>
            Effect.sync(() => arrived(headers[WrittenEntries.ENTRIES_HEADER]))
          )
        })
      )
    )

/** The HTTP client of all calls. */
export const make = (
  client: HttpClient.HttpClient,
  options: TransportOptions
): HttpClient.HttpClient.With<TransportFailure> =>
  prepared(client, options).pipe(
    HttpClient.mapRequestEffect(Idempotency.intoHeader),
    HttpClient.mapRequestEffect(Writes.intoRequest),
    HttpClient.mapRequestEffect(Attachments.intoForm),
    remembering(WrittenEntries.make(Date.now)),
    HttpClient.transformResponse(attempt(options.timeout)),
    HttpClient.transformResponse(repeat(options.retry)),
    HttpClient.transformResponse(Effect.flatMap(refuseForeign))
  )
