/**
 * Backtests as async iterables, for callers without Effect: lines are given while they are played, and a connection
 * that breaks is made again from the last cursor.
 */
import type { BacktestLine, BacktestPolicy } from "@attestry/api/PolicyLabApi"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { AttestryError, clientError } from "../AttestryError.js"
import type { Plain } from "../Calls.js"
import * as BaseUrl from "../internal/BaseUrl.js"
import * as LineTransport from "../internal/LineTransport.js"
import * as PlainAnswer from "../internal/PlainAnswer.js"
import * as PlainOperation from "../internal/PlainOperation.js"
import { sleep } from "../internal/PlainTransport.js"
import { headersOf, type PromiseClientOptions } from "../PromiseClient.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as BacktestReading from "./BacktestReading.js"

type AnyLine = Plain<typeof BacktestLine.Type>

/** A line of a backtest: the last one is `done`, with the totals. */
export type PromiseBacktestLine = Exclude<AnyLine, { readonly type: "failed" }>

/** A request: the org where the client has none, and the backtest. */
export interface PromiseBacktestRequest {
  readonly path?: { readonly org: string }
  readonly payload: Plain<typeof BacktestPolicy.Type>
}

/** The operation, with the places of instants in lines. */
const OPERATION: PlainOperation.PlainOperation = {
  ...PlainOperation.named("policyLab.backtest"),
  instants: ["from", "to", "horizon.at"]
}

const secondsOf = (instant: unknown): unknown =>
  instant instanceof Date ? instant.getTime() / 1000 : instant

const bodyOf = ({ payload }: PromiseBacktestRequest, cursor: string | undefined): string => {
  const { from, to, ...rest } = payload
  return JSON.stringify({
    ...rest,
    from: secondsOf(from),
    to: secondsOf(to),
    ...(cursor === undefined ? {} : { cursor })
  })
}

/** A failure after the first line: the server could not go on. */
const failed = (message: string): AttestryError =>
  new AttestryError(OPERATION.name, { _tag: "Unavailable", message })

const CUT = clientError(OPERATION.name, {
  reason: "Connection",
  detail: "the answer broke off before its last line"
})

/** Throws a permanent failure; returns a temporary one with the delay that it asks for. */
const passing = (
  error: unknown
): { readonly error: unknown; readonly asked: Duration.Duration } => {
  if (error instanceof LineTransport.Refused) {
    if (!RetryPolicy.isTransient(error.status)) throw error.error
    return { error: error.error, asked: RetryPolicy.askedWait(error.retryAfter, Date.now()) }
  }
  const mayPass =
    error instanceof AttestryError &&
    (error._tag === "Unavailable" || error.reason === "Connection" || error.reason === "Timeout")
  if (!mayPass) throw error
  return { error, asked: Duration.zero }
}

const attempt = (
  options: PromiseClientOptions,
  asked: PromiseBacktestRequest,
  {
    cursor,
    signal
  }: { readonly cursor: string | undefined; readonly signal: AbortSignal | undefined }
) => {
  const org = asked.path?.org ?? options.org
  const path = org === undefined ? {} : { org }
  return LineTransport.lines(
    {
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeout: options.timeout ?? "1 minute"
    },
    OPERATION,
    {
      operation: OPERATION.name,
      method: OPERATION.method,
      url: PlainOperation.urlOf(OPERATION, { path }, BaseUrl.origin(options.baseUrl)),
      headers: { ...headersOf(OPERATION, options, {}), accept: "application/x-ndjson" },
      body: () => ({
        body: bodyOf(asked, cursor),
        headers: { "content-type": "application/json" }
      }),
      signal
    }
  )
}

/**
 * The lines of a backtest, each once, in order; flips that parts divide are one. Rejects with an `AttestryError` for a
 * refusal, and when a connection breaks more often in a row than the retry policy allows.
 *
 * ```ts
 * for await (const line of lines(options, { payload: { candidate: { name: "prod-rules", policy_yaml } } }))
 *   if (line.type === "flip") console.log(line.environment, line.name, line.would_be)
 * ```
 */
export async function* lines(
  options: PromiseClientOptions,
  asked: PromiseBacktestRequest,
  { signal }: { readonly signal?: AbortSignal } = {}
): AsyncGenerator<PromiseBacktestLine, void, undefined> {
  const policy = { ...RetryPolicy.defaults, ...options.retry }
  let reading = BacktestReading.start<PromiseBacktestLine>(asked.payload.cursor ?? undefined)
  for (let retry = 1; ; retry++) {
    const from = reading.cursor
    try {
      for await (const raw of attempt(options, asked, { cursor: from, signal })) {
        // WHY: the contract has the type of the lines.
        const line = PlainAnswer.shown(OPERATION, raw) as AnyLine
        if (line.type === "failed") throw failed(line.message)
        const [next, given] = BacktestReading.take(reading, line)
        reading = next
        yield* given
        if (reading.isDone) return
      }
      throw CUT
    } catch (thrown) {
      const { asked: wait, error } = passing(thrown)
      if (reading.cursor !== from) retry = 1
      const delay = RetryPolicy.wait(policy, { retry, jitter: Math.random(), asked: wait })
      if (Option.isNone(delay)) throw error
      await sleep(Duration.toMillis(delay.value), signal)
      reading = BacktestReading.resumed(reading)
    }
  }
}
