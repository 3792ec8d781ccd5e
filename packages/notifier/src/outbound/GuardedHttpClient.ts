/**
 * Sends a POST to a tenant's URL and to nothing else. SPEC §6.4
 *
 * One attempt parses the URL, resolves its name once, checks every resolved address and dials only addresses that
 * passed. An `OutboundTransport` owns the sockets; this module opens none.
 */
import * as Span from "@attestry/core/Span"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AddressRange from "./AddressRange.js"
import type { AllowList } from "./AllowList.js"
import type { BlockedDestination } from "./BlockedDestination.js"
import { DeliveryError } from "./DeliveryError.js"
import { HostResolver } from "./HostResolver.js"
import type { OutboundTransport, TransportFailure, TransportResponse } from "./OutboundTransport.js"
import * as OutboundUrl from "./OutboundUrl.js"
import * as RetryAfter from "./RetryAfter.js"

/** One attempt. Connections are shared only between requests of one `tenant`. */
export interface PostRequest {
  readonly tenant: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly timeoutMs: number
}

/** The receiver's response; a 3xx or 5xx is a response, not an error. */
export interface PostResponse {
  readonly status: number
  /** How long the receiver asks us to wait before the next attempt. */
  readonly retryAfter: Option.Option<Duration.Duration>
}

/** Sends POST requests to permitted destinations only. */
export class GuardedHttpClient extends Context.Tag("@attestry/notifier/GuardedHttpClient")<
  GuardedHttpClient,
  {
    /**
     * Makes one attempt within `timeoutMs`, resolution and response body included. Redirects are not followed.
     * The client sets `host`, `content-length` and the headers of the connection and ignores the request's; it
     * adds no tracing header. The receiver may see the request twice when a kept connection breaks before the
     * response.
     */
    readonly post: (request: PostRequest) => Effect.Effect<PostResponse, DeliveryError>
  }
>() {}

/** How many addresses of one name are tried in one attempt. */
export const addressesMax = 4

/** A request with its parsed URL, its permitted addresses and its times. */
interface Route extends Omit<PostRequest, "url"> {
  readonly url: OutboundUrl.OutboundUrl
  readonly addresses: Arr.NonEmptyReadonlyArray<AddressRange.Address>
  readonly connectTimeoutMs: number
}

// WHY: the next address is tried only after one that was never reached, or a receiver with two addresses would
// get the same request twice.
const dialInOrder = (
  transport: OutboundTransport,
  { addresses, ...route }: Route
): Effect.Effect<TransportResponse, TransportFailure> => {
  const [address, next, ...others] = addresses
  if (next === undefined) return transport.send({ ...route, address })
  return Effect.flatMap(Clock.currentTimeMillis, (startedAt) =>
    Effect.catchTag(transport.send({ ...route, address }), "TransportFailure", (failure) =>
      failure.unreached
        ? Effect.flatMap(Clock.currentTimeMillis, (now) =>
            dialInOrder(transport, {
              ...route,
              addresses: [next, ...others],
              timeoutMs: Math.max(1, route.timeoutMs - (now - startedAt))
            })
          )
        : Effect.fail(failure)
    )
  )
}

const failed = (reason: DeliveryError["reason"]) => new DeliveryError({ reason })

const blocked = ({ reason }: BlockedDestination) =>
  failed(reason === "unresolved" ? "resolution" : "blocked destination")

/** Logs the error code for the operator; a tenant learns the class of the failure alone. */
const reportFailure = ({ code, reason }: TransportFailure) =>
  Effect.logDebug("outbound request failed").pipe(
    Effect.annotateLogs({ code }),
    Effect.zipRight(Effect.fail(failed(reason)))
  )

const responseOf = ({ retryAfter, status }: TransportResponse) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now): PostResponse => ({
      status,
      retryAfter: Option.flatMap(retryAfter, (text) =>
        RetryAfter.parse(text, DateTime.unsafeMake(now))
      )
    })
  )

/**
 * Builds the client from a transport and the operator's allow-list. The resolver and the transport keep the times
 * that they are given.
 */
export const make = (transport: OutboundTransport, allow: AllowList) =>
  Effect.map(HostResolver, (resolver) => {
    const addressesOf = ({ host }: OutboundUrl.OutboundUrl, timeoutMs: number) =>
      host._tag === "Address"
        ? Effect.succeed([AddressRange.print(host.address)])
        : Effect.mapError(resolver.resolve(host.name, timeoutMs), ({ late }) =>
            failed(late ? "timeout" : "resolution")
          )

    const attempt = (request: PostRequest) =>
      Effect.gen(function* () {
        const startedAt = yield* Clock.currentTimeMillis
        const url = yield* Effect.mapError(OutboundUrl.check(request.url, allow), blocked)
        const resolved = yield* addressesOf(url, request.timeoutMs)
        const [first, ...others] = yield* Effect.mapError(
          OutboundUrl.checkAddresses(url, resolved, allow),
          blocked
        )
        const timeoutMs = request.timeoutMs - ((yield* Clock.currentTimeMillis) - startedAt)
        if (timeoutMs <= 0) return yield* failed("timeout")
        const addresses = [first, ...others.slice(0, addressesMax - 1)] as const
        const connectTimeoutMs = Math.ceil(timeoutMs / addresses.length)
        const route: Route = { ...request, url, addresses, timeoutMs, connectTimeoutMs }
        return yield* dialInOrder(transport, route).pipe(
          Effect.catchTag("TransportFailure", reportFailure),
          Effect.flatMap(responseOf)
        )
      })

    return GuardedHttpClient.of({
      post: (request) => Span.within("GuardedHttpClient.post", attempt(request))
    })
  })
