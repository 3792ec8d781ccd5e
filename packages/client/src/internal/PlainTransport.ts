/**
 * Sends the requests of the Promise client: limits the time of an attempt and repeats temporary errors, by the same
 * policy as the transport of Effects.
 *
 * A body is read within its attempt, so that a call is also repeated when the connection breaks during the body.
 */
import { ENTRIES_HEADER, type WrittenEntries } from "@attestry/api/WrittenEntries"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { AttestryError } from "../AttestryError.js"
import { clientError } from "../AttestryError.js"
import * as RetryPolicy from "../RetryPolicy.js"
import type { Arrived } from "./PlainAnswer.js"
import type { PlainBody } from "./PlainBody.js"

/** One call: where it goes, and how its body is made for each attempt. */
export interface Sending {
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: () => PlainBody
  readonly signal: AbortSignal | undefined
}

/** The part of `fetch` that is needed. */
export type PlainFetch = (
  url: string,
  init: RequestInit
) => Promise<{
  readonly status: number
  readonly headers: Pick<Headers, "get">
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  /** The pieces of the body as they come; without it an answer in lines is given when all of it is there. */
  readonly body?: ReadableStream<Uint8Array> | null
}>

/** The options of all calls. */
export interface PlainTransportOptions {
  readonly fetch: PlainFetch
  readonly timeout: Duration.DurationInput
  readonly retry: RetryPolicy.RetryPolicy
  /** Remembers what was written, and has it shown by later reads. */
  readonly written: WrittenEntries
}

/** The root cause of a failed connection. */
const innermost = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  return innermost(cause.cause) || cause.message || code
}

/** A signal that ends with another one or after a time; `done` releases both. */
const limited = (millis: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  const end = () => controller.abort(signal?.reason)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, millis)
  signal?.addEventListener("abort", end, { once: true })
  return {
    signal: controller.signal,
    isLate: () => isLate,
    done: () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
    }
  }
}

/** The error of a broken connection, or of one that was silent for too long. */
export const failure = (
  sending: Sending,
  cause: unknown,
  late: string | undefined
): AttestryError => {
  if (late !== undefined)
    return clientError(sending.operation, { reason: "Timeout", detail: `no answer within ${late}` })
  const why = innermost(cause)
  const detail = why === "" ? "no connection" : `no connection: ${why}`
  return clientError(sending.operation, { reason: "Connection", detail, cause })
}

/** One attempt: a response, or the error of an attempt without one. */
const attempt = async (
  options: PlainTransportOptions,
  sending: Sending
): Promise<Arrived | AttestryError> => {
  const { signal } = sending
  signal?.throwIfAborted()
  const limit = limited(Duration.toMillis(options.timeout), signal)
  try {
    const { headers, ...body } = sending.body()
    const written = options.written.begin(sending.url)
    const response = await options.fetch(sending.url, {
      method: sending.method,
      headers: { ...written.headers, ...sending.headers, ...headers },
      signal: limit.signal,
      ...body
    })
    written.arrived(response.headers.get(ENTRIES_HEADER))
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  } catch (cause) {
    signal?.throwIfAborted()
    const late = limit.isLate() ? Duration.format(Duration.decode(options.timeout)) : undefined
    return failure(sending, cause, late)
  } finally {
    limit.done()
  }
}

const isResponse = (outcome: Arrived | AttestryError): outcome is Arrived => "bytes" in outcome

/** The least delay before a repetition; none when a repetition does not help. */
const askedWait = (outcome: Arrived | AttestryError): Option.Option<Duration.Duration> => {
  if (!isResponse(outcome)) return Option.some(Duration.zero)
  if (!RetryPolicy.isTransient(outcome.status)) return Option.none()
  const header = outcome.headers.get("retry-after") ?? undefined
  return Option.some(RetryPolicy.askedWait(header, Date.now()))
}

/** Waits; rejects with the reason of the signal. */
export const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, millis)
    signal?.addEventListener("abort", end, { once: true })
  })

/** Sends a call, repeatedly where that may help. */
export const send = async (options: PlainTransportOptions, sending: Sending): Promise<Arrived> => {
  for (let retry = 1; ; retry++) {
    const outcome = await attempt(options, sending)
    const wait = Option.flatMap(askedWait(outcome), (asked) =>
      RetryPolicy.wait(options.retry, { retry, jitter: Math.random(), asked })
    )
    if (Option.isSome(wait)) await sleep(Duration.toMillis(wait.value), sending.signal)
    else if (isResponse(outcome)) return outcome
    else throw outcome
  }
}
