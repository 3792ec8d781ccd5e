/** Questions that have a body: they carry the token of the session, and store nothing, so they need no key. */
import { callOf, type OperationName, type ParamsOf } from "../shared/Api.js"
import { type LinesOutcome, type Outcome, send, sendForLines } from "../shared/Transport.js"
import * as Session from "./Session.js"

/** A question. */
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

/** Sends a request that has one answer. WHY no dialog if the session has ended: it is sent while a person types. */
export const ask = <Id extends OperationName>(question: Question<Id>): Promise<Outcome> =>
  send(callOf(question.id, question.params), optionsOf(question))

/** Sends a request that is answered by lines, and once more after signing in again if the session has ended. */
export const askForLines = async <Id extends OperationName>(
  question: Question<Id>,
  onLines: (lines: ReadonlyArray<unknown>) => void
): Promise<LinesOutcome> => {
  const attempt = () =>
    sendForLines(callOf(question.id, question.params), optionsOf(question), onLines)
  const outcome = await attempt()
  const isSignedOut = outcome._tag === "Refused" && outcome.problem.kind === "signed-out"
  return isSignedOut && (await Session.signInAgain()) ? attempt() : outcome
}
