/** Sends requests to the API: the one place that calls `fetch`, and the list of what this page has asked. */
import { signal } from "@preact/signals"
import type { Call } from "./Api.js"
import * as ApiProblem from "./ApiProblem.js"
import { base } from "./Navigation.js"

/** A request that was made, for the footer. */
export interface SentRequest extends Call {
  readonly status: number
  readonly tookMs: number
}

/** The requests of the current page, oldest first. */
export const sent = signal<ReadonlyArray<SentRequest>>([])

/** When a read was last answered, in milliseconds; undefined before the first one. */
export const updatedAt = signal<number | undefined>(undefined)

/** The footer shows at most this many. */
const SENT_MAX = 100

/** Forgets the requests of the page before. */
export const forgetSent = (): void => {
  sent.value = []
}

/** An answer, or the reason why there is none. */
export type Outcome =
  | {
      readonly _tag: "Answered"
      readonly value: unknown
      readonly bytes: number
      /** The answer as it came, by which an unchanged one is known. */
      readonly text: string
    }
  | { readonly _tag: "Refused"; readonly problem: ApiProblem.ApiProblem }
  | { readonly _tag: "Aborted" }

/** What a request may carry beside its address. */
export interface SendOptions {
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
}

const refused = (problem: ApiProblem.ApiProblem): Outcome => ({ _tag: "Refused", problem })

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

/** Sends a request; never rejects. */
export const send = async (
  { method, path }: Call,
  { body, headers, signal }: SendOptions = {}
): Promise<Outcome> => {
  const startedAt = performance.now()
  const log = (status: number) => {
    const entry = { method, path, status, tookMs: Math.round(performance.now() - startedAt) }
    sent.value = [...sent.value, entry].slice(-SENT_MAX)
  }
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal })
    })
    log(response.status)
    if (response.ok && method === "GET") updatedAt.value = Date.now()
    return await outcomeOf(response)
  } catch {
    if (signal?.aborted === true) return { _tag: "Aborted" }
    log(0)
    return refused(ApiProblem.offline)
  }
}
