/**
 * How does a POST reach a tenant's URL without reaching anything else? SPEC §6.4
 *
 * One attempt reads the URL again, resolves its name once, judges every answer and dials only what
 * was judged. Sockets belong to an `OutboundTransport`; this module decides and never opens one.
 */
import type * as Arr from "effect/Array"
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
import type { Answer, Dial, OutboundTransport, TransportFailure } from "./OutboundTransport.js"
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

/** What the receiver answered; a 3xx or 5xx is an outcome, not an error. */
export interface PostOutcome {
  readonly status: number
  /** How long the receiver asks us to wait before the next attempt. */
  readonly retryAfter: Option.Option<Duration.Duration>
}

/** Sends POST requests to permitted destinations only. */
export class GuardedHttpClient extends Context.Tag("@attestry/notifier/GuardedHttpClient")<
  GuardedHttpClient,
  {
    /**
     * One attempt within `timeoutMs`, resolution and response body included. Redirects are not
     * followed. `host`, `content-length` and the headers of the connection are set here, whatever
     * the request says; none is added for tracing. The receiver may see the request twice when a
     * kept connection breaks before it answers.
     */
    readonly post: (request: PostRequest) => Effect.Effect<PostOutcome, DeliveryError>
  }
>() {}

/** How many judged addresses of one name are tried in one attempt. */
export const addressesMax = 4

type Addresses = Arr.NonEmptyReadonlyArray<AddressRange.Address>

// WHY: only an address that was never reached may be followed by the next one, or a receiver with
// two addresses would get the same request twice.
const dialInTurn = (
  transport: OutboundTransport,
  [address, next, ...others]: Addresses,
  dial: Omit<Dial, "address">
): Effect.Effect<Answer, TransportFailure> => {
  const sent = transport.send({ ...dial, address })
  return next === undefined
    ? sent
    : Effect.catchIf(
        sent,
        ({ unreached }) => unreached,
        () => dialInTurn(transport, [next, ...others], dial)
      )
}

const dialAny = (
  transport: OutboundTransport,
  [first, ...others]: Addresses,
  { request, url }: { readonly request: PostRequest; readonly url: OutboundUrl.OutboundUrl }
): Effect.Effect<Answer, DeliveryError> => {
  const { body, headers, tenant, timeoutMs } = request
  const addresses: Addresses = [first, ...others.slice(0, addressesMax - 1)]
  const connectTimeoutMs = Math.ceil(timeoutMs / addresses.length)
  return dialInTurn(transport, addresses, { url, tenant, headers, body, connectTimeoutMs }).pipe(
    Effect.tapError(({ code }) =>
      Effect.annotateLogs(Effect.logDebug("outbound request failed"), { code })
    ),
    Effect.mapError(({ reason }) => new DeliveryError({ reason }))
  )
}

const blocked = ({ reason }: BlockedDestination) =>
  new DeliveryError({ reason: reason === "unresolved" ? "resolution" : "blocked destination" })

/** Builds the client from a transport and what the operator permitted. */
export const make = (transport: OutboundTransport, allow: AllowList) =>
  Effect.map(HostResolver, (resolver) => {
    const answersFor = ({ host }: OutboundUrl.OutboundUrl) =>
      host._tag === "Address"
        ? Effect.succeed([AddressRange.print(host.address)])
        : Effect.mapError(
            resolver.resolve(host.name),
            () => new DeliveryError({ reason: "resolution" })
          )

    const attempt = Effect.fnUntraced(function* (request: PostRequest) {
      const url = yield* Effect.mapError(OutboundUrl.check(request.url, allow), blocked)
      const answers = yield* answersFor(url)
      const addresses = yield* Effect.mapError(OutboundUrl.judge(url, answers, allow), blocked)
      const { retryAfter, status } = yield* dialAny(transport, addresses, { request, url })
      const now = yield* DateTime.now
      return {
        status,
        retryAfter: Option.flatMap(retryAfter, (text) => RetryAfter.parse(text, now))
      }
    })

    return GuardedHttpClient.of({
      post: Effect.fn("GuardedHttpClient.post")((request: PostRequest) =>
        Effect.timeoutFail(attempt(request), {
          duration: request.timeoutMs,
          onTimeout: () => new DeliveryError({ reason: "timeout" })
        })
      )
    })
  })
