/**
 * Reads with a request body: they send the session's CSRF token, and need no idempotency key because they store
 * nothing.
 */
import { callOf, type OperationName, type ParamsOf } from "../shared/Api.js"
import {
  type FileOutcome,
  type LinesOutcome,
  type Outcome,
  send,
  sendForFile,
  sendForLines
} from "../shared/Transport.js"
import * as Session from "./Session.js"

export interface Question<Id extends OperationName> {
  readonly id: Id
  readonly params: ParamsOf<Id>
  readonly body: unknown
  readonly signal: AbortSignal
}

const optionsOf = ({ body, signal }: { readonly body: unknown; readonly signal: AbortSignal }) => ({
  body,
  signal,
  headers: { "x-csrf-token": Session.csrfToken() }
})

/**
 * The refusal of a question while the session has ended. WHY not sent: between the answer that opens the next session
 * and the read of its token, a question would have the cookie of one session and the token of another.
 */
const ended = {
  _tag: "Refused",
  problem: {
    kind: "signed-out",
    status: 401,
    message: "Your session has ended",
    errors: new Map(),
    requestId: undefined,
    retryAfterSeconds: undefined
  }
} as const

/** Sends a request with a single answer. WHY no sign-in dialog: requests are sent while a person types. */
export const ask = <Id extends OperationName>(question: Question<Id>): Promise<Outcome> =>
  Session.hasEnded()
    ? Promise.resolve(ended)
    : send(callOf(question.id, question.params), optionsOf(question))

/** Sends a request that streams lines. If the session has ended, asks to sign in and sends it once more. */
export const askForLines = async <Id extends OperationName>(
  question: Question<Id>,
  onLines: (lines: ReadonlyArray<unknown>) => void
): Promise<LinesOutcome> => {
  const attempt = () =>
    sendForLines(callOf(question.id, question.params), optionsOf(question), onLines)
  const outcome = Session.hasEnded() ? ended : await attempt()
  const isSignedOut = outcome._tag === "Refused" && outcome.problem.kind === "signed-out"
  return isSignedOut && (await Session.signInAgain()) ? attempt() : outcome
}

/** Sends a request whose answer is a file. If the session has ended, asks to sign in and sends it once more. */
export const askForFile = async <Id extends OperationName>(
  question: Question<Id>
): Promise<FileOutcome> => {
  const attempt = () => sendForFile(callOf(question.id, question.params), optionsOf(question))
  const outcome = Session.hasEnded() ? ended : await attempt()
  const isSignedOut = outcome._tag === "Refused" && outcome.problem.kind === "signed-out"
  return isSignedOut && (await Session.signInAgain()) ? attempt() : outcome
}
