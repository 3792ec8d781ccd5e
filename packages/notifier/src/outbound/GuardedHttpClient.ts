/**
 * How does a POST reach a tenant's URL without reaching anything else? SPEC §6.4
 *
 * One attempt reads the URL again, resolves its name once, judges every answer and dials only what
 * was judged. Sockets belong to an `OutboundTransport`; this module decides and never opens one.
 */
import * as Span from "@attestry/core/Span"
import type * as Arr from "effect/Array"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as AddressRange from "./AddressRange.js"
import type { AllowList } from "./AllowList.js"
import type { BlockedDestination } from "./BlockedDestination.js"
import { DeliveryError } from "./DeliveryError.js"
import { HostResolver, type ResolutionError } from "./HostResolver.js"
import type { Answer, OutboundTransport, TransportFailure } from "./OutboundTransport.js"
import * as OutboundUrl from "./OutboundUrl.js"
import * as RetryAfter from "./RetryAfter.js"
import * as Task from "./Task.js"

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
    /** The same, for those who make so many that a fiber for each is too much. */
    readonly posting: (request: PostRequest) => Task.Task<PostOutcome, DeliveryError>
  }
>() {}

/** How many judged addresses of one name are tried in one attempt. */
export const addressesMax = 4

type Addresses = Arr.NonEmptyReadonlyArray<AddressRange.Address>

/** What an attempt needs beside its request. */
interface Means {
  readonly transport: OutboundTransport
  readonly clock: Clock.Clock
}

/** Where a request goes, and how long it may take. */
interface Route {
  readonly url: OutboundUrl.OutboundUrl
  readonly addresses: Addresses
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
}

// WHY: only an address that was never reached may be followed by the next one, or a receiver with
// two addresses would get the same request twice.
const dialInTurn = (
  means: Means,
  request: PostRequest,
  { addresses, connectTimeoutMs, timeoutMs, url }: Route
): Task.Task<Answer, TransportFailure> => {
  const { clock, transport } = means
  const { body, headers, tenant } = request
  const [address, next, ...others] = addresses
  const sent = transport.send({ address, url, tenant, headers, body, connectTimeoutMs, timeoutMs })
  if (next === undefined) return sent
  const started = clock.unsafeCurrentTimeMillis()
  return Task.matchTask(sent, {
    onFailure: (failure) => {
      if (!failure.unreached) return Task.fail(failure)
      const left = Math.max(1, timeoutMs - (clock.unsafeCurrentTimeMillis() - started))
      const route: Route = { url, addresses: [next, ...others], connectTimeoutMs, timeoutMs: left }
      return dialInTurn(means, request, route)
    },
    onSuccess: Task.succeed
  })
}

/** What an answer means; a wish is read by the clock of the moment. */
const outcomeOf = ({ retryAfter, status }: Answer, clock: Clock.Clock): PostOutcome => ({
  status,
  retryAfter: Option.flatMap(retryAfter, (text) =>
    RetryAfter.parse(text, DateTime.unsafeMake(clock.unsafeCurrentTimeMillis()))
  )
})

const refuse = (reason: DeliveryError["reason"]) => Task.fail(new DeliveryError({ reason }))

const blocked = ({ reason }: BlockedDestination) =>
  refuse(reason === "unresolved" ? "resolution" : "blocked destination")

const unresolved = ({ late }: ResolutionError) => refuse(late ? "timeout" : "resolution")

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

/** Tells the operator why an attempt failed; tenants learn its class alone. */
const makeComplaint = Effect.map(Effect.runtime<never>(), (runtime) => {
  const run = Runtime.runSync(runtime)
  return ({ code, reason }: TransportFailure) => {
    run(Effect.annotateLogs(Effect.logDebug("outbound request failed"), { code }))
    return refuse(reason)
  }
})

/**
 * Builds the client from a transport and what the operator permitted. The times are kept by those
 * who wait, the resolver and the transport.
 */
export const make = (transport: OutboundTransport, allow: AllowList) =>
  Effect.gen(function* () {
    const resolver = yield* HostResolver
    const clock = yield* Effect.clock
    const failed = yield* makeComplaint
    const read = makeReader(allow)

    const dialJudged = (
      request: PostRequest,
      { answers, timeoutMs, url }: Resolved
    ): Task.Task<PostOutcome, DeliveryError> => {
      const judged = OutboundUrl.judge(url, answers, allow)
      if (Either.isLeft(judged)) return blocked(judged.left)
      if (timeoutMs <= 0) return refuse("timeout")
      const [first, ...others] = judged.right
      const addresses: Addresses = [first, ...others.slice(0, addressesMax - 1)]
      const connectTimeoutMs = Math.ceil(timeoutMs / addresses.length)
      const route = { url, addresses, timeoutMs, connectTimeoutMs }
      return Task.matchTask(dialInTurn({ transport, clock }, request, route), {
        onFailure: failed,
        onSuccess: (answer) => Task.succeed(outcomeOf(answer, clock))
      })
    }

    const attempt = (request: PostRequest): Task.Task<PostOutcome, DeliveryError> => {
      const reading = read(request.url)
      if (Either.isLeft(reading)) return blocked(reading.left)
      const url = reading.right
      const { timeoutMs } = request
      if (url.host._tag === "Address") {
        const answers = [AddressRange.print(url.host.address)]
        return dialJudged(request, { url, answers, timeoutMs })
      }
      const started = clock.unsafeCurrentTimeMillis()
      return Task.matchTask(resolver.resolve(url.host.name, timeoutMs), {
        onFailure: unresolved,
        onSuccess: (answers) => {
          const left = timeoutMs - (clock.unsafeCurrentTimeMillis() - started)
          return dialJudged(request, { url, answers, timeoutMs: left })
        }
      })
    }

    const posting = (request: PostRequest) => Task.suspend(() => attempt(request))
    return GuardedHttpClient.of({
      post: (request) => Span.withSpan("GuardedHttpClient.post", Task.toEffect(posting(request))),
      posting
    })
  })
