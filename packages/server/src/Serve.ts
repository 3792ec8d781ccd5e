/** The command `serve`: opens the store, makes the first org, listens, and stays until it is stopped. */
import * as PendingWorker from "@attestry/core/PendingWorker"
import * as DocumentationPage from "@attestry/http/DocumentationPage"
import * as FeatureFlags from "@attestry/http/FeatureFlags"
import * as FileSpool from "@attestry/http/FileSpool"
import * as Links from "@attestry/http/Links"
import * as NodeServer from "@attestry/http/NodeServer"
import * as RequestLimits from "@attestry/http/RequestLimits"
import * as Server from "@attestry/http/Server"
import { Spool } from "@attestry/http/Spool"
import * as Effect from "effect/Effect"
import * as AdminServer from "./admin/AdminServer.js"
import * as Banner from "./Banner.js"
import * as Bootstrap from "./Bootstrap.js"
import type { ServerConfig } from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** Requests under way are waited for this long when the server stops (P-DRAIN). */
const DRAIN_TIMEOUT = "15 seconds"

/** Serves until interrupted; `show` is where people look. */
export const serve = (config: ServerConfig, show: (text: string) => void) =>
  Effect.gen(function* () {
    const first = yield* Bootstrap.run({
      org: config.ATTESTRY_BOOTSTRAP_ORG,
      user: config.ATTESTRY_BOOTSTRAP_USER
    })
    const dispatch = yield* Server.make({ pages: yield* DocumentationPage.make })
    const { url } = yield* NodeServer.make(dispatch, {
      host: config.ATTESTRY_HOST,
      port: config.ATTESTRY_PORT,
      drainTimeout: DRAIN_TIMEOUT,
      trustedProxies: config.ATTESTRY_TRUSTED_PROXIES
    })
    yield* AdminServer.make(config)
    yield* PendingWorker.run()
    yield* Effect.sync(() => show(Banner.print({ url, store: config.ATTESTRY_STORE, first })))
    yield* Effect.logInfo("listening", { url })
    return yield* Effect.never
  }).pipe(
    Effect.provideService(
      Links.PublicUrl,
      config.ATTESTRY_PUBLIC_URL ?? `http://${config.ATTESTRY_HOST}:${config.ATTESTRY_PORT}`
    ),
    Effect.provideService(Spool, FileSpool.make()),
    Effect.provideService(RequestLimits.RequestLimits, {
      perOrg: config.ATTESTRY_RATE_PER_ORG,
      perCredential: config.ATTESTRY_RATE_PER_CREDENTIAL,
      failuresPerSource: config.ATTESTRY_AUTH_FAILURES_PER_SOURCE,
      failuresPerKey: config.ATTESTRY_AUTH_FAILURES_PER_KEY
    }),
    Effect.provideService(
      FeatureFlags.FeatureFlags,
      FeatureFlags.byMode(
        config.ATTESTRY_BETA_CONTROLS,
        "the operator opens it with ATTESTRY_BETA_CONTROLS=on"
      )
    ),
    Effect.scoped,
    Effect.provide(ServerLayer.layer(config)),
    Effect.provide(ServerLayer.logging(config))
  )
