/**
 * Authenticates people whom the host of an embedded Attestry has signed in: requests without the header `Authorization`
 * and without a cookie of ours, of operations that accept sessions.
 */
import * as HttpError from "@attestry/api/HttpError"
import type { Scheme } from "@attestry/api/Operation"
import type { Actor } from "@attestry/core/Actor"
import { HostActors } from "@attestry/core/HostActors"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { HostSignIn, WRITE_HEADER } from "../HostSignIn.js"
import type { IncomingRequest } from "../HttpMessage.js"
import * as Authentication from "./Authentication.js"

/** The message for a write without the header. */
export const HEADER_MISSING = `Writes without an API key need the header ${WRITE_HEADER}: 1`

/** The message while the sign-in of the host fails. */
export const FAILED = "The sign-in of the host failed: please try again"

const HEADER = WRITE_HEADER.toLowerCase()

const isSafe = (request: IncomingRequest): boolean =>
  request.method === "GET" || request.method === "HEAD" || request.headers(HEADER).includes("1")

/** Finds the actor of a request by the sign-in of the host; none where the host knows none. */
export const make = Effect.gen(function* () {
  const signIn = yield* HostSignIn
  const actors = yield* HostActors

  return (
    request: IncomingRequest,
    schemes: ReadonlyArray<Scheme>
  ): Effect.Effect<
    Option.Option<Actor>,
    StoreError | HttpError.Forbidden | HttpError.Unavailable
  > =>
    Effect.gen(function* () {
      const isOpen = schemes.includes("session") && Authentication.isAbsent(request)
      if (signIn === undefined || !isOpen) return Option.none()
      const person = yield* Effect.mapError(
        signIn(request),
        (cause) => new HttpError.Unavailable({ message: FAILED, cause })
      )
      if (Option.isNone(person)) return Option.none()
      if (!isSafe(request)) return yield* new HttpError.Forbidden({ message: HEADER_MISSING })
      return Option.some(yield* actors.actorOf(person.value))
    })
})
