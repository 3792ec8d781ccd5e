/**
 * Sends a POST or a GET to a tenant's URL and to nothing else. SPEC §6.4
 *
 * One attempt parses the URL, resolves its name once, checks every resolved address and dials only addresses that
 * passed. An `OutboundTransport` owns the sockets; this module opens none.
 */
import * as BoundedCache from "@attestry/core/BoundedCache"
import * as Span from "@attestry/core/Span"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AddressRange from "./AddressRange.js"
import type { AllowList } from "./AllowList.js"
import type { BlockedDestination } from "./BlockedDestination.js"
import { DeliveryError } from "./DeliveryError.js"
import { HostResolver, type ResolutionError } from "./HostResolver.js"
import * as RetryAfter from "./internal/RetryAfter.js"
import type { OutboundTransport, TransportFailure, TransportResponse } from "./OutboundTransport.js"
import * as OutboundUrl from "./OutboundUrl.js"

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

/** A request that reads from a URL: as `PostRequest`, without a body. */
export type GetRequest = Omit<PostRequest, "body">

/** The response to a GET, with its body, which has at most as many bytes as the client reads. */
export interface GetResponse {
  readonly status: number
  readonly body: string
}

/** Sends requests to permitted destinations only. */
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
    /** As `post`, and reads the body of the response. */
    readonly exchange: (request: PostRequest) => Effect.Effect<GetResponse, DeliveryError>
    /** Reads a URL within `timeoutMs`, by the same rules. */
    readonly get: (request: GetRequest) => Effect.Effect<GetResponse, DeliveryError>
  }
>() {}

/** How many addresses of one name are tried in one attempt. */
export const addressesMax = 4

/** A request of either method. */
interface AnyRequest extends PostRequest {
  readonly method?: "GET"
  readonly keepsBody?: boolean
}

/** Where a request goes, and how long it may take. */
interface Route {
  readonly url: OutboundUrl.OutboundUrl
  readonly addresses: Arr.NonEmptyReadonlyArray<AddressRange.Address>
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
}

// WHY: the next address is tried only after one that was never reached, or a receiver with two addresses would
// get the same request twice.
const dialInOrder = (
  transport: OutboundTransport,
  request: AnyRequest,
  route: Route
): Effect.Effect<TransportResponse, TransportFailure> => {
  const { body, headers, tenant, method, keepsBody } = request
  const { addresses, connectTimeoutMs, timeoutMs, url } = route
  const [address, next, ...others] = addresses
  const sent = transport.send({
    address,
    url,
    tenant,
    headers,
    body,
    ...(method === undefined ? {} : { method }),
    ...(keepsBody === undefined ? {} : { keepsBody }),
    connectTimeoutMs,
    timeoutMs
  })
  if (next === undefined) return sent
  return Effect.flatMap(Effect.timed(Effect.either(sent)), ([elapsed, result]) => {
    if (Either.isRight(result) || !result.left.unreached) return result
    const left = Math.max(1, timeoutMs - Duration.toMillis(elapsed))
    return dialInOrder(transport, request, {
      ...route,
      addresses: [next, ...others],
      timeoutMs: left
    })
  })
}

const fail = (reason: DeliveryError["reason"]) => Effect.fail(new DeliveryError({ reason }))

const blocked = ({ reason }: BlockedDestination) =>
  fail(reason === "unresolved" ? "resolution" : "blocked destination")

const unresolved = ({ late }: ResolutionError) => fail(late ? "timeout" : "resolution")

/** Logs the error code for the operator; a tenant learns the class of the failure alone. */
const reportFailure = ({ code, reason }: TransportFailure) =>
  Effect.zipRight(
    Effect.annotateLogs(Effect.logDebug("outbound request failed"), { code }),
    fail(reason)
  )

/** The most parsed URLs that are cached. */
const URLS_MAX = 1_024

/**
 * Builds the client from a transport and the operator's allow-list. The resolver and the transport keep the times
 * that they are given.
 */
export const make = (transport: OutboundTransport, allow: AllowList) =>
  Effect.gen(function* () {
    const resolver = yield* HostResolver
    const clock = yield* Effect.clock
    const checked = BoundedCache.make<ReturnType<typeof OutboundUrl.check>>(URLS_MAX)
    const check = (url: string) =>
      checked.get(url) ?? checked.set(url, OutboundUrl.check(url, allow))

    const responseOf = ({ retryAfter, status }: TransportResponse): PostResponse => ({
      status,
      retryAfter: Option.flatMap(retryAfter, (text) =>
        RetryAfter.parse(text, DateTime.unsafeMake(clock.unsafeCurrentTimeMillis()))
      )
    })

    const dial = (
      request: AnyRequest,
      url: OutboundUrl.OutboundUrl,
      {
        resolved,
        timeoutMs
      }: { readonly resolved: ReadonlyArray<string>; readonly timeoutMs: number }
    ): Effect.Effect<TransportResponse, DeliveryError> => {
      const permitted = OutboundUrl.checkAddresses(url, resolved, allow)
      if (Either.isLeft(permitted)) return blocked(permitted.left)
      if (timeoutMs <= 0) return fail("timeout")
      const [first, ...others] = permitted.right
      const addresses = [first, ...others.slice(0, addressesMax - 1)] as const
      const connectTimeoutMs = Math.ceil(timeoutMs / addresses.length)
      const route = { url, addresses, timeoutMs, connectTimeoutMs }
      // WHY: a transport has one kind of failure, and its class is what a tenant may see.
      return Effect.catchAll(dialInOrder(transport, request, route), reportFailure)
    }

    const attempt = (request: AnyRequest): Effect.Effect<TransportResponse, DeliveryError> => {
      const url = check(request.url)
      if (Either.isLeft(url)) return blocked(url.left)
      const { timeoutMs } = request
      const { host } = url.right
      if (host._tag === "Address") {
        return dial(request, url.right, { resolved: [AddressRange.print(host.address)], timeoutMs })
      }
      const startedAt = clock.unsafeCurrentTimeMillis()
      return Effect.matchEffect(resolver.resolve(host.name, timeoutMs), {
        onFailure: unresolved,
        onSuccess: (resolved) => {
          const left = timeoutMs - (clock.unsafeCurrentTimeMillis() - startedAt)
          return dial(request, url.right, { resolved, timeoutMs: left })
        }
      })
    }

    return GuardedHttpClient.of({
      post: (request) =>
        Span.withSpan(
          "GuardedHttpClient.post",
          Effect.suspend(() => Effect.map(attempt(request), responseOf))
        ),
      exchange: (request) =>
        Span.withSpan(
          "GuardedHttpClient.exchange",
          Effect.suspend(() =>
            Effect.map(
              attempt({ ...request, keepsBody: true }),
              ({ status, body = "" }): GetResponse => ({ status, body })
            )
          )
        ),
      get: (request) =>
        Span.withSpan(
          "GuardedHttpClient.get",
          Effect.suspend(() =>
            Effect.map(
              attempt({ ...request, body: "", method: "GET" }),
              ({ status, body = "" }): GetResponse => ({ status, body })
            )
          )
        )
    })
  })
