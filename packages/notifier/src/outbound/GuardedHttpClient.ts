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
): Effect.Effect<Answer, TransportFailure> => {
  const addresses: Addresses = [first, ...others.slice(0, addressesMax - 1)]
  const connectTimeoutMs = Math.ceil(dial.timeoutMs / addresses.length)
  return dialInTurn(transport, addresses, { ...dial, connectTimeoutMs })
}

const failed = ({ code, reason }: TransportFailure) =>
  Effect.zipRight(
    Effect.annotateLogs(Effect.logDebug("outbound request failed"), { code }),
    new DeliveryError({ reason })
  )

/** What an answer means; a wish is read by the clock of the moment. */
const outcomeOf = ({ retryAfter, status }: Answer, clock: Clock.Clock): PostOutcome => ({
  status,
  retryAfter: Option.flatMap(retryAfter, (text) =>
    RetryAfter.parse(text, DateTime.unsafeMake(clock.unsafeCurrentTimeMillis()))
  )
})

const blocked = ({ reason }: BlockedDestination) =>
  new DeliveryError({ reason: reason === "unresolved" ? "resolution" : "blocked destination" })

const unresolved = ({ late }: ResolutionError) =>
  new DeliveryError({ reason: late ? "timeout" : "resolution" })

/** A name with its answers, and the time that is left. */
interface Resolved {
  readonly url: OutboundUrl.OutboundUrl
  readonly answers: ReadonlyArray<string>
  readonly timeoutMs: number
}

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

    const dialJudged = (
      { body, headers, tenant }: PostRequest,
      { answers, timeoutMs, url }: Resolved,
      clock: Clock.Clock
    ): Effect.Effect<PostOutcome, DeliveryError> => {
      const addresses = OutboundUrl.judge(url, answers, allow)
      if (Either.isLeft(addresses)) return blocked(addresses.left)
      if (timeoutMs <= 0) return new DeliveryError({ reason: "timeout" })
      return Effect.matchEffect(
        dialAny(transport, addresses.right, { url, tenant, headers, body, timeoutMs }),
        {
          onFailure: failed,
          onSuccess: (answer) => Effect.succeed(outcomeOf(answer, clock))
        }
      )
    }

    // WHY: plain functions where they do; this runs for every delivery.
    const attempt = (
      request: PostRequest,
      clock: Clock.Clock
    ): Effect.Effect<PostOutcome, DeliveryError> => {
      const reading = read(request.url)
      if (Either.isLeft(reading)) return blocked(reading.left)
      const url = reading.right
      const { timeoutMs } = request
      if (url.host._tag === "Address") {
        const answers = [AddressRange.print(url.host.address)]
        return dialJudged(request, { url, answers, timeoutMs }, clock)
      }
      const started = clock.unsafeCurrentTimeMillis()
      return Effect.matchEffect(resolver.resolve(url.host.name, timeoutMs), {
        onFailure: unresolved,
        onSuccess: (answers) => {
          const left = timeoutMs - (clock.unsafeCurrentTimeMillis() - started)
          return dialJudged(request, { url, answers, timeoutMs: left }, clock)
        }
      })
    }

    return GuardedHttpClient.of({
      post: (request) =>
        Span.within(
          "GuardedHttpClient.post",
          Effect.clockWith((clock) => attempt(request, clock))
        )
    })
  })
