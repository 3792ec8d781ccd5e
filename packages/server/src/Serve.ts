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
import * as Upload from "@attestry/http/Upload"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AdminServer from "./admin/AdminServer.js"
import * as Banner from "./Banner.js"
import * as Bootstrap from "./Bootstrap.js"
import * as DeadLetterRetention from "./DeadLetterRetention.js"
import * as Deliveries from "./Deliveries.js"
import * as ExpiryScan from "./ExpiryScan.js"
import type { ServerConfig } from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** Requests under way are waited for this long when the server stops (P-DRAIN). */
const DRAIN_TIMEOUT = "15 seconds"

/** Where the deployment is reached from outside. */
const publicUrlOf = (config: ServerConfig): string =>
  config.ATTESTRY_PUBLIC_URL ?? `http://${config.ATTESTRY_HOST}:${config.ATTESTRY_PORT}`

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
    yield* Layer.build(Deliveries.layer(config, publicUrlOf(config)))
    yield* PendingWorker.run()
    yield* Effect.forkScoped(ExpiryScan.run(config.ATTESTRY_EXPIRY_SCAN_INTERVAL))
    yield* Effect.forkScoped(DeadLetterRetention.run(config.ATTESTRY_DEAD_LETTER_RETENTION))
    yield* Effect.sync(() =>
      show(
        Banner.print({
          url,
          publicUrl: config.ATTESTRY_PUBLIC_URL,
          store: config.ATTESTRY_STORE,
          permitted: config.ATTESTRY_OUTBOUND_ALLOW,
          first
        })
      )
    )
    yield* Effect.logInfo("listening", { url })
    return yield* Effect.never
  }).pipe(
    Effect.provideService(Links.PublicUrl, publicUrlOf(config)),
    Effect.provideService(Spool, FileSpool.make()),
    Effect.provideService(Upload.FileBytesMax, config.ATTESTRY_ATTACHMENT_BYTES_MAX),
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
    // WHY: deliveries under way must not keep the API from saying at once that it goes away.
    Effect.parallelFinalizers,
    Effect.scoped,
    Effect.provide(ServerLayer.layer(config)),
    Effect.provide(ServerLayer.logging(config))
  )
