/**
 * The header of answers to who reads a part of the org: an answer that looks complete and is not would mislead.
 *
 * The standing of the caller alone decides, never what was left out: whether something was is not told. SPEC §4.33
 */
import type { Actor } from "@attestry/core/Actor"
import { Reaches } from "@attestry/core/Reaches"
import * as Effect from "effect/Effect"
import type { OutgoingResponse } from "../HttpMessage.js"

/** The name of the header, as headers of responses have it. */
export const NAME = "attestry-view"

const marked = (response: OutgoingResponse): OutgoingResponse => ({
  ...response,
  headers: { ...response.headers, [NAME]: "partial" }
})

/** A request in an org, whose caller is known once it is authenticated. */
export interface ViewedRequest<E> {
  readonly org: string | undefined
  readonly caller: () => Actor | undefined
  /** The response of an error. */
  readonly respondTo: (error: E) => Effect.Effect<OutgoingResponse>
}

/** Whether a caller may read a part alone; true costs a lookup to be sure. */
const mayBePartial = (actor: Actor | undefined, org: string | undefined): actor is Actor =>
  actor?.memberships.some((each) => each.org === org && each.role === "none") === true

/** Makes what adds the header. For everyone with a base role it costs no lookup. */
export const make = Effect.map(Reaches, (reaches) => {
  /** WHY so on a failure: the answer may be of a part, and saying so does no harm. */
  const isPartial = (actor: Actor, org: string) =>
    Effect.catchAll(reaches.isPartial(actor, org), () => Effect.succeed(true))

  return <E>(
    { caller, org, respondTo }: ViewedRequest<E>,
    response: Effect.Effect<OutgoingResponse, E>
  ): Effect.Effect<OutgoingResponse, E> =>
    Effect.flatMap(
      Effect.catchAll(response, (error) =>
        mayBePartial(caller(), org) ? respondTo(error) : Effect.fail(error)
      ),
      (answer) => {
        const actor = caller()
        return org !== undefined && mayBePartial(actor, org)
          ? Effect.map(isPartial(actor, org), (isPart) => (isPart ? marked(answer) : answer))
          : Effect.succeed(answer)
      }
    )
})
