/**
 * The guarded client on Node's TLS and undici's HTTP.
 *
 * It ignores proxy variables, `NODE_TLS_REJECT_UNAUTHORIZED` and the process-wide agents; it honours
 * `NODE_EXTRA_CA_CERTS`.
 */
import { createSecureContext, type SecureContext } from "node:tls"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as AddressRange from "../outbound/AddressRange.js"
import * as AllowList from "../outbound/AllowList.js"
import * as GuardedHttpClient from "../outbound/GuardedHttpClient.js"
import type { HostResolver } from "../outbound/HostResolver.js"
import type {
  Dial,
  OutboundTransport,
  TransportFailure,
  TransportResponse
} from "../outbound/OutboundTransport.js"
import * as OutboundUrl from "../outbound/OutboundUrl.js"
import * as HostResolverNode from "./HostResolverNode.js"
import type { Destination } from "./internal/Connection.js"
import * as ConnectionPool from "./internal/ConnectionPool.js"
import * as HttpsExchange from "./internal/HttpsExchange.js"
import * as TrustedCa from "./internal/TrustedCa.js"

/** The options of the client; all are optional. */
export interface Options {
  /** Blocks, addresses and exact host names that are permitted beside public ones. */
  readonly allow?: ReadonlyArray<string>
  /** Certificates in PEM to trust beside Node's. */
  readonly extraCa?: string
  /** The most bytes of a response body, beyond which the attempt fails; 64 KiB. */
  readonly maxResponseBytes?: number
  /** The most destinations, over all tenants, whose connections are kept; 256. */
  readonly destinationsMax?: number
  /** Connections to one address for one tenant that are opened without waiting, and kept; 64. */
  readonly socketsMax?: number
  /** How long an unused connection is kept, in milliseconds; 10 seconds. */
  readonly idleMsMax?: number
}

/** The configured extra certificates are not certificates in PEM. */
export class InvalidExtraCa extends Schema.TaggedError<InvalidExtraCa>()("InvalidExtraCa", {
  cause: Schema.Defect
}) {
  override get message() {
    return "the extra certificates are not certificates in PEM"
  }
}

const trust = (extraCa: string | undefined): SecureContext =>
  createSecureContext({ minVersion: "TLSv1.2", ...TrustedCa.options(extraCa) })

const destinationOf = ({ address, tenant, url }: Dial): Destination => ({
  tenant,
  address: AddressRange.print(address),
  port: url.port,
  host: OutboundUrl.hostText(url),
  serverName: url.host._tag === "Name" ? url.host.name : ""
})

/** The longest wait for a connection in use to become free. */
const WAIT_MILLIS_MAX = 5_000

const noop = () => {}

/**
 * Sends one request over a pooled connection; calling the result cancels it.
 *
 * WHY it retries: a kept connection that the receiver has closed is not a failure of the receiver, so the request is
 * sent once more on a new connection.
 */
const exchange = (
  pool: ConnectionPool.ConnectionPool,
  { dial, maxResponseBytes }: Pick<HttpsExchange.Exchange, "dial" | "maxResponseBytes">,
  done: (result: Either.Either<TransportResponse, TransportFailure>) => void
): (() => void) => {
  const destination = destinationOf(dial)
  const startedAt = performance.now()
  let cancel = noop
  const attempt = (lease: ConnectionPool.Lease) => {
    const elapsed = Math.floor(performance.now() - startedAt)
    const timeoutMs = Math.max(1, dial.timeoutMs - elapsed)
    let isDone = false
    const abandon = HttpsExchange.start({ lease, dial, timeoutMs, maxResponseBytes }, (result) => {
      isDone = true
      cancel = noop
      pool.release(lease, Either.isRight(result))
      if (Either.isLeft(result) && result.left.stale) attempt(pool.acquireNew(destination))
      else done(Either.mapLeft(result, ({ failure }) => failure))
    })
    if (isDone) return
    cancel = () => {
      abandon()
      pool.release(lease, false)
    }
  }
  const waitMs = Math.min(WAIT_MILLIS_MAX, dial.timeoutMs / 3)
  const stopWaiting = pool.acquire(destination, waitMs, attempt)
  return () => {
    stopWaiting()
    cancel()
  }
}

const makeTransport = (
  pool: ConnectionPool.ConnectionPool,
  maxResponseBytes: number
): OutboundTransport => ({
  send: (dial) =>
    Effect.async((resume) =>
      Effect.sync(exchange(pool, { dial, maxResponseBytes }, (result) => resume(result)))
    )
})

/** The client without a resolver; warns when the allow-list permits anything. */
export const layer = (
  options: Options = {}
): Layer.Layer<
  GuardedHttpClient.GuardedHttpClient,
  AllowList.InvalidAllowList | InvalidExtraCa,
  HostResolver
> =>
  Layer.scoped(
    GuardedHttpClient.GuardedHttpClient,
    Effect.gen(function* () {
      const allow = yield* AllowList.parse(options.allow ?? [])
      const secureContext = yield* Effect.try({
        try: () => trust(options.extraCa),
        catch: (cause) => new InvalidExtraCa({ cause })
      })
      if (!AllowList.isEmpty(allow)) {
        yield* Effect.logWarning(
          "deliveries to destinations that are not public are permitted"
        ).pipe(Effect.annotateLogs({ allow: options.allow }))
      }
      const pool = yield* ConnectionPool.make({
        secureContext,
        destinationsMax: options.destinationsMax ?? 256,
        socketsMax: options.socketsMax ?? 64,
        idleMsMax: options.idleMsMax ?? 10_000
      })
      const transport = makeTransport(pool, options.maxResponseBytes ?? 65_536)
      return yield* GuardedHttpClient.make(transport, allow)
    })
  )

/** The client together with Node's resolver. */
export const layerWithResolver = (
  options: Options & HostResolverNode.Options = {}
): Layer.Layer<
  GuardedHttpClient.GuardedHttpClient,
  AllowList.InvalidAllowList | InvalidExtraCa | HostResolverNode.InvalidResolver
> => Layer.provide(layer(options), HostResolverNode.layer(options))
