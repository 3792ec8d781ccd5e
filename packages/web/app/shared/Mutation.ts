/**
 * Sends writes with the session's CSRF token and an idempotency key for the written values, so that a double click or
 * a repeated attempt is carried out once.
 */
import { type Answer, callOf, type OperationName, type ParamsOf } from "./Api.js"
import type { ApiProblem } from "./ApiProblem.js"
import * as HeldRequest from "./HeldRequest.js"
import { send } from "./Transport.js"
import { isUnsettled, type WriteKeys } from "./WriteKeys.js"

export type Written<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly problem: ApiProblem }

/** The parts of the session that writes need. */
export interface Credentials {
  readonly csrfToken: () => string
  /**
   * Waits until the same person has signed in again, within so many seconds if they are given; false if that did not
   * happen, and nothing is sent.
   */
  readonly signInAgain: (within?: number) => Promise<boolean>
}

/** What tells one body from another; a file by what the browser says about it. */
const contentOf = (body: unknown): unknown =>
  body instanceof File ? [body.name, body.size, body.lastModified] : body

export const make =
  (keys: WriteKeys, credentials: Credentials) =>
  async <Id extends OperationName>(
    id: Id,
    params: ParamsOf<Id>,
    body?: unknown
  ): Promise<Written<Answer<Id>>> => {
    const call = callOf(id, params)
    const attempt = () =>
      send(call, {
        ...(body === undefined ? {} : { body }),
        headers: {
          "x-csrf-token": credentials.csrfToken(),
          "idempotency-key": keys.keyFor(JSON.stringify([call, contentOf(body)]))
        }
      })
    let outcome = await attempt()
    const { kind, signInWithin } = outcome._tag === "Refused" ? outcome.problem : {}
    if (kind === "signed-out" && (await credentials.signInAgain(signInWithin)))
      outcome = await attempt()
    if (outcome._tag === "Refused") {
      const { problem } = outcome
      if (!isUnsettled(problem)) keys.settle()
      return problem.isHeld === true
        ? { _tag: "Refused", problem: { ...problem, held: HeldRequest.make(id, params, body) } }
        : outcome
    }
    keys.settle()
    // WHY: the contract types the answer of this operation; nothing aborts a write.
    return {
      _tag: "Done",
      value: (outcome._tag === "Answered" ? outcome.value : undefined) as Answer<Id>
    }
  }
