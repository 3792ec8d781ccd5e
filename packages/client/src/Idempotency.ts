/**
 * Idempotency keys: the server handles a write under a key once and replays its response.
 *
 * Most writes are idempotent without a key (DECISIONS.md, "Retried writes converge"). The client generates a key for
 * the others, one for each call and all its attempts. A key costs two more transactions.
 */
import { IdempotencyKey } from "@attestry/core/IdempotentRequest"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Schema from "effect/Schema"
import { KEYED_OPERATIONS } from "./internal/KeyedOperations.js"
import { TransportFailure } from "./internal/TransportFailure.js"

const chosen: FiberRef.FiberRef<string | undefined> = globalValue(
  "@attestry/client/Idempotency",
  () => FiberRef.unsafeMake<string | undefined>(undefined)
)

/** Sends a write under a key: the same call under the same key gets the same response for a day. */
export const under =
  (key: string) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(call, chosen, key)

/** The call of an operation, under a generated key where it needs one and has none. */
export const keyed = <A, E, R>(
  operation: string,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  KEYED_OPERATIONS.includes(operation)
    ? Effect.flatMap(FiberRef.get(chosen), (key) =>
        key === undefined ? under(crypto.randomUUID())(call) : call
      )
    : call

const isKey = Schema.is(IdempotencyKey)

/** The request with the key of the current call; reads need none. */
export const intoHeader = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientRequest.HttpClientRequest, TransportFailure> =>
  Effect.flatMap(FiberRef.get(chosen), (key) => {
    if (key === undefined || request.method === "GET") return Effect.succeed(request)
    return isKey(key)
      ? Effect.succeed(HttpClientRequest.setHeader(request, "idempotency-key", key))
      : new TransportFailure({
          reason: "Encode",
          detail: "an idempotency key has 1 to 255 visible ASCII characters"
        })
  })
