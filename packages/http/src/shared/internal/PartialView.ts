/**
 * The header of answers to who reads a part of the org: an answer that looks complete and is not would mislead.
 *
 * The standing of the caller alone decides, never what was left out: whether something was is not told. SPEC §4.33
 */
import type { Actor, ActorMembership } from "@attestry/core/Actor"
import { namesPlaces } from "@attestry/core/KeyScope"
import { Reaches } from "@attestry/core/Reaches"
import * as Space from "@attestry/core/Space"
import * as Standing from "@attestry/core/Standing"
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

/** The membership of a caller who may read a part alone: it has no base role, or its key names places. */
const withoutRole = (
  actor: Actor | undefined,
  org: string | undefined
): ActorMembership | undefined =>
  actor?.memberships.find(
    (each) => each.org === org && (each.role === "none" || namesPlaces(actor.scope))
  )

/** Makes what adds the header. For everyone with a base role it costs no lookup. */
export const make = Effect.map(Reaches, (reaches) => {
  /** Whatever permissions its key leaves: a key that may not read has no answers that look complete. */
  const isPartial = (actor: Actor, membership: ActorMembership) =>
    Effect.map(
      reaches.standingOf(actor, membership),
      (standing) => !Standing.isWhole(standing, Space.rootOf(membership.org_id))
    ).pipe(
      // WHY: where it is not known, the answer may be of a part, and saying so does no harm.
      Effect.catchTag("StoreError", () => Effect.succeed(true))
    )

  return <E>(
    { caller, org, respondTo }: ViewedRequest<E>,
    response: Effect.Effect<OutgoingResponse, E>
  ): Effect.Effect<OutgoingResponse, E> =>
    Effect.flatMap(
      // WHY: an error is an answer too, and its response has the header.
      Effect.catchAll(response, (error) =>
        withoutRole(caller(), org) === undefined ? Effect.fail(error) : respondTo(error)
      ),
      (answer) => {
        const actor = caller()
        const membership = withoutRole(actor, org)
        return actor === undefined || membership === undefined
          ? Effect.succeed(answer)
          : Effect.map(isPartial(actor, membership), (isPart) => (isPart ? marked(answer) : answer))
      }
    )
})
