/** A failed request: a kind, which decides how pages react, and the server's message. */
import type { HeldRequest } from "./HeldRequest.js"
import { isRecord } from "./JsonValue.js"

/** The kinds of problems; pages react to each differently. */
export type Kind =
  | "signed-out"
  | "denied"
  | "missing"
  | "invalid"
  | "conflict"
  | "busy"
  | "offline"
  | "broken"

export interface ApiProblem {
  readonly kind: Kind
  /** 0 if no answer arrived. */
  readonly status: number
  readonly message: string
  /** Messages by field name. */
  readonly errors: ReadonlyMap<string, string>
  readonly requestId: string | undefined
  /** For `busy`: how long to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined
  /** For `signed-out`: how recent a sign-in has to be, in seconds, where the one of the session is too old. */
  readonly signInWithin?: number
  /** Whether protections of the org hold the change back, so that it may be proposed. */
  readonly isHeld?: boolean
  /** The request of such a change. */
  readonly held?: HeldRequest | undefined
}

/** The parts of an answer that describe a failure. */
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

/** WHY a maximum: a page that waits longer looks broken. */
const RETRY_SECONDS_MAX = 300

const retryAfterOf = (text: string | null): number | undefined => {
  if (text === null || !/^[0-9]{1,9}$/.test(text)) return undefined
  return Math.min(Number(text), RETRY_SECONDS_MAX)
}

/** RFC 9470 */
const TOO_OLD = /insufficient_user_authentication", max_age="([0-9]{1,5})"/

const signInWithinOf = (challenge: string | null): Pick<ApiProblem, "signInWithin"> => {
  const [, seconds] = TOO_OLD.exec(challenge ?? "") ?? []
  return seconds === undefined ? {} : { signInWithin: Number(seconds) }
}

/** The problem of an answer with an error status. */
export const fromAnswer = ({ status, body, header }: FailedAnswer): ApiProblem => ({
  kind: kindOf(status),
  status,
  message: messageOf(body, status),
  errors: errorsOf(body),
  requestId: header("x-request-id") ?? undefined,
  retryAfterSeconds: retryAfterOf(header("retry-after")),
  ...(status === 401 ? signInWithinOf(header("www-authenticate")) : {}),
  isHeld: status === 403 && /rel="?proposal/.test(header("link") ?? "")
})

/** The problem of a request without an answer. */
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
