/**
 * The guarded client on Node's TLS and the HTTP of undici.
 *
 * Proxy variables, `NODE_TLS_REJECT_UNAUTHORIZED` and the process-wide agents have no influence here;
 * `NODE_EXTRA_CA_CERTS` has (DECISION A-25).
 */
import { createSecureContext, type SecureContext } from "node:tls"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as AddressRange from "../outbound/AddressRange.js"
import * as AllowList from "../outbound/AllowList.js"
import * as GuardedHttpClient from "../outbound/GuardedHttpClient.js"
import type { HostResolver } from "../outbound/HostResolver.js"
import type {
  Answer,
  Dial,
  OutboundTransport,
  TransportFailure
} from "../outbound/OutboundTransport.js"
import * as OutboundUrl from "../outbound/OutboundUrl.js"
import type * as Task from "../outbound/Task.js"
import * as HostResolverNode from "./HostResolverNode.js"
import type { Destination } from "./internal/Connection.js"
import * as ConnectionPool from "./internal/ConnectionPool.js"
import * as HttpsExchange from "./internal/HttpsExchange.js"
import * as TrustedCa from "./internal/TrustedCa.js"

/** How the client is configured; everything may be left out. */
export interface Options {
  /** Blocks, addresses and exact host names that are permitted although they are not public. */
  readonly allow?: ReadonlyArray<string>
  /** Certificates in PEM to trust beside the ones that Node trusts. */
  readonly extraCa?: string
  /** Bytes of a response body that are read before the attempt fails; 64 KiB. */
  readonly maxResponseBytes?: number
  /** Destinations, over all tenants, whose connections are kept; 256. */
  readonly destinationsMax?: number
  /** Connections to one address for one tenant that are opened without waiting and kept; 64. */
  readonly socketsMax?: number
  /** How long an unused connection is kept, in milliseconds; 10 seconds. */
  readonly idleMsMax?: number
}

/** The configured extra certificates cannot be read. */
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

const nothingToCancel: Task.Cancel = () => {}

/** No request waits longer than this for a connection in use to become free. */
const PATIENCE_MILLIS_MAX = 5_000

// WHY: a kept connection that the receiver closed in the meantime is no failure of the receiver,
// so the request goes out once more, on a connection of its own.
const carry = (
  pool: ConnectionPool.ConnectionPool,
  { dial, maxResponseBytes }: Pick<HttpsExchange.Exchange, "dial" | "maxResponseBytes">,
  done: (exit: Exit.Exit<Answer, TransportFailure>) => void
): Task.Cancel => {
  const destination = destinationOf(dial)
  const askedAt = performance.now()
  const attempt = (lent: ConnectionPool.Lease) => {
    const waited = Math.floor(performance.now() - askedAt)
    const timeoutMs = Math.max(1, dial.timeoutMs - waited)
    let isOver = false
    const forget = HttpsExchange.start({ lent, dial, timeoutMs, maxResponseBytes }, (outcome) => {
      isOver = true
      cancel = nothingToCancel
      pool.giveBack(lent, Either.isRight(outcome))
      if (Either.isRight(outcome)) done(Exit.succeed(outcome.right))
      else if (outcome.left.stale) attempt(pool.takeFresh(destination))
      else done(Exit.fail(outcome.left.failure))
    })
    if (isOver) return
    cancel = () => {
      forget()
      pool.giveBack(lent, false)
    }
  }
  let cancel: Task.Cancel = nothingToCancel
  const stopWaiting = pool.take(
    destination,
    Math.min(PATIENCE_MILLIS_MAX, dial.timeoutMs / 3),
    attempt
  )
  return () => {
    stopWaiting()
    cancel()
  }
}

const makeTransport = (
  pool: ConnectionPool.ConnectionPool,
  maxResponseBytes: number
): OutboundTransport => ({
  send: (dial) => (done) => carry(pool, { dial, maxResponseBytes }, done)
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
