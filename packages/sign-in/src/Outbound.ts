/**
 * How requests leave: the host's guard, which dials public and permitted addresses alone, follows no redirect and
 * bounds time and bytes. Nothing here opens a connection of its own.
 */
import type * as Effect from "effect/Effect"

/** A request to a provider. */
export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a GET. */
  readonly body: string
}

/** The response of a provider, whose body is a text of bounded length. */
export interface OutboundResponse {
  readonly status: number
  readonly body: string
}

/** Why there is no response; a class, without addresses. */
export interface OutboundFailure {
  readonly reason: string
}

/** Sends one request. */
export type Outbound = (
  request: OutboundRequest
) => Effect.Effect<OutboundResponse, OutboundFailure>

/** One attempt of the host's guarded client. */
interface GuardedRequest {
  readonly tenant: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** The host's guarded client, as far as it is needed: `GuardedHttpClient` of the notifier is one. */
export interface GuardedClient {
  readonly get: (request: GuardedRequest) => Effect.Effect<OutboundResponse, OutboundFailure>
  readonly exchange: (
    request: GuardedRequest & { readonly body: string }
  ) => Effect.Effect<OutboundResponse, OutboundFailure>
}

/** The most bytes that the client should read of an answer. */
export const ANSWER_BYTES_MAX = 262_144

const TIMEOUT_MILLIS = 10_000

/** Sends requests through a guarded client, which shares the connections of sign-in with nothing else. */
export const through =
  ({ get, exchange }: GuardedClient): Outbound =>
  ({ method, url, headers, body }) => {
    const request = { tenant: "sign-in", url, headers, timeoutMs: TIMEOUT_MILLIS }
    return method === "GET" ? get(request) : exchange({ ...request, body })
  }
