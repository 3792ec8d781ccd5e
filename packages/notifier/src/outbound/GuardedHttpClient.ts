/**
 * How does a POST reach a tenant's URL without reaching anything else? SPEC §6.4
 *
 * One attempt reads the URL again, resolves its name once, judges every answer and dials only what
 * was judged. Sockets belong to an `OutboundTransport`; this module decides and never opens one.
 */
import * as Span from "@attestry/core/Span"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AddressRange from "./AddressRange.js"
import type { AllowList } from "./AllowList.js"
import type { BlockedDestination } from "./BlockedDestination.js"
import { DeliveryError } from "./DeliveryError.js"
import { HostResolver, type ResolutionError } from "./HostResolver.js"
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
    : Effect.flatMap(Clock.currentTimeMillis, (started) =>
        Effect.catchIf(
          sent,
          ({ unreached }) => unreached,
          () =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              dialInTurn(transport, [next, ...others], {
                ...dial,
                timeoutMs: Math.max(1, dial.timeoutMs - (now - started))
              })
            )
        )
      )
}

const dialAny = (
  transport: OutboundTransport,
  [first, ...others]: Addresses,
  dial: Omit<Dial, "address" | "connectTimeoutMs">
): Effect.Effect<Answer, DeliveryError> => {
  const addresses: Addresses = [first, ...others.slice(0, addressesMax - 1)]
  const connectTimeoutMs = Math.ceil(dial.timeoutMs / addresses.length)
  return dialInTurn(transport, addresses, { ...dial, connectTimeoutMs }).pipe(
    Effect.tapError(({ code }) =>
      Effect.annotateLogs(Effect.logDebug("outbound request failed"), { code })
    ),
    Effect.mapError(({ reason }) => new DeliveryError({ reason }))
  )
}

const blocked = ({ reason }: BlockedDestination) =>
  new DeliveryError({ reason: reason === "unresolved" ? "resolution" : "blocked destination" })

const unresolved = ({ late }: ResolutionError) =>
  new DeliveryError({ reason: late ? "timeout" : "resolution" })

/** How many readings of URLs are remembered; reading one is a function of its text alone. */
const READINGS_MAX = 1_024

const makeReader = (allow: AllowList) => {
  const readings = new Map<string, ReturnType<typeof OutboundUrl.check>>()
  return (text: string) => {
    const known = readings.get(text)
    if (known !== undefined) return known
    const reading = OutboundUrl.check(text, allow)
    if (readings.size >= READINGS_MAX) readings.clear()
    readings.set(text, reading)
    return reading
  }
}

/**
 * Builds the client from a transport and what the operator permitted. The times are kept by those
 * who wait, the resolver and the transport: a fiber per attempt that only watches the clock would
 * cost as much as the attempt.
 */
export const make = (transport: OutboundTransport, allow: AllowList) =>
  Effect.map(HostResolver, (resolver) => {
    const read = makeReader(allow)

    const attempt = Effect.fnUntraced(function* (request: PostRequest) {
      const { body, headers, tenant } = request
      const url = yield* Either.mapLeft(read(request.url), blocked)
      const started = yield* Clock.currentTimeMillis
      const answers =
        url.host._tag === "Address"
          ? [AddressRange.print(url.host.address)]
          : yield* Effect.mapError(resolver.resolve(url.host.name, request.timeoutMs), unresolved)
      const addresses = yield* Either.mapLeft(OutboundUrl.judge(url, answers, allow), blocked)
      const timeoutMs = request.timeoutMs - ((yield* Clock.currentTimeMillis) - started)
      if (timeoutMs <= 0) return yield* new DeliveryError({ reason: "timeout" })
      const answer = yield* dialAny(transport, addresses, { url, tenant, headers, body, timeoutMs })
      if (Option.isNone(answer.retryAfter))
        return { status: answer.status, retryAfter: Option.none() }
      const retryAfter = RetryAfter.parse(answer.retryAfter.value, yield* DateTime.now)
      return { status: answer.status, retryAfter }
    })

    return GuardedHttpClient.of({
      post: (request) => Span.within("GuardedHttpClient.post", attempt(request))
    })
  })
