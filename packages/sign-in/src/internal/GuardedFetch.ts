/**
 * The `fetch` of the library, on the host's guard.
 *
 * A set of keys is looked at before the library sees it: it has few keys, and none that is a shared secret. The guard
 * tells no headers of a response, so that every body counts as JSON and is refused where it is none.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { CustomFetch } from "openid-client"
import type { Outbound, OutboundResponse } from "../Outbound.js"

/** The most keys of a set. */
export const KEYS_MAX = 100

/** The provider could not be asked, or its answer is not one; the message names no address. */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable"
}

const textOf = (body: unknown): string =>
  typeof body === "string" ? body : body instanceof URLSearchParams ? body.toString() : ""

const isUsableKey = (key: unknown): boolean =>
  Predicate.isRecord(key) && key.kty !== "oct" && !Predicate.hasProperty(key, "k")

const problemOf = (body: string): string | null => {
  const value = Either.try((): unknown => JSON.parse(body))
  if (Either.isLeft(value) || !Predicate.isRecord(value.right)) return "an answer is no JSON object"
  const { keys } = value.right
  if (!Array.isArray(keys)) return null
  if (keys.length > KEYS_MAX) return `its set of keys has more than ${KEYS_MAX} keys`
  return keys.every(isUsableKey) ? null : "its set of keys has a shared secret"
}

/** Statuses without a body, which a response of the platform refuses to be made of. */
const isEmpty = (status: number): boolean => status === 204 || status === 205 || status === 304

const responseOf = ({ status, body }: OutboundResponse): Response => {
  if (status < 200 || status > 599) throw new ProviderUnreachable(`status ${status}`)
  if (status >= 300 && status < 400) throw new ProviderUnreachable("it redirects")
  const problem = status === 200 ? problemOf(body) : null
  if (problem !== null) throw new ProviderUnreachable(problem)
  return new Response(isEmpty(status) ? null : body, {
    status,
    headers: { "content-type": "application/json" }
  })
}

/** The `fetch` of the library. */
export const make =
  (outbound: Outbound): CustomFetch =>
  async (url, { body, headers, method }) => {
    const sent = await Effect.runPromise(
      Effect.either(
        outbound({
          method: method === "POST" ? "POST" : "GET",
          url,
          headers: { ...headers },
          body: textOf(body)
        })
      )
    )
    if (Either.isLeft(sent)) throw new ProviderUnreachable(sent.left.reason)
    return responseOf(sent.right)
  }
