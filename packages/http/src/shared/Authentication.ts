/**
 * The `Authorization` header, read by ourselves.
 *
 * WHY: the platform's decoder does not check the scheme's word, so `Bearerx <key>` would pass. The scheme
 * is matched whole and in any case; two headers, or none, are the same as a wrong key (P-SCHEME).
 */
import type { Actor } from "@attestry/core/Actor"
import { InvalidCredential } from "@attestry/core/ApiKey"
import type { ApiKeys } from "@attestry/core/ApiKeys"
import type { StoreError } from "@attestry/core/StoreError"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { IncomingRequest } from "./Exchange.js"

const BEARER = /^bearer +(\S+)$/i

/** The bearer key of a request. */
export const bearer = (request: IncomingRequest): Option.Option<Redacted.Redacted<string>> => {
  const [header, ...others] = request.headers("authorization")
  const key = others.length === 0 ? BEARER.exec(header ?? "")?.[1] : undefined
  return Option.map(Option.fromNullable(key), (text) => Redacted.make(text))
}

/** Who sent a request. */
export const authenticate = (
  keys: ApiKeys,
  request: IncomingRequest
): Effect.Effect<Actor, InvalidCredential | StoreError> =>
  Option.match(bearer(request), {
    onNone: () => new InvalidCredential(),
    onSome: (key) => keys.authenticate(key)
  })
