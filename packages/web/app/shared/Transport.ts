/** Sends requests to the API. Only this module calls `fetch`; it also records the requests of the current page. */
import * as WrittenEntries from "@attestry/api/WrittenEntries"
import { signal } from "@preact/signals"
import type { Call } from "./Api.js"
import * as ApiProblem from "./ApiProblem.js"
import { base } from "./Navigation.js"

/** A request of the page, for the footer. */
export interface SentRequest extends Call {
  readonly status: number
  readonly tookMs: number
}

/** The requests of the current page, oldest first. */
export const sent = signal<ReadonlyArray<SentRequest>>([])

/** When a read was last answered, in epoch milliseconds; undefined before the first one. */
export const updatedAt = signal<number | undefined>(undefined)

/** The footer shows at most this many requests. */
const SENT_MAX = 100

/** Clears the list when the page changes. */
export const forgetSent = (): void => {
  sent.value = []
}

/** An answer, or the reason why there is none. */
export type Outcome =
  | {
      readonly _tag: "Answered"
      readonly value: unknown
      readonly bytes: number
      /** The answer as received, to detect an unchanged one. */
      readonly text: string
    }
  | { readonly _tag: "Refused"; readonly problem: ApiProblem.ApiProblem }
  | { readonly _tag: "Aborted" }

export interface SendOptions {
  /** A file is sent as it is, everything else as JSON. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
}

const refused = (
  problem: ApiProblem.ApiProblem
): Extract<Outcome, { readonly _tag: "Refused" }> => ({ _tag: "Refused", problem })

const outcomeOf = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  let value: unknown
  try {
    value = text === "" ? undefined : JSON.parse(text)
  } catch {
    return refused(ApiProblem.unreadable(response.status))
  }
  return response.ok
    ? { _tag: "Answered", value, bytes: text.length, text }
    : refused(
        ApiProblem.fromAnswer({
          status: response.status,
          body: value,
          header: (name) => response.headers.get(name)
        })
      )
}

/** Records a request of the page once its status is known. */
const noting = ({ method, path }: Call): ((status: number) => void) => {
  const startedAt = performance.now()
  return (status) => {
    const entry = { method, path, status, tookMs: Math.round(performance.now() - startedAt) }
    sent.value = [...sent.value, entry].slice(-SENT_MAX)
  }
}

const contentOf = (body: unknown) =>
  body instanceof Blob
    ? { type: "application/octet-stream", content: body }
    : { type: "application/json", content: JSON.stringify(body) }

/** What this page has written, which its later reads show. */
const written = WrittenEntries.make(() => performance.now())

const request = async ({ method, path }: Call, { body, headers, signal }: SendOptions) => {
  const { content, type } = contentOf(body)
  const attempt = written.begin(path)
  const response = await fetch(`${base}${path}`, {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": type }),
      ...attempt.headers,
      ...headers
    },
    ...(body === undefined ? {} : { body: content }),
    ...(signal === undefined ? {} : { signal })
  })
  attempt.arrived(response.headers.get(WrittenEntries.ENTRIES_HEADER))
  return response
}

/** Sends a request; never rejects. */
export const send = async (call: Call, options: SendOptions = {}): Promise<Outcome> => {
  const note = noting(call)
  try {
    const response = await request(call, options)
    note(response.status)
    if (response.ok && call.method === "GET") updatedAt.value = Date.now()
    return await outcomeOf(response)
  } catch {
    if (options.signal?.aborted === true) return { _tag: "Aborted" }
    note(0)
    return refused(ApiProblem.offline)
  }
}

/** The outcome of a streamed answer: all lines arrived, or why they stopped. */
export type LinesOutcome = { readonly _tag: "Ended" } | Exclude<Outcome, { _tag: "Answered" }>

/** Passes on the lines of an answer as they arrive, several at once if they arrive together. */
const readLines = async (
  body: ReadableStream<Uint8Array>,
  onLines: (lines: ReadonlyArray<unknown>) => void
): Promise<void> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n")
    rest = lines.pop() ?? ""
    const whole = lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line))
    if (whole.length > 0) onLines(whole)
    if (done) return
  }
}

/** Sends a request that streams lines of JSON; never rejects. An incomplete last line is dropped. */
export const sendForLines = async (
  call: Call,
  { headers, ...options }: SendOptions,
  onLines: (lines: ReadonlyArray<unknown>) => void
): Promise<LinesOutcome> => {
  const note = noting(call)
  let status = 0
  try {
    const accept = "application/x-ndjson, application/json;q=0.5"
    const response = await request(call, { ...options, headers: { ...headers, accept } })
    status = response.status
    note(status)
    if (!response.ok || response.body === null) {
      const outcome = await outcomeOf(response)
      return outcome._tag === "Answered" ? refused(ApiProblem.unreadable(status)) : outcome
    }
    await readLines(response.body, onLines)
    return { _tag: "Ended" }
  } catch (error) {
    if (options.signal?.aborted === true) return { _tag: "Aborted" }
    if (status === 0) note(0)
    return refused(
      error instanceof SyntaxError ? ApiProblem.unreadable(status) : ApiProblem.offline
    )
  }
}

/** The outcome of an answer that is a file. */
export type FileOutcome =
  | { readonly _tag: "Received"; readonly content: Blob }
  | Exclude<Outcome, { _tag: "Answered" }>

/** Sends a request whose answer is a file; never rejects. */
export const sendForFile = async (
  call: Call,
  { headers, ...options }: SendOptions
): Promise<FileOutcome> => {
  const note = noting(call)
  try {
    const response = await request(call, { ...options, headers: { ...headers, accept: "*/*" } })
    note(response.status)
    if (response.ok) return { _tag: "Received", content: await response.blob() }
    const outcome = await outcomeOf(response)
    return outcome._tag === "Answered" ? refused(ApiProblem.unreadable(response.status)) : outcome
  } catch {
    if (options.signal?.aborted === true) return { _tag: "Aborted" }
    note(0)
    return refused(ApiProblem.offline)
  }
}
