/** The problem of a request: a kind that decides how a page reacts, and the message of the server. */
import { isRecord } from "./JsonValue.js"

/** The reaction of a page to a problem. */
export type Kind =
  | "signed-out"
  | "denied"
  | "missing"
  | "invalid"
  | "conflict"
  | "busy"
  | "offline"
  | "broken"

/** A failed request. */
export interface ApiProblem {
  readonly kind: Kind
  /** 0 where no answer came. */
  readonly status: number
  readonly message: string
  /** Messages by the names of fields. */
  readonly errors: ReadonlyMap<string, string>
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, for `busy`. */
  readonly retryAfterSeconds: number | undefined
}

/** An answer, as far as it matters here. */
export interface FailedAnswer {
  readonly status: number
  readonly body: unknown
  readonly header: (name: string) => string | null
}

const kindOf = (status: number): Kind => {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return "invalid"
    case 401:
      return "signed-out"
    case 403:
      return "denied"
    case 404:
    case 410:
      return "missing"
    case 409:
      return "conflict"
    case 429:
    case 503:
      return "busy"
    default:
      return "broken"
  }
}

const errorsOf = (body: unknown): ReadonlyMap<string, string> =>
  new Map(
    isRecord(body) && isRecord(body.errors)
      ? Object.entries(body.errors).map(([field, message]) => [field, String(message)])
      : []
  )

const messageOf = (body: unknown, status: number): string =>
  isRecord(body) && typeof body.message === "string" && body.message !== ""
    ? body.message
    : `The server answered with status ${status}`

/** WHY a bound: a page that waits longer than this looks broken. */
const RETRY_SECONDS_MAX = 300

const retryAfterOf = (text: string | null): number | undefined => {
  if (text === null || !/^[0-9]{1,9}$/.test(text)) return undefined
  return Math.min(Number(text), RETRY_SECONDS_MAX)
}

/** The problem of an answer without a status of success. */
export const fromAnswer = ({ status, body, header }: FailedAnswer): ApiProblem => ({
  kind: kindOf(status),
  status,
  message: messageOf(body, status),
  errors: errorsOf(body),
  requestId: header("x-request-id") ?? undefined,
  retryAfterSeconds: retryAfterOf(header("retry-after"))
})

/** The problem of a request that got no answer. */
export const offline: ApiProblem = {
  kind: "offline",
  status: 0,
  message: "The server cannot be reached",
  errors: new Map(),
  requestId: undefined,
  retryAfterSeconds: undefined
}

/** The problem of an answer that does not match the contract. */
export const unreadable = (status: number): ApiProblem => ({
  ...offline,
  kind: "broken",
  status,
  message: "The answer of the server cannot be read"
})
