/** Converts error answers and missing answers to failures of commands. Pure. */
import { type Fault, faultOf } from "@attestry/client/node/CertificateFault"
import { isProposable } from "@attestry/core/ProposableOperation"
import { CommandFailure, type FailureDetails } from "../shared/CommandFailure.js"
import type { ExitWord } from "../shared/ExitCode.js"
import { isObject } from "../shared/Json.js"

/** The parts of an error answer that describe the failure. */
export interface FailedAnswer {
  readonly operation: string
  readonly status: number
  readonly contentType: string
  readonly requestId: string | undefined
  readonly text: string
  /** The header with related addresses, which a held change has. */
  readonly link: string | undefined
  /** The source of the key, for messages. */
  readonly keySource: string
  /** The org of the path; undefined for a path without one. */
  readonly org: string | undefined
  /** For a 403: the role that the operation needs. */
  readonly role: string | undefined
  /** Whether the request had an idempotency key that this program made. */
  readonly isKeyed: boolean
  readonly url: string
}

const WORDS: ReadonlyMap<number, ExitWord> = new Map([
  [400, "refused"],
  [401, "denied"],
  [403, "denied"],
  [404, "missing"],
  [409, "refused"],
  [413, "refused"],
  [415, "refused"],
  [422, "refused"]
])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // WHY: a body that is not JSON comes from a proxy.
    return undefined
  }
}

const errorsOf = (value: unknown): { readonly [field: string]: string } | undefined =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, said]) => [name, String(said)]))
    : undefined

const REPORT_BUG =
  "run it again with -v, and report what it prints: https://github.com/attestry/attestry/issues"

/** Whether the change waits for the approval of other people. */
const isHeld = ({ link, status }: FailedAnswer): boolean =>
  status === 403 && link !== undefined && /;\s*rel="?proposal"?/.test(link)

const HELD_ELSEWHERE = "this command cannot be proposed, as its answer is a secret"

const hintOf = (answer: FailedAnswer): string | undefined => {
  const { status, keySource, role, operation, org } = answer
  if (isHeld(answer)) return isProposable(operation) ? undefined : HELD_ELSEWHERE
  switch (status) {
    case 401:
      return `the key from ${keySource} opens nothing: it is expired, revoked or of another deployment`
    case 403:
      return (
        `${role === undefined ? "" : `${operation} needs the role ${role}: `}the key from ${keySource} ` +
        `may not do this${org === undefined ? "" : ` in the org ${org}`}; see: attestry whoami`
      )
    case 413:
      return "the limits of the deployment: attestry get meta"
    case 422:
      return isOwnConflict(answer) ? REPORT_BUG : undefined
    default:
      return undefined
  }
}

/** WHY a bug: this program uses each key for one request, so the user cannot resolve a conflict. */
const isOwnConflict = ({ status, isKeyed }: FailedAnswer): boolean => status === 422 && isKeyed

const wordOf = (answer: FailedAnswer): ExitWord =>
  isOwnConflict(answer) ? "defect" : (WORDS.get(answer.status) ?? "unanswered")

/** The first heading or line of a page that is not from the API. */
const heading = (text: string): string => {
  const [, title = ""] = /<(?:title|h1)[^>]*>([^<]{1,200})/i.exec(text) ?? []
  return (title === "" ? text : title).trim().split("\n")[0]?.slice(0, 120) ?? ""
}

const foreign = (answer: FailedAnswer): CommandFailure => {
  const { status, contentType, requestId, operation, text } = answer
  const said = heading(text)
  return new CommandFailure(
    "unanswered",
    `${answer.url} answered ${status} (${contentType === "" ? "no content type" : contentType})` +
      `${said === "" ? "" : `: ${said}`}`,
    {
      operation,
      requestId,
      status,
      hint: "is this the deployment's address? see: attestry config show"
    }
  )
}

/** The failure of an error answer. */
export const ofAnswer = (answer: FailedAnswer): CommandFailure => {
  const body = parsed(answer.text)
  const message = isObject(body) && typeof body.message === "string" ? body.message : undefined
  if (message === undefined) return foreign(answer)
  const details: FailureDetails = {
    operation: answer.operation,
    requestId: answer.requestId,
    status: answer.status,
    errors: isObject(body) ? errorsOf(body.errors) : undefined,
    isHeld: isHeld(answer) && isProposable(answer.operation),
    hint: hintOf(answer)
  }
  return new CommandFailure(wordOf(answer), message, details)
}

const HINTS: { readonly [fault in Fault]: string } = {
  early: "is the clock of this machine right? see: attestry doctor",
  expired:
    "the server needs a new certificate, unless the clock of this machine is wrong; see: attestry doctor",
  "other-name": "is this the deployment's address? see: attestry config show",
  untrusted:
    "give --ca-file with the certificate of the authority; a proxy that inspects TLS has one of its own"
}

/** The certificate problem that caused the missing answer, if any. */
const faultIn = (cause: unknown): Fault | undefined =>
  cause instanceof Error ? (faultOf(cause) ?? faultIn(cause.cause)) : undefined

const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  const inner = codeOf(cause.cause)
  if (inner !== "") return inner
  return "code" in cause && typeof cause.code === "string" ? cause.code : ""
}

/** The failure of a call without an answer. */
export const ofSilence = (
  operation: string,
  error: Error,
  {
    url,
    proxy,
    attempts
  }: { readonly url: string; readonly proxy: string | undefined; readonly attempts: number }
): CommandFailure => {
  const code = codeOf(error)
  const why = error.message.replace(/^`[^`]*` failed: /, "")
  const through = proxy === undefined ? "" : `, through the proxy ${proxy}`
  const times = attempts === 1 ? "" : `, ${attempts} attempts`
  const fault = faultIn(error)
  const hint =
    fault === undefined
      ? "is the address right, and does the server run? see: attestry doctor"
      : HINTS[fault]
  return new CommandFailure(
    "unanswered",
    `${url} did not answer: ${why}${code === "" || why.includes(code) ? "" : ` (${code})`}${through}${times}`,
    { operation, hint, cause: error }
  )
}

/** The failure of a success answer that cannot be read. */
export const unreadableAnswer = (operation: string, url: string): CommandFailure =>
  new CommandFailure("unanswered", `${url} answered something that is no answer of the API`, {
    operation,
    status: 200,
    hint: "is this the deployment's address? see: attestry config show"
  })
