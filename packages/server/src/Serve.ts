/**
 * The command `serve`: opens the store, listens, creates the first org, and serves until it is interrupted.
 *
 * WHY in this order: the first key is shown once, so it is created after everything that can fail. Earlier requests get
 * 503. DECISION B-176
 */
import { Orgs } from "@attestry/core/Orgs"
import * as NodeServer from "@attestry/http/NodeServer"
import * as Effect from "effect/Effect"
import * as Application from "./internal/Application.js"
import * as AdminServer from "./internal/admin/AdminServer.js"
import * as Banner from "./internal/Banner.js"
import * as Logging from "./internal/Logging.js"
import * as StartingDispatch from "./internal/StartingDispatch.js"
import type { ServerConfig } from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** How long a stopping server waits for requests under way (P-DRAIN). */
const DRAIN_TIMEOUT = "15 seconds"

/** Serves until it is interrupted; `show` prints the banner. */
export const serve = (config: ServerConfig, show: (text: string) => void) =>
  Effect.gen(function* () {
    const start = StartingDispatch.make()
    const { url } = yield* NodeServer.make(start.dispatch, {
      host: config.ATTESTRY_HOST,
      port: config.ATTESTRY_PORT,
      drainTimeout: DRAIN_TIMEOUT,
      trustedProxies: config.ATTESTRY_TRUSTED_PROXIES
    })
    const publicUrl = config.ATTESTRY_PUBLIC_URL ?? `${url}${config.ATTESTRY_BASE_PATH}`
    const dispatch = yield* Application.dispatch(config, publicUrl)
    yield* AdminServer.make(config)
    yield* Application.startBackground(config, publicUrl)
    const first = yield* Application.bootstrap(config)
    const orgs = yield* (yield* Orgs).list
    yield* Effect.sync(() => {
      start.open(dispatch)
      show(
        Banner.print({
          url,
          publicUrl: config.ATTESTRY_PUBLIC_URL,
          store: config.ATTESTRY_STORE,
          hasPages: config.ATTESTRY_WEB !== "off",
          permitted: config.ATTESTRY_OUTBOUND_ALLOW,
          first,
          orgs: orgs.map(({ name }) => name)
        })
      )
    })
    yield* Effect.logInfo("listening", { url })
    return yield* Effect.never
  }).pipe(
    // WHY: deliveries under way must not delay the moment at which `/ready` answers 503.
    Effect.parallelFinalizers,
    Effect.scoped,
    Effect.provide(ServerLayer.layer(config)),
    Effect.provide(Logging.layer(config))
  )
