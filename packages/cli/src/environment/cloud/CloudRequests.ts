/**
 * Sends requests to clouds, at most 8 at a time. It repeats throttled requests; the failure of a refused request
 * names the resource.
 */

import * as NodeFetch from "@attestry/client/node/NodeFetch"
import type { CommandContext } from "../../shared/CommandContext.js"
import { CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import * as BrokenSocket from "../../transport/BrokenSocket.js"

/** A request to a cloud. */
export interface CloudRequest {
  readonly method?: "GET" | "POST" | "PUT"
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** A short time limit, for services that exist only inside a cloud and are not behind a proxy. */
  readonly timeoutMs?: number
}

/** An answer of a cloud. */
export interface CloudAnswer {
  readonly status: number
  readonly text: string
  readonly headers: { readonly get: (name: string) => string | null }
}

/** A cloud refused some of the resources. They are omitted if others could be read. */
export class CloudRefusal extends CommandFailure {
  readonly status: number
  constructor(message: string, status: number) {
    super("unreadable", message)
    this.status = status
  }
}

/** The maximum number of concurrent requests. */
export const PARALLEL = 8
/** How often a throttled request is repeated. */
export const REPEATS = 4
const PAUSE_MS = 500
const RETRY_AFTER_MAX_S = 30

/** The error codes of throttling. */
const THROTTLED = /Throttl|TooManyRequests|SlowDown|RequestLimitExceeded|RESOURCE_EXHAUSTED/

const isThrottled = ({ status, text }: CloudAnswer): boolean =>
  status === 429 || status === 503 || (status === 400 && THROTTLED.test(text))

const shownOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The message of an error answer, in the formats of the clouds. */
const saidBy = (text: string): string => {
  const [, xml] = /<Message>([^<]{1,300})/.exec(text) ?? []
  const [, json] = /"(?:message|Message|error_description)"\s*:\s*"([^"]{1,300})/.exec(text) ?? []
  const said = xml ?? json
  return said === undefined ? "" : `: ${said}`
}

/** The failure of an error answer. */
export const refusal = (url: string, { status, text }: CloudAnswer): CloudRefusal =>
  new CloudRefusal(`${shownOf(url)} answered ${status}${saidBy(text)}`, status)

const retryAfterMs = (headers: CloudAnswer["headers"], repeat: number): number => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, RETRY_AFTER_MAX_S) * 1_000
    : PAUSE_MS * 2 ** repeat
}

/** A client for clouds. */
export interface CloudRequests {
  /** Sends a request. `request` is called for each attempt, because a signature contains the time. */
  readonly send: (request: () => CloudRequest) => Promise<CloudAnswer>
  /** Sends a request once, and streams the body of its answer. */
  readonly stream: (request: CloudRequest) => Promise<NodeFetch.StreamedAnswer>
}

/** The client of a command. */
export const make = async (context: CommandContext): Promise<CloudRequests> => {
  const { host, output } = context
  const { timeoutMs } = await context.settings()
  const options: NodeFetch.NodeFetchOptions = {
    env: host.env,
    certificates: undefined,
    onAttempt: ({ method, url, status, error }) =>
      output.trace(`${method} ${url.origin}${url.pathname} ${status ?? error}`)
  }
  const fetch = NodeFetch.make(options)
  const fetchInside = NodeFetch.make({ ...options, env: {} })
  const streamed = NodeFetch.makeStreamed(options)
  const silent = (url: string) => (cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw unreadable(`${shownOf(url)} does not answer: ${why}`, undefined, cause)
  }
  const initOf = ({ method = "GET", headers = {}, body, timeoutMs: own }: CloudRequest) => ({
    method,
    headers: { "user-agent": "attestry", ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(own ?? timeoutMs)
  })
  const once = async (request: CloudRequest): Promise<CloudAnswer> => {
    const send = request.timeoutMs === undefined ? fetch : fetchInside
    const read = () => send(request.url, initOf(request))
    const answer = await BrokenSocket.repeatOnce(read).catch(silent(request.url))
    const text = new TextDecoder().decode(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, text }
  }
  return {
    send: async (request) => {
      for (let repeat = 0; ; repeat++) {
        const answer = await once(request())
        if (!isThrottled(answer) || repeat === REPEATS) return answer
        await host.sleep(retryAfterMs(answer.headers, repeat), host.signal)
      }
    },
    stream: (request) => {
      const { signal: _, ...init } = initOf(request)
      const read = () => streamed(request.url, { ...init, signal: host.signal })
      return BrokenSocket.repeatOnce(read).catch(silent(request.url))
    }
  }
}

/** Maps items with limited concurrency; keeps the order. */
export const parallel = async <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results = new Map<number, B>()
  const queue = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results.set(next[0], await work(next[1]))
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, worker))
  return [...results].sort(([left], [right]) => left - right).map(([, result]) => result)
}
