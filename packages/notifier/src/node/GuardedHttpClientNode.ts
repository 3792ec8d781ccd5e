/**
 * The guarded client on Node's own TLS and HTTP.
 *
 * Proxy variables, `NODE_TLS_REJECT_UNAUTHORIZED` and the process-wide agent have no influence here;
 * `NODE_EXTRA_CA_CERTS` has (DECISION A-25).
 */
import { Agent } from "node:https"
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
  Answer,
  Dial,
  OutboundTransport,
  TransportFailure
} from "../outbound/OutboundTransport.js"
import * as OutboundUrl from "../outbound/OutboundUrl.js"
import * as HostResolverNode from "./HostResolverNode.js"
import * as AgentPool from "./internal/AgentPool.js"
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
  /** Kept agents over all tenants and targets; 256. */
  readonly agentsMax?: number
  /** Connections to one address for one tenant, and how many of them are kept; 64. */
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

// WHY: as many connections are kept as may be open, or every burst would shake hands anew.
const openAgent = (secureContext: SecureContext, options: Options) => () =>
  new Agent({
    keepAlive: true,
    maxSockets: options.socketsMax ?? 64,
    maxFreeSockets: options.socketsMax ?? 64,
    timeout: options.idleMsMax ?? 10_000,
    secureContext,
    rejectUnauthorized: true
  })

const dropIdle = (agent: Agent) => {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}

type Limits = Pick<HttpsExchange.Exchange, "maxResponseBytes" | "secured">

// WHY: a kept connection that the receiver closed in the meantime is no failure of the receiver,
// so the request goes out once more, on a connection of its own.
const startAgain = (exchange: HttpsExchange.Exchange, done: HttpsExchange.Done): (() => void) => {
  let cancel = HttpsExchange.start(exchange, (outcome) => {
    if (Either.isRight(outcome) || !outcome.left.stale) return done(outcome)
    dropIdle(exchange.agent)
    cancel = HttpsExchange.start(exchange, done)
  })
  return () => cancel()
}

const keyOf = ({ address, tenant, url }: Dial): AgentPool.AgentKey => ({
  tenant,
  address: AddressRange.print(address),
  port: url.port,
  host: OutboundUrl.hostText(url)
})

const makeTransport = (pool: AgentPool.AgentPool, limits: Limits): OutboundTransport => ({
  send: (dial) =>
    Effect.async<Answer, TransportFailure>((resume) => {
      const lent = pool.take(keyOf(dial))
      let isOver = false
      const giveBack = () => {
        if (!isOver) pool.giveBack(lent)
        isOver = true
      }
      const cancel = startAgain({ agent: lent.agent, dial, ...limits }, (outcome) => {
        giveBack()
        resume(Either.mapLeft(outcome, ({ failure }) => failure))
      })
      return Effect.sync(() => {
        cancel()
        giveBack()
      })
    })
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
      const pool = yield* AgentPool.make({
        agentsMax: options.agentsMax ?? 256,
        open: openAgent(secureContext, options)
      })
      const transport = makeTransport(pool, {
        maxResponseBytes: options.maxResponseBytes ?? 65_536,
        secured: new WeakSet()
      })
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
