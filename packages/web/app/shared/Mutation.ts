/**
 * Writes of a page: each carries the session's token and a key that belongs to what is written, so that a double click
 * or a repeated attempt writes once.
 */
import { type Answers, callOf, type OperationId, type ParamsOf } from "./Api.js"
import type { ApiProblem } from "./ApiProblem.js"
import { send } from "./Transport.js"
import { isUnsettled, type WriteKeys } from "./WriteKeys.js"

/** What came of a write. */
export type Written<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly problem: ApiProblem }

/** What writes need of the session. */
export interface Credentials {
  readonly csrfToken: () => string
  /** Waits until there is a session again; false when the dialog was closed without one. */
  readonly signInAgain: () => Promise<boolean>
}

/** Sends writes of one form. */
export const make =
  (keys: WriteKeys, credentials: Credentials) =>
  async <Id extends OperationId>(
    id: Id,
    params: ParamsOf<Id>,
    body?: unknown
  ): Promise<Written<Answers[Id]>> => {
    const call = callOf(id, params)
    const attempt = () =>
      send(call, {
        ...(body === undefined ? {} : { body }),
        headers: {
          "x-csrf-token": credentials.csrfToken(),
          "idempotency-key": keys.keyFor(JSON.stringify([call, body]))
        }
      })
    let outcome = await attempt()
    const isSignedOut = outcome._tag === "Refused" && outcome.problem.kind === "signed-out"
    if (isSignedOut && (await credentials.signInAgain())) outcome = await attempt()
    if (outcome._tag === "Refused") {
      if (!isUnsettled(outcome.problem)) keys.settle()
      return outcome
    }
    keys.settle()
    // WHY: the table of operations says what this address answers; nothing aborts a write.
    return {
      _tag: "Done",
      value: (outcome._tag === "Answered" ? outcome.value : undefined) as Answers[Id]
    }
  }
